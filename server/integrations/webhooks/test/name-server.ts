import { createSocket } from 'node:dgram'
import { isIP } from 'node:net'
import type { TestContext } from 'node:test'
import ipaddr from 'ipaddr.js'

/** How the test's name server answers one query; `alias` puts a CNAME before the addresses. */
export type NameAnswer =
  | { readonly addresses: readonly string[]; readonly alias?: string }
  | 'no such name'
  | 'server failure'
  | 'silence'

/** A real name server (UDP) for one test, queried for `A` and `AAAA`; `server` is the address to give a resolver. */
export const startNameServer = async (
  t: TestContext,
  answer: (name: string, type: 'A' | 'AAAA') => NameAnswer,
): Promise<{ readonly server: string; readonly questions: string[] }> => {
  const questions: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query)
    const type = query.readUInt16BE(end) === 28 ? 'AAAA' : 'A'
    questions.push(`${type} ${name}`)
    const said = answer(name, type)
    if (said !== 'silence')
      socket.send(reply(query.subarray(0, end + 4), said, type), peer.port, peer.address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => {
    socket.close()
  })
  return { server: `127.0.0.1:${socket.address().port}`, questions }
}

const HEADER_BYTES = 12

const readName = (query: Buffer): { name: string; end: number } => {
  const labels: string[] = []
  let place = HEADER_BYTES
  for (let length = query[place] ?? 0; length > 0; length = query[place] ?? 0) {
    labels.push(query.toString('latin1', place + 1, place + 1 + length))
    place += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: place + 1 }
}

/** The query repeated with the answer's flags, and one record per address (RFC 1035, 4.1). */
const reply = (question: Buffer, said: Exclude<NameAnswer, 'silence'>, type: 'A' | 'AAAA'): Buffer => {
  const records: Buffer[] = []
  if (typeof said === 'object') {
    const wanted = said.addresses.filter((address) => isIP(address) === (type === 'A' ? 4 : 6))
    const owner = said.alias === undefined ? Buffer.from([0xc0, HEADER_BYTES]) : encodeName(said.alias)
    if (said.alias !== undefined)
      records.push(record(Buffer.from([0xc0, HEADER_BYTES]), 5, encodeName(said.alias)))
    for (const address of wanted) {
      records.push(record(owner, type === 'A' ? 1 : 28, Buffer.from(ipaddr.parse(address).toByteArray())))
    }
  }
  const head = Buffer.from(question)
  const code = said === 'no such name' ? 3 : said === 'server failure' ? 2 : 0
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(records.length, 6)
  head.fill(0, 8, HEADER_BYTES)
  return Buffer.concat([head, ...records])
}

const record = (owner: Buffer, type: number, data: Buffer): Buffer => {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])
