import { create } from 'qrcode'

/** A dark bar of a QR code: from the left, from the top, and how long, in modules. */
export type QrBar = { readonly x: number; readonly y: number; readonly length: number }
export type QrCode = { readonly size: number; readonly bars: readonly QrBar[] }

/** The light margin that a scanner needs around a code, in modules. */
export const quietZone = 4

/** A code as bars, which pages and paper draw alike. */
export const qrOf = (code: string): QrCode => {
  const { modules } = create(code, { errorCorrectionLevel: 'M' })
  const { size } = modules
  const bars: QrBar[] = []
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!modules.get(y, x)) continue
      let length = 1
      while (x + length < size && modules.get(y, x + length)) length++
      bars.push({ x, y, length })
      x += length
    }
  }
  return { size, bars }
}

/** A code in groups, to be read and typed. */
export const codeInGroups = (code: string): string => (code.match(/.{1,5}/g) ?? []).join(' ')
