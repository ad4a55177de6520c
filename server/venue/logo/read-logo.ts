import { badRequest } from '../../kernel/refusal.ts'
import { cleanSvg } from './clean-svg.ts'
import { type Raster, isJpeg, isPng, readJpeg, readPng } from './read-raster.ts'

export type LogoType = 'png' | 'jpg' | 'svg'

/** A logo as it is kept: only its picture. */
export type Picture = {
  readonly type: LogoType
  readonly bytes: Buffer
  /** In its own units; what counts is how they compare. */
  readonly width: number
  readonly height: number
}

export const logoLimits = {
  bytes: 512 * 1024,
  /** Of a PNG or JPEG, each side. */
  leastPoints: 16,
  mostPoints: 4_096,
} as const

/** Reads an uploaded file by what it holds, whatever it is called. Refuses, in a sentence, what is no logo. */
export const readLogo = (file: Buffer): Picture => {
  if (file.length === 0) throw badRequest('This file is empty.')
  if (file.length > logoLimits.bytes) throw tooLarge()
  if (isPng(file)) return { type: 'png', ...inBounds(readPng(file)) }
  if (isJpeg(file)) return { type: 'jpg', ...inBounds(readJpeg(file)) }
  const text = textOf(file)
  if (text === undefined || !isSvg(text)) throw badRequest('The logo must be a PNG, JPEG or SVG file.')
  const cleaned = cleanSvg(text)
  if (cleaned.kind === 'refused') throw badRequest(cleaned.sentence)
  const bytes = Buffer.from(cleaned.text)
  if (bytes.length > logoLimits.bytes) throw tooLarge()
  // Its units may be fractions; how the sides compare is all that counts.
  const { width, height } = cleaned
  const share = (side: number): number => Math.max(1, Math.round((1_000 * side) / Math.max(width, height)))
  return { type: 'svg', bytes, width: share(width), height: share(height) }
}

export const tooLarge = () => badRequest(`The logo must have at most ${logoLimits.bytes / 1024} KB.`)

const inBounds = (picture: Raster | undefined): Raster => {
  const { leastPoints: least, mostPoints: most } = logoLimits
  if (!picture) throw badRequest('This picture is damaged. Save it again and upload that.')
  if ([picture.width, picture.height].some((side) => side < least || side > most))
    throw badRequest(
      `Each side of the logo must have ${least} to ${most} pixels; this one has ${picture.width} × ${picture.height}.`,
    )
  return picture
}

const textOf = (file: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return undefined
  }
}

/** The first element decides; only comments and what XML says about itself may stand before it. */
const isSvg = (text: string): boolean =>
  /^(?:\s|<\?[^>]*\?>|<!--[^]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\])?\s*>)*<svg[\s>]/i.test(text)
