import { innerWidth, light, sans, serif } from './palette.ts'
import { type OpenTag, attributeOf, escapeHtml, tokensOf } from './tokens.ts'

/*
 * Gives each element of a guided body its style, written into the element, because many mail programs read no style
 * sheet. The writer's own style comes after ours and wins. Classes are for the dark only: a colour of the writer's
 * own gives way there, unless it has a background of the writer's own, as on a button.
 */
export const dressBody = (cleaned: string, dir: 'ltr' | 'rtl'): string => {
  const body: Body = { dir, hasDataTable: cleaned.includes('<th') }
  /** For each open element: whether the writer gave it, or something around it, a ground. */
  const grounds: boolean[] = []
  let isFirst = true
  return tokensOf(cleaned)
    .map((token) => {
      if (token.kind === 'close') {
        grounds.pop()
        return token.text
      }
      if (token.kind === 'text' && token.text.trim() !== '') isFirst = false
      if (token.kind !== 'open') return token.text
      const onGround = grounds.at(-1) === true
      const style = attributeOf(token, 'style') ?? ''
      const hasGround = groundOf(style) !== undefined
      if (!token.isEmpty) grounds.push(onGround || hasGround)
      const dressed = dressedTag(body, token, style, {
        onGround,
        isFirst,
        isTop: grounds.length === (token.isEmpty ? 0 : 1),
      })
      if (token.name === 'img' || token.name === 'hr') isFirst = false
      return dressed
    })
    .join('')
}

const heading = (size: number, line: number, above: number, below: number): string =>
  `margin:${above}px 0 ${below}px;font-family:${serif};font-size:${size}px;line-height:${line}px;font-weight:normal`

const styles: Readonly<Record<string, string>> = {
  p: 'margin:0 0 16px',
  h1: heading(32, 38, 32, 16),
  h2: heading(24, 30, 32, 12),
  h3: `margin:24px 0 8px;font-size:17px;line-height:24px;font-weight:bold`,
  h4: `margin:24px 0 8px;font-size:13px;line-height:20px;font-weight:bold;letter-spacing:1px;text-transform:uppercase`,
  ul: 'margin:0 0 16px;padding:0 0 0 24px',
  ol: 'margin:0 0 16px;padding:0 0 0 24px',
  li: 'margin:0 0 6px',
  blockquote: `margin:24px 0;padding:2px 0 2px 20px;border-left:3px solid ${light.accent};font-family:${serif};font-size:19px;line-height:29px;font-style:italic`,
  hr: `margin:32px 0;border:0;border-top:1px solid ${light.rule};height:0`,
  img: 'display:block;max-width:100%;height:auto;border:0;border-radius:3px',
  table: `border-collapse:collapse;width:100%;margin:0 0 16px;font-family:${sans};font-size:15px;line-height:22px`,
  th: `padding:8px 12px 8px 0;border-bottom:1px solid ${light.rule};text-align:left;vertical-align:top;font-weight:bold`,
  td: `padding:8px 12px 8px 0;border-bottom:1px solid ${light.rule};text-align:left;vertical-align:top`,
  caption: 'padding:0 0 8px;text-align:left;font-weight:bold',
}

/** Elements whose own colour changes in the dark, and the class by which it does. */
const darkClasses: Readonly<Record<string, string>> = {
  a: 'm-link',
  hr: 'm-rule',
  th: 'm-rule',
  td: 'm-rule',
  blockquote: 'm-mark',
}

type Body = { readonly dir: 'ltr' | 'rtl'; readonly hasDataTable: boolean }
type Where = { readonly onGround: boolean; readonly isFirst: boolean; readonly isTop: boolean }

