import { appendFileSync } from 'node:fs'
import { type AddressInfo, type Socket, createServer } from 'node:net'

/*
 * A mail relay that accepts everything. It counts messages and, given a file, writes each one's Message-ID and
 * recipient there before it answers. It does nothing else, so that the benchmark measures the sender. Runs in its own
 * process.
 */

export type SinkOrder = { readonly kind: 'listen'; readonly file?: string } | { readonly kind: 'report' }
export type SinkReport = { readonly port: number; readonly messages: number; readonly bytes: number }

const end = Buffer.from('\r\n.\r\n')
let messages = 0
let bytes = 0
let port = 0
let file: string | undefined

const serve = (socket: Socket): void => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.write('220 sink ESMTP\r\n')
  let inData = false
  let text = ''
  let last: Buffer = Buffer.alloc(0)
  let recipient = ''
  let pieces: Buffer[] = []

  const finish = (): void => {
    messages++
    if (file !== undefined) {
      const id = /^message-id:\s*(\S+)/im.exec(Buffer.concat(pieces).toString('latin1'))?.[1] ?? ''
      appendFileSync(file, `${id}\t${recipient}\n`)
    }
    pieces = []
    inData = false
    last = Buffer.alloc(0)
    socket.write('250 2.0.0 taken\r\n')
  }
  const command = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'EHLO')
      socket.write('250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 ENHANCEDSTATUSCODES\r\n')
    else if (verb === 'DATA') {
      inData = true
      socket.write('354 go on\r\n')
    } else if (verb === 'QUIT') socket.end('221 2.0.0 bye\r\n')
    else {
      if (verb === 'RCPT') recipient = /<([^>]*)>/.exec(line)?.[1] ?? ''
      socket.write('250 2.0.0 ok\r\n')
    }
  }
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (!inData) {
      text += chunk.toString('latin1')
      for (let at = text.indexOf('\r\n'); at >= 0; at = text.indexOf('\r\n')) {
        const line = text.slice(0, at)
        text = text.slice(at + 2)
        command(line)
      }
      return
    }
    if (file !== undefined && pieces.length === 0) pieces.push(chunk)
    // The client sends nothing after the final dot until the answer.
    last =
      chunk.length >= end.length
        ? chunk.subarray(-end.length)
        : Buffer.concat([last, chunk]).subarray(-end.length)
    if (last.equals(end)) finish()
  })
}

const server = createServer(serve)
process.on('message', (order: SinkOrder) => {
  if (order.kind === 'report') {
    process.send?.({ port, messages, bytes })
    return
  }
  file = order.file
  server.listen(port, '127.0.0.1', () => {
    port = (server.address() as AddressInfo).port
    process.send?.({ port, messages, bytes })
  })
})
process.on('disconnect', () => process.exit(0))
process.send?.({ kind: 'ready' })
