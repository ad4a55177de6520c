import { type AddressInfo, type Socket, createServer } from 'node:net'

/** A message as the sink took it, and when (own clock, ms). */
export type Taken = { readonly messageId: string; readonly to: string; readonly atMs: number }
export type Sink = { readonly port: number; readonly taken: Taken[]; readonly stop: () => Promise<void> }

/**
 * A mail relay that takes everything and keeps what it got: Message-ID, recipient and moment, from the final dot on,
 * whether or not anybody is there to hear the answer. It answers after `delayMs`, so that kills find mails on the wire.
 */
export const startSink = async (delayMs: number): Promise<Sink> => {
  const taken: Taken[] = []
  const sockets = new Set<Socket>()
  const serve = (socket: Socket): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.write('220 sink ESMTP\r\n')
    let isData = false
    let text = ''
    let to = ''
    const step = (): boolean => {
      const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n')
      if (end < 0) return false
      const piece = text.slice(0, end)
      text = text.slice(end + (isData ? 5 : 2))
      if (isData) {
        isData = false
        taken.push({
          messageId: /^message-id:\s*(\S+)/im.exec(piece)?.[1] ?? '',
          to,
          atMs: performance.now(),
        })
        setTimeout(() => socket.write('250 2.0.0 taken\r\n'), delayMs)
        return true
      }
      const verb = piece.slice(0, 4).toUpperCase()
      if (verb === 'RCPT') to = /<([^>]*)>/.exec(piece)?.[1] ?? ''
      if (verb === 'DATA') isData = true
      socket.write(answers[verb] ?? '250 2.0.0 ok\r\n')
      return true
    }
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      while (step());
    })
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const answers: Readonly<Record<string, string>> = {
  EHLO: '250-sink\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES\r\n',
  DATA: '354 go on\r\n',
  QUIT: '221 2.0.0 bye\r\n',
}
