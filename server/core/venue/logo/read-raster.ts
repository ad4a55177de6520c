/*
 * PNG and JPEG, as far as a logo needs: read piece by piece, so that what is kept is the picture and nothing else. What
 * cameras and editors add to it (places, names, comments), a second picture, and anything after its end are left out.
 */

export type Raster = { readonly bytes: Buffer; readonly width: number; readonly height: number }

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, pngStart.length).equals(pngStart)
export const isJpeg = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff

/** What belongs to the picture itself: its size, colors and points. */
const pngChunks: ReadonlySet<string> = new Set([
  ...['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'],
  ...['gAMA', 'cHRM', 'sRGB', 'iCCP', 'sBIT'],
])

/** A PNG with only its picture; undefined for a file that is damaged or ends too early. */
export const readPng = (bytes: Buffer): Raster | undefined => {
  const kept: Buffer[] = [pngStart]
  let size: { width: number; height: number } | undefined
  let hasPoints = false
  for (let at = pngStart.length; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at)
    const end = at + 12 + length
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (size === undefined) {
      if (type !== 'IHDR' || length !== 13) return undefined
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    }
    if (type === 'IDAT') hasPoints = true
    if (pngChunks.has(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return hasPoints ? { bytes: Buffer.concat(kept), ...size } : undefined
    at = end
  }
  return undefined
}

/** Markers of JPEG that say the size: all the ways a picture may be coded. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Left out: comments, and what applications wrote but for JFIF (0xe0), colors (0xe2) and Adobe's kind of colors (0xee). */
const isBeside = (marker: number): boolean =>
  marker === 0xfe || (marker >= 0xe1 && marker <= 0xef && marker !== 0xe2 && marker !== 0xee)

/** A JPEG with only its picture; undefined for a file that is damaged or ends too early. */
export const readJpeg = (bytes: Buffer): Raster | undefined => {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  let size: { width: number; height: number } | undefined
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      // A filler.
      at++
      continue
    }
    if (marker === 0xd9) {
      kept.push(bytes.subarray(at, at + 2))
      return size && { bytes: Buffer.concat(kept), ...size }
    }
    if (at + 4 > bytes.length) return undefined
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length || end < at + 4) return undefined
    if (isFrame(marker)) {
      if (size !== undefined || end < at + 9) return undefined
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    }
    // The points follow their own head, up to the next marker.
    const next = marker === 0xda ? endOfPoints(bytes, end) : end
    if (!isBeside(marker)) kept.push(bytes.subarray(at, next))
    at = next
  }
  return undefined
}

/** Within the points, 0xff comes before 0x00 or a mark to start again (0xd0 to 0xd7). */
const endOfPoints = (bytes: Buffer, from: number): number => {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0
    if (next !== 0x00 && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}
