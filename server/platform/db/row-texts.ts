import { createRequire } from 'node:module'

/*
 * The driver decodes each column of a row by itself, with a call into the engine for each. Most rows are plain
 * ASCII: those are decoded once, as a whole, and cut. Anything else is decoded by column, as before.
 */

type Parser = { handlePacket: ReadPacket }
type ReadPacket = (this: Parser, offset: number, code: number, length: number, bytes: Buffer) => unknown

const ofDriver = createRequire(import.meta.resolve('pg'))
const { Parser: DriverParser } = ofDriver('pg-protocol/dist/parser.js') as {
  Parser: { prototype: Parser; new (): Parser }
}
export const driverParser = (): Parser => new DriverParser()
const { DataRowMessage } = ofDriver('pg-protocol/dist/messages.js') as {
  DataRowMessage: new (length: number, texts: readonly (string | null)[]) => object
}

/** `D`: one row. */
const dataRow = 68
/** Of the packet's length, its own four bytes are no part of the row. */
const lengthBytes = 4
/** 255 is in no text: it is part of the length of null. */
const notAscii = /[\u0080-\u00fe]/

/** The columns of a row as PostgreSQL sends it: their number, and for each its length and text, or -1 for null. */
const textsOf = (bytes: Buffer, start: number, end: number): (string | null)[] => {
  const whole = bytes.toString('latin1', start, end)
  const isPlain = !notAscii.test(whole)
  const count = bytes.readInt16BE(start)
  const texts: (string | null)[] = []
  let at = 2
  for (let n = 0; n < count; n++) {
    const length = bytes.readInt32BE(start + at)
    at += 4
    if (length === -1) {
      texts.push(null)
      continue
    }
    texts.push(
      isPlain ? whole.substring(at, at + length) : bytes.toString('utf8', start + at, start + at + length),
    )
    at += length
  }
  return texts
}

/** How the driver itself reads a packet. */
export const packetByDriver: ReadPacket = DriverParser.prototype.handlePacket

/** The same, for rows by `textsOf`. */
export const packet: ReadPacket = function (offset, code, length, bytes) {
  if (code !== dataRow) return packetByDriver.call(this, offset, code, length, bytes)
  return new DataRowMessage(length, textsOf(bytes, offset, offset + length - lengthBytes))
}

/** Has the driver read rows so, on every connection. */
export const readRowsAtOnce = (): void => {
  DriverParser.prototype.handlePacket = packet
}
