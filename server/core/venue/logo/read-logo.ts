import { badRequest } from '../../../platform/kernel/refusal.ts'
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

/** What is asked for: a logo, or a picture that programs show which show no SVG. */
export type Asked = { readonly name: 'The logo' | 'The picture'; readonly withSvg: boolean }

export const logoAsked: Asked = { name: 'The logo', withSvg: true }

export const readLogo = (file: Buffer): Picture => readPicture(file, logoAsked)

/** Reads an uploaded file by its contents, not by its name. Refuses, in a sentence, what is not such a picture. */
export const readPicture = (file: Buffer, asked: Asked): Picture => {
  if (file.length === 0) throw badRequest('This file is empty.')
  if (file.length > logoLimits.bytes) throw tooLarge(asked)
  if (isPng(file)) return { type: 'png', ...inBounds(readPng(file), asked) }
  if (isJpeg(file)) return { type: 'jpg', ...inBounds(readJpeg(file), asked) }
  const text = asked.withSvg ? textOf(file) : undefined
  if (text === undefined || !isSvg(text))
    throw badRequest(`${asked.name} must be a ${asked.withSvg ? 'PNG, JPEG or SVG' : 'PNG or JPEG'} file.`)
  const cleaned = cleanSvg(text)
  if (cleaned.kind === 'refused') throw badRequest(cleaned.sentence)
  const bytes = Buffer.from(cleaned.text)
  if (bytes.length > logoLimits.bytes) throw tooLarge(asked)
  // Its units may be fractions; how the sides compare is all that counts.
  const { width, height } = cleaned
  const share = (side: number): number => Math.max(1, Math.round((1_000 * side) / Math.max(width, height)))
  return { type: 'svg', bytes, width: share(width), height: share(height) }
}

export const tooLarge = ({ name }: Asked) =>
  badRequest(`${name} must have at most ${logoLimits.bytes / 1024} KB.`)

const inBounds = (picture: Raster | undefined, { name }: Asked): Raster => {
  const { leastPoints: least, mostPoints: most } = logoLimits
  if (!picture) throw badRequest('This picture is damaged. Save it again and upload that.')
  if ([picture.width, picture.height].some((side) => side < least || side > most))
    throw badRequest(
      `Each side of ${name.toLowerCase()} must have ${least} to ${most} pixels; this one has ${picture.width} × ${picture.height}.`,
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

/**
 * The first element decides; only comments and what XML says about itself may come before it. Read piece by piece, so
 * that each character is looked at once, however many pieces a file made to be slow has.
 */
const isSvg = (text: string): boolean => {
  let at = 0
  for (;;) {
    at = afterBlanks(text, at)
    const next = endOfPiece(text, at)
    if (next === undefined) return /^<svg[\s>]/i.test(text.slice(at, at + 5))
    if (next === 0) return false
    at = next
  }
}

const afterBlanks = (text: string, from: number): number => {
  const blanks = /\s*/y
  blanks.lastIndex = from
  blanks.test(text)
  return blanks.lastIndex
}

/** Where a comment, an instruction or a doctype that begins there ends; 0 where it never does, undefined where none begins. */
const endOfPiece = (text: string, at: number): number | undefined => {
  if (text.startsWith('<!--', at)) return endAfter(text, '-->', at + 4)
  if (text.startsWith('<?', at)) return endAfter(text, '?>', at + 2)
  if (!/^<!doctype$/i.test(text.slice(at, at + 9))) return undefined
  const end = endAfter(text, '>', at)
  const inner = text.slice(at, end).indexOf('[')
  return inner === -1 ? end : endAfter(text, '>', text.indexOf(']', at + inner))
}

const endAfter = (text: string, end: string, from: number): number => {
  const at = from === -1 ? -1 : text.indexOf(end, from)
  return at === -1 ? 0 : at + end.length
}
