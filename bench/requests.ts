/* Requests as the load generator sends them. */

/** `headers`: whole lines, each with its end. */
export const get = (path: string, key?: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: bench\r\n${key ? `x-service-key: ${key}\r\n` : ''}${headers}\r\n`

export const send = (
  method: 'POST' | 'PATCH',
  path: string,
  key: string,
  body: string,
  headers = '',
): string =>
  `${method} ${path} HTTP/1.1\r\nhost: bench\r\nx-service-key: ${key}\r\n${headers}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
