import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { answerUnknown, httpServer } from './server.ts'

/** The start of the server's answer to a text on a connection. */
const answerTo = async (publicUrl: string, sent: string): Promise<string> => {
  const app = httpServer(pino({ level: 'silent' }), { publicUrl })
  answerUnknown(app, [])
  await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(sent)
    return await text(socket)
  } finally {
    await app.close()
  }
}

describe('Strict-Transport-Security', () => {
  const request = 'GET /none HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  const noRequest = 'what is this\r\n\r\n'

  it('is on every answer of a service with an https URL', async () => {
    for (const sent of [request, noRequest]) {
      const answer = await answerTo('https://data.example.com', sent)
      assert.match(answer, /\r\nstrict-transport-security: max-age=31536000\r\n/, answer)
    }
  })

  it('is on no answer of a service without TLS', async () => {
    for (const sent of [request, noRequest])
      assert.doesNotMatch(await answerTo('http://127.0.0.1:8080', sent), /strict-transport/i)
  })
})
