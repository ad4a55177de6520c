import { Parser } from 'htmlparser2'

/*
 * An SVG file as a picture and nothing more. It is not repaired but rewritten: what is on the lists below goes into the
 * new file, quoted by us, and everything else stays behind, so that a trick nobody here thought of is left out as well.
 * The browser shows it as an image, in which nothing runs and nothing is loaded; its address alone comes with a policy
 * that allows no more. This is the third wall.
 */

export type CleanedSvg =
  | { readonly kind: 'clean'; readonly text: string; readonly width: number; readonly height: number }
  | { readonly kind: 'refused'; readonly sentence: string }

/** More than any logo has, and drawn in no time. */
const mostElements = 5_000
const mostUses = 100
const mostDepth = 60

/** Elements that draw, or say how. */
const drawing: ReadonlySet<string> = new Set([
  ...['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'use'],
])
const elements: ReadonlySet<string> = new Set([
  ...['svg', 'g', 'defs', 'symbol', 'tspan', 'title', 'desc', 'style'],
  ...['linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask'],
  ...drawing,
])
/** Elements with words in them. */
const saying: ReadonlySet<string> = new Set(['text', 'tspan', 'title', 'desc'])
/** Elements with nothing but words in them. */
const wordsOnly: ReadonlySet<string> = new Set(['style', 'title', 'desc'])
/** Of these the content stays, and they themselves do not: a link around the picture. */
const unwrapped: ReadonlySet<string> = new Set(['a', 'switch'])

const attributes: ReadonlySet<string> = new Set([
  ...['id', 'class', 'style', 'transform', 'viewBox', 'preserveAspectRatio', 'width', 'height', 'x', 'y'],
  ...['d', 'points', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'fr', 'pathLength'],
  ...['fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'color', 'opacity', 'display', 'visibility'],
  ...['stroke', 'stroke-width', 'stroke-opacity', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit'],
  ...['stroke-dasharray', 'stroke-dashoffset', 'paint-order', 'vector-effect', 'shape-rendering'],
  ...['offset', 'stop-color', 'stop-opacity', 'gradientUnits', 'gradientTransform', 'spreadMethod'],
  ...['clip-path', 'clipPathUnits', 'mask', 'mask-type', 'maskUnits', 'maskContentUnits'],
  ...['font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor', 'letter-spacing'],
  ...['word-spacing', 'dominant-baseline', 'dx', 'dy', 'rotate', 'textLength', 'lengthAdjust'],
])
/** Elements that may point at another one of the same file. */
const pointing: ReadonlySet<string> = new Set(['use', 'linearGradient', 'radialGradient'])

/** Cleans an SVG file, as text. */
export const cleanSvg = (text: string): CleanedSvg => {
  try {
    return rewritten(text)
  } catch (error) {
    if (error instanceof CannotClean) return { kind: 'refused', sentence: error.message }
    throw error
  }
}

/** Ends the reading at once: a file made to be slow must not be read on. */
class CannotClean extends Error {}

const rewritten = (text: string): CleanedSvg => {
  const written: string[] = []
  /** What is open: written, or only its content; each with its id. */
  const open: { name: string; isWritten: boolean; id: string | undefined }[] = []
  /** How deep the parser is in something left behind. */
  let behind = 0
  let styles: string[] | undefined
  let hasRoot = false
  let size: { width: number; height: number } | undefined
  let drawn = 0
  let elementsSeen = 0
  const uses: string[] = []
  /** Ids of elements in which something points at another element. */
  const usersOf = new Set<string>()

  const start = (name: string, given: Record<string, string>): void => {
    if (++elementsSeen > mostElements || open.length + behind > mostDepth) throw new CannotClean(tooMuch)
    const isLink = unwrapped.has(name)
    const isRoot = open.length === 0
    // One picture: neither one within it nor another one behind it.
    const isKept = isRoot ? name === 'svg' && !hasRoot : name !== 'svg' && (isLink || elements.has(name))
    if (behind > 0 || !isKept || wordsOnly.has(open.at(-1)?.name ?? '')) {
      behind++
      return
    }
    if (isRoot) {
      hasRoot = true
      size = sizeOf(given)
    }
    open.push({ name, isWritten: !isLink, id: given['id'] })
    if (isLink) return
    if (drawing.has(name)) drawn++
    if (name === 'style') styles = []
    const inStencil = open.slice(0, -1).some((one) => one.name === 'mask' || one.name === 'clipPath')
    written.push(`<${name}`)
    for (const [key, value] of Object.entries(isRoot ? rootAttributes(given, size) : given)) {
      const isPointer = key === 'href' || (key === 'xlink:href' && given['href'] === undefined)
      if (isPointer && pointing.has(name) && isOwnPart(value)) {
        if (name === 'use') {
          uses.push(value.slice(1))
          for (const { id } of open) if (id !== undefined) usersOf.add(id)
        }
        written.push(` href="${quoted(value)}"`)
      } else if (
        (attributes.has(key) || (isRoot && key === 'xmlns')) &&
        isHarmless(value) &&
        !(inStencil && isStencil(key, value))
      )
        written.push(` ${key}="${quoted(value)}"`)
    }
    written.push('>')
  }

  const end = (): void => {
    if (behind > 0) {
      behind--
      return
    }
    const one = open.pop()
    if (!one?.isWritten) return
    if (one.name === 'style' && styles) {
      const rules = withoutComments(styles.join(''))
      styles = undefined
      if (!isHarmless(rules) || /[@<]|mask|clip-path/i.test(rules)) throw new CannotClean(styled)
      written.push(quoted(rules))
    }
    written.push(`</${one.name}>`)
  }

  const parser = new Parser(
    {
      onopentag: start,
      onclosetag: end,
      ontext: (piece) => {
        if (behind > 0 || open.length === 0) return
        if (styles) styles.push(piece)
        else if (saying.has(open.findLast(({ isWritten }) => isWritten)?.name ?? ''))
          written.push(quoted(piece))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(text)
  parser.end()

  // What points at something that points at something else multiplies what is drawn.
  if (uses.length > mostUses || uses.some((id) => usersOf.has(id))) throw new CannotClean(tooMuch)
  if (size === undefined || drawn === 0) throw new CannotClean(nothingDrawn)
  return { kind: 'clean', text: written.join(''), ...size }
}

const tooMuch = 'This SVG is too complicated for a logo. Save it as PNG and upload that.'
const styled = 'The style sheet in this SVG does more than color its shapes. Save it as PNG and upload that.'
const nothingDrawn = 'There is no picture of shapes or words in this SVG. Save it as PNG and upload that.'

/** Masks in masks multiply what is drawn, too. */
const isStencil = (key: string, value: string): boolean =>
  key === 'mask' || key === 'clip-path' || (key === 'style' && /mask|clip-path/i.test(value))

/** Each comment is looked for once: a pattern would look from every opening of one that never ends. */
const withoutComments = (css: string): string => {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const begin = css.indexOf('/*', at)
    const end = begin === -1 ? -1 : css.indexOf('*/', begin + 2)
    if (end === -1) return kept.join('') + css.slice(at)
    kept.push(css.slice(at, begin))
    at = end + 2
  }
}

const isOwnPart = (value: string): boolean => /^#[\w.:-]{1,200}$/.test(value)

/** A value that loads nothing: what it points at is in the same file, and nothing is hidden behind a backslash. */
const isHarmless = (value: string): boolean => {
  if (value.includes('\\') || /javascript:|expression\s*\(|image-set|import|behavior|src\s*\(/i.test(value))
    return false
  const pointers = value.match(/url\s*\(/gi)?.length ?? 0
  const own = value.match(/url\(\s*(["']?)#[\w.:-]{1,200}\1\s*\)/gi)?.length ?? 0
  return pointers === own
}

const quoted = (text: string): string =>
  text
    // What XML does not allow.
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const mostUnits = 100_000

const boxOf = ({ viewBox = '' }: Record<string, string>): readonly number[] | undefined => {
  const box = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  return box.length === 4 && box.every(Number.isFinite) ? box : undefined
}

/** The picture's width and height in its own units. */
const sizeOf = (given: Record<string, string>): { width: number; height: number } | undefined => {
  const box = boxOf(given)
  const [width, height] = box ? [box[2], box[3]] : [lengthOf(given['width']), lengthOf(given['height'])]
  const fits = (one: number | undefined): one is number => one !== undefined && one > 0 && one <= mostUnits
  return fits(width) && fits(height) ? { width, height } : undefined
}

const lengthOf = (text = ''): number | undefined => {
  const [, number] = /^\s*(\d+(?:\.\d+)?)(?:px|pt|mm|cm|in)?\s*$/.exec(text) ?? []
  return number === undefined ? undefined : Number(number)
}

/** Fits the place it is shown in, regardless of the size the file asks for. */
const rootAttributes = (
  given: Record<string, string>,
  size: { width: number; height: number } | undefined,
): Record<string, string> => {
  const { width = 0, height = 0 } = size ?? {}
  const rest = Object.entries(given).filter(
    ([key]) => !['viewBox', 'width', 'height', 'x', 'y', 'id'].includes(key),
  )
  return {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: (boxOf(given) ?? [0, 0, width, height]).join(' '),
    width: String(width),
    height: String(height),
    ...Object.fromEntries(rest.filter(([key]) => key !== 'xmlns')),
  }
}
