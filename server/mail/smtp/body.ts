import { Readable, type Transform } from 'node:stream'

/** A message on its way into a connection, which knows how far it got. */
export type Body = {
  readonly stream: Readable
  /** Some byte of it may have left. */
  readonly wasRead: () => boolean
  /** Nothing more of it will follow. */
  readonly hasEnded: () => boolean
}

export const bodyOf = (message: Buffer | Readable): Body => {
  if (message instanceof Readable) return watched(message)
  const stream = new Readable({
    read() {
      this.push(message)
      this.push(null)
    },
  })
  return isPlain(message) ? handedOver(stream, message) : watched(stream)
}

const watched = (stream: Readable): Body => ({
  stream,
  wasRead: () => stream.readableDidRead,
  hasEnded: () => stream.readableEnded,
})

/**
 * The client looks at every byte of a message for lone line ends and for dots at the beginning of a line, which costs
 * as much as all the rest of sending it. One that has neither is put behind that look as it is; the client still writes
 * the final dot.
 */
const handedOver = (stream: Readable, message: Buffer): Body => {
  let isRead = false
  stream.pipe = (encoder) => {
    isRead = true
    // What ends it adds the line end that is cut off here.
    ;(encoder as unknown as Transform).push(message.subarray(0, -2))
    encoder.end()
    return encoder
  }
  return { stream, wasRead: () => isRead, hasEnded: () => isRead }
}

/** Whether all lines end with CRLF, the last one too, and none begins with a dot. */
const isPlain = (message: Buffer): boolean =>
  message.length > 2 &&
  message[0] !== 0x2e &&
  message.subarray(-2).equals(lineEnd) &&
  !oddLine.test(message.toString('latin1'))

const lineEnd = Buffer.from('\r\n')
const oddLine = /\r(?!\n)|(?<!\r)\n|\n\./
