import { crc32, deflateSync } from 'node:zlib'

/* Pictures for tests, made here byte by byte. */

/** A piece of a PNG. */
export const pngChunk = (type: string, data: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([head, body, sum])
}

/** A gray PNG of a size, with pieces of one's own before its end. */
export const pngOf = (width: number, height: number, more: readonly Buffer[] = []): Buffer => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const points = deflateSync(Buffer.alloc((width + 1) * Math.min(height, 200), 0x80))
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([start, pngChunk('IHDR', head), ...more, pngChunk('IDAT', points), pngChunk('IEND')])
}

/** A segment of a JPEG. */
export const jpegSegment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A JPEG as far as its parts go; its points are noise. */
export const jpegOf = (width: number, height: number, more: readonly Buffer[] = []): Buffer => {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const points = Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56])
  return Buffer.concat([
    ...[Buffer.from([0xff, 0xd8]), jpegSegment(0xe0, Buffer.from('JFIF\0'))],
    ...[...more, jpegSegment(0xc0, frame), jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), points],
    Buffer.from([0xff, 0xd9]),
  ])
}

/** An SVG around what it draws. */
export const svgOf = (inside: string, attributes = 'viewBox="0 0 40 20"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`
