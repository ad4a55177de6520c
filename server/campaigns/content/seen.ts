import { type Said, type Sheet, type Watched, saidOf } from './style-rules.ts'
import type { OpenTag } from './tokens.ts'

/*
 * Whether words can be seen, by the usual ways of hiding them: display, visibility, opacity, a box without height or
 * width that hides what flows over, letters of a pixel, letters in the colour of what is behind them. Not seen are:
 * words moved away (position, margin, text-indent, transform, clip), covered by others, of nearly the same colour, on a
 * picture, light on no background at all, hidden by a selector or a media query that `style-rules.ts` does not read.
 */

/** What an element hands on to what is inside of it. */
export type Sight = {
  /** Nothing inside can be shown again. */
  readonly isGone: boolean
  readonly isInvisible: boolean
  readonly isTiny: boolean
  /** As `#rrggbb`, or null where it is not known. */
  readonly color: string | null
  readonly background: string | null
}

export const plainSight: Sight = {
  isGone: false,
  isInvisible: false,
  isTiny: false,
  color: null,
  background: null,
}

export const areWordsSeen = (sight: Sight): boolean =>
  isPictureSeen(sight) && !sight.isTiny && sight.color !== 'none' && !isInItsBackground(sight)

export const isPictureSeen = ({ isGone, isInvisible }: Sight): boolean => !isGone && !isInvisible

export const sightIn = (around: Sight, sheet: Sheet, tag: OpenTag): Sight => {
  const said = saidOf(sheet, tag)
  const visibility = said.get('visibility')
  const isNamed = tag.attributes.some(({ name }) => name === 'class' || name === 'id')
  const background = said.get('background-color')
  const color = said.get('color')
  return {
    isGone: around.isGone || tag.name === 'title' || tag.name === 'style' || isBoxGone(tag.name, said),
    isInvisible: visibility === undefined ? around.isInvisible : /^(?:hidden|collapse)$/.test(visibility),
    isTiny: isTiny(said.get('font-size'), around.isTiny),
    // A link has a colour of its own.
    color: color !== undefined ? colorOf(color, around.color) : tag.name === 'a' ? null : around.color,
    background:
      background !== undefined
        ? backgroundOf(background, around.background)
        : isNamed && sheet.isUnsure
          ? null
          : around.background,
  }
}

const isInItsBackground = ({ color, background }: Sight): boolean => color !== null && color === background

/** A cell grows with what is in it, whatever its height. */
const growing = new Set(['table', 'tbody', 'thead', 'tfoot', 'tr', 'td', 'th'])

const isBoxGone = (name: string, said: Said): boolean => {
  const isFlat = (side: Watched): boolean => {
    const value = said.get(side)
    return value !== undefined && (value.endsWith('%') ? value === '0%' : lengthOf(value) <= 1)
  }
  return (
    said.get('display') === 'none' ||
    isZero(said.get('opacity')) ||
    (!growing.has(name) &&
      /\b(?:hidden|clip)\b/.test(said.get('overflow') ?? '') &&
      (isFlat('height') || isFlat('max-height') || isFlat('width') || isFlat('max-width')))
  )
}

const isZero = (opacity: string | undefined): boolean =>
  opacity !== undefined && /^[\d.]+%?$/.test(opacity) && Number.parseFloat(opacity) === 0

/** Pixels, roughly: as if the text around had 16. */
const lengthOf = (value: string): number => {
  const [, number, unit] = /^(\d*\.?\d+)(px|pt|em|rem|%)?$/.exec(value) ?? []
  if (number === undefined) return Number.POSITIVE_INFINITY
  return unit === '%'
    ? Number(number) * 0.16
    : unit === 'em' || unit === 'rem'
      ? Number(number) * 16
      : Number(number)
}

const isTiny = (size: string | undefined, aroundIs: boolean): boolean => {
  if (size === undefined || size === 'inherit') return aroundIs
  return lengthOf(size) <= 1 || (aroundIs && /\d(?:em|%)$/.test(size))
}

const transparent = /^(?:rgb|hsl)a?\([^,/]+(?:,[^,/]+,[^,/]+,|\/)\s*(?:0?\.0+|0+\.?)%?\s*\)$/

const colorOf = (value: string, around: string | null): string | null => {
  if (value === 'inherit' || value === 'currentcolor') return around
  if (value === 'transparent' || transparent.test(value)) return 'none'
  return plainColor(value)
}

const backgroundOf = (value: string, around: string | null): string | null => {
  if (/^(?:transparent|none|inherit|initial|0|0 0)$/.test(value)) return around
  return plainColor(value)
}

const plainColor = (value: string): string | null => {
  if (value === 'white') return '#ffffff'
  if (value === 'black') return '#000000'
  if (/^#[0-9a-f]{6}$/.test(value)) return value
  if (/^#[0-9a-f]{3}$/.test(value)) return value.replaceAll(/[0-9a-f]/g, '$&$&')
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:\s*[,/]\s*1(?:\.0)?)?\s*\)$/.exec(value)
  return parts === null
    ? null
    : `#${parts
        .slice(1, 4)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')}`
}
