import { createSocket } from 'node:dgram'
import type { TestContext } from 'node:test'

/** Records, each of one or more strings; or what goes wrong. */
export type TextAnswer = readonly (readonly string[])[] | 'no such name' | 'server failure' | 'silence'

/** A real name server (UDP) for one test, which is asked for texts (RFC 1035, 3.3.14 and 4.1). */
export const startTextServer = async (
  t: TestContext,
  answer: (name: string) => TextAnswer,
): Promise<{ readonly server: string; readonly questions: string[] }> => {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name, end } = nameIn(query)
    questions.push(name)
    const said = answer(name)
    if (said !== 'silence') socket.send(reply(query.subarray(0, end + 4), said), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => {
    socket.close()
  })
  return { server: `127.0.0.1:${socket.address().port}`, questions }
}

const headerBytes = 12

const nameIn = (query: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let place = headerBytes
  for (let length = query[place] ?? 0; length > 0; length = query[place] ?? 0) {
    labels.push(query.toString('latin1', place + 1, place + 1 + length))
    place += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: place + 1 }
}

const reply = (question: Buffer, said: Exclude<TextAnswer, 'silence'>): Buffer => {
  const records = typeof said === 'string' ? [] : said.map(recordOf)
  const head = Buffer.from(question)
  const code = said === 'no such name' ? 3 : said === 'server failure' ? 2 : 0
  head.writeUInt16BE(0x8180 + code, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records])
}

const recordOf = (strings: readonly string[]): Buffer => {
  const data = Buffer.concat(
    strings.flatMap((text) => [Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]),
  )
  // The name of the question, TXT, IN, no time to live.
  const head = Buffer.from([0xc0, headerBytes, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