const dressedTag = (body: Body, tag: OpenTag, own: string, where: Where): string => {
  const classes: string[] = []
  const given = [tag.name === 'a' ? linkStyle(own, where.onGround) : mirrored(body, styles[tag.name] ?? '')]
  const darkClass = darkClasses[tag.name]
  const ground = groundOf(own)
  const hasInk = /(?:^|;)color:/.test(own)
  if (darkClass !== undefined && !where.onGround && ground === undefined) classes.push(darkClass)
  if (ground === undefined && !where.onGround && hasInk) classes.push('m-ink')
  if (ground !== undefined && !hasInk) given.push(`color:${inkOn(ground)}`)
  if (where.isFirst && /^(?:h[1-4]|p)$/.test(tag.name)) given.push('margin-top:0')
  const align = attributeOf(tag, 'align')?.toLowerCase()
  if (align !== undefined && tag.name !== 'img' && tag.name !== 'table') given.push(`text-align:${align}`)
  if (align === 'right' && /^t[dh]$/.test(tag.name)) given.push('padding:8px 0 8px 12px')
  const attributes = tag.attributes
    .filter(({ name }) => name !== 'style' && name !== 'class' && !isTooWide(tag, name))
    .map(({ name, value }) => ` ${name}="${value}"`)
  if (tag.name === 'img') attributes.push(...imageAttributes(tag, given, where.isTop))
  if (tag.name === 'table')
    attributes.push(`${body.hasDataTable ? '' : ' role="presentation"'} cellpadding="0" cellspacing="0"`)
  if (classes.length > 0) attributes.push(` class="${[...new Set(classes)].join(' ')}"`)
  const style = [...given, own].filter((one) => one !== '').join(';')
  if (style !== '') attributes.push(` style="${escapeHtml(style)}"`)
  return `<${tag.name}${attributes.join('')}${tag.isEmpty ? ' /' : ''}>`
}

/** In right-to-left text, left and right trade places. */
const mirrored = ({ dir }: Body, style: string): string =>
  dir === 'ltr'
    ? style
    : style
        .replaceAll(/(padding:\w+) (\w+) (\w+) (\w+)/g, '$1 $4 $3 $2')
        .replaceAll('border-left', 'border-right')
        .replaceAll('text-align:left', 'text-align:right')

/** A link with a ground is a button: words without a line under them, and room that can be pressed. */
const linkStyle = (own: string, onGround: boolean): string => {
  if (groundOf(own) !== undefined)
    return `display:inline-block;margin:8px 0;padding:13px 26px;border-radius:4px;font-family:${sans};font-size:16px;line-height:22px;font-weight:bold;text-align:center;text-decoration:none`
  return onGround
    ? 'color:inherit;text-decoration:underline'
    : `color:${light.accent};text-decoration:underline`
}

/** Outlook reads the attribute and not `max-width`. */
const isTooWide = (tag: OpenTag, name: string): boolean => {
  const width = Number(attributeOf(tag, 'width') ?? 0)
  return tag.name === 'img' && width > innerWidth && (name === 'width' || name === 'height')
}

const imageAttributes = (tag: OpenTag, given: string[], isTop: boolean): string[] => {
  if (isTop) given.push('margin:0 0 16px')
  const align = attributeOf(tag, 'align')?.toLowerCase()
  if (align === 'center') given.push('margin-left:auto;margin-right:auto')
  const added: string[] = []
  if (isTooWide(tag, 'width')) {
    added.push(` width="${innerWidth}"`)
    given.push('width:100%')
  }
  if (attributeOf(tag, 'alt') === undefined) added.push(' alt=""')
  return added
}

/** The colour of the ground a style gives, if it gives one. */
const groundOf = (style: string): string | undefined =>
  /(?:^|;)background(?:-color)?:([^;]+)/.exec(style)?.[1]?.split('!', 1)[0]?.trim()

/** Black or white, whichever can be read on it; names of colours are taken for light. */
const inkOn = (ground: string): string => {
  const parts = channels(ground)
  if (parts === undefined) return light.ink
  const [red = 0, green = 0, blue = 0] = parts
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? light.ink : '#ffffff'
}

const channels = (colour: string): number[] | undefined => {
  const hex = /^#([\da-f]{3}|[\da-f]{6})\b/i.exec(colour)?.[1]
  if (hex !== undefined) {
    const wide = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex
    return [0, 2, 4].map((at) => Number.parseInt(wide.slice(at, at + 2), 16))
  }
  const rgb = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})/i.exec(colour)
  return rgb === null ? undefined : rgb.slice(1, 4).map(Number)
}
