import type { FormFields } from '../../platform/http/read-form.ts'

export type ClientSignIn = 'client_secret_basic' | 'client_secret_post'

/** The client and secret of a request: undefined without, `twice` where both ways are used (RFC 6749 2.3). */
export const clientIn = (
  authorization: string | undefined,
  form: FormFields,
): { readonly id: string; readonly secret: string } | 'twice' | undefined => {
  const [id, secret] = [form.get('client_id')?.[0], form.get('client_secret')?.[0]]
  if (authorization === undefined)
    return id === undefined || secret === undefined ? undefined : { id, secret }
  if (secret !== undefined) return 'twice'
  const basic = basicIn(authorization)
  // A client may repeat its id in the body; another one there is nobody's.
  return basic && (id === undefined || id === basic.id) ? basic : undefined
}

/** Both parts are encoded as in a form before they are joined (RFC 6749 2.3.1). */
const basicIn = (authorization: string): { readonly id: string; readonly secret: string } | undefined => {
  const [, base64] = /^basic +([\w+/]+={0,2})$/i.exec(authorization) ?? []
  const text = Buffer.from(base64 ?? '', 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  try {
    const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    )
    return { id: id as string, secret: secret as string }
  } catch {
    return undefined
  }
}
