import { type OpenTag, attributeOf } from './tokens.ts'

/*
 * What style sheets and `style` attributes say of one element, as far as it decides whether its words can be seen. Read
 * are rules for an element, a class, an id, or an element with one of these, outside of media queries other than plain
 * `all` and `screen`. Every other selector is not read; `isUnsure` says that one of them paints a background.
 */

const watched = [
  ...['display', 'visibility', 'opacity', 'font-size', 'color', 'background-color', 'overflow'],
  ...['height', 'max-height', 'width', 'max-width'],
] as const
export type Watched = (typeof watched)[number]
const isWatched = (name: string): name is Watched => (watched as readonly string[]).includes(name)

/** Of two values the one with the higher rank holds: `!important`, then the kind of selector, then the later one. */
type Value = { readonly value: string; readonly rank: number }
type Values = Map<Watched, Value>
export type Sheet = { readonly rules: ReadonlyMap<string, Values>; readonly isUnsure: boolean }
export type Said = ReadonlyMap<Watched, string>

const kinds = { tag: 0, class: 1, id: 2, inline: 3, important: 4 } as const
const step = 10_000_000

export const sheetOf = (sheets: readonly string[]): Sheet => {
  const rules = new Map<string, Values>()
  let isUnsure = false
  let order = 0
  for (const { selectors, block } of sheets.flatMap((css) => rulesIn(css, true))) {
    for (const typed of selectors.split(',')) {
      order++
      const found = /^(\*|[a-z][a-z0-9]*)?(?:([.#])([\w-]+))?$/i.exec(typed.trim())
      if (found === null || found[0] === '') {
        isUnsure ||= /background/i.test(block)
        continue
      }
      const [, tag = '', sign = '', name = ''] = found
      const key = `${tag === '*' && name !== '' ? '' : tag.toLowerCase()}${sign}${name}`
      const values = rules.get(key) ?? new Map<Watched, Value>()
      rules.set(key, values)
      const kind = sign === '#' ? 'id' : sign === '.' ? 'class' : 'tag'
      readDeclarations(values, block, kinds[kind] * step + order)
    }
  }
  return { rules, isUnsure }
}

/** What holds for the element by itself; what it has from others is not in it. */
export const saidOf = ({ rules }: Sheet, tag: OpenTag): Said => {
  const values: Values = new Map()
  const put = (name: Watched, one: Value): void => {
    if (one.rank >= (values.get(name)?.rank ?? Number.NEGATIVE_INFINITY)) values.set(name, one)
  }
  if (rules.size > 0) {
    const classes = (attributeOf(tag, 'class') ?? '').split(/\s+/, classesMost).filter((one) => one !== '')
    const id = attributeOf(tag, 'id') ?? ''
    const keys = ['*', tag.name, ...classes.flatMap((one) => [`.${one}`, `${tag.name}.${one}`])]
    for (const key of id === '' ? keys : [...keys, `#${id}`, `${tag.name}#${id}`])
      for (const [name, one] of rules.get(key) ?? []) put(name, one)
  }
  const attribute = (name: Watched, from: string): void => {
    const value = attributeOf(tag, from)
    if (value !== undefined) put(name, { value: value.toLowerCase(), rank: -1 })
  }
  attribute('background-color', 'bgcolor')
  if (attributeOf(tag, 'background') !== undefined) put('background-color', { value: 'picture', rank: -1 })
  if (tag.name === 'font') attribute('color', 'color')
  const own: Values = new Map()
  readDeclarations(own, attributeOf(tag, 'style') ?? '', kinds.inline * step)
  for (const [name, one] of own) put(name, one)
  return new Map([...values].map(([name, { value }]) => [name, value]))
}

const classesMost = 50

const readDeclarations = (values: Values, block: string, rank: number): void => {
  for (const declaration of block.split(';')) {
    const colon = declaration.indexOf(':')
    if (colon === -1) continue
    const typed = declaration.slice(0, colon).trim().toLowerCase()
    const name = shorthands[typed] ?? typed
    if (!isWatched(name)) continue
    const said = declaration
      .slice(colon + 1, colon + 1 + valueMost)
      .trim()
      .toLowerCase()
    const value = said.replace(/\s*!\s*important$/, '')
    const ranked = value === said ? rank : rank + kinds.important * step
    if (ranked >= (values.get(name)?.rank ?? Number.NEGATIVE_INFINITY))
      values.set(name, { value: typed === 'font' ? sizeIn(value) : value, rank: ranked })
  }
}

const valueMost = 200
const shorthands: Readonly<Record<string, Watched>> = {
  background: 'background-color',
  font: 'font-size',
  'overflow-x': 'overflow',
  'overflow-y': 'overflow',
}
const sizeIn = (font: string): string =>
  /(?:^|\s)(\d*\.?\d+(?:px|pt|em|rem|%)?)(?=[\s/])/.exec(font)?.[1] ?? 'medium'

type Rule = { readonly selectors: string; readonly block: string }

const rulesIn = (css: string, isTop: boolean): Rule[] => {
  const rules: Rule[] = []
  for (let from = 0; ;) {
    const open = css.indexOf('{', from)
    if (open === -1) return rules
    const ahead = css.slice(from, open)
    const selectors = ahead.slice(ahead.lastIndexOf(';') + 1).trim()
    const isAt = selectors.startsWith('@')
    const end = isAt ? endOfBlock(css, open) : css.indexOf('}', open)
    const until = end === -1 ? css.length : end
    const block = css.slice(open + 1, until)
    if (!isAt) rules.push({ selectors, block })
    else if (isTop && /^@media\s+(?:only\s+)?(?:all|screen)$/i.test(selectors))
      rules.push(...rulesIn(block, false))
    from = until + 1
  }
}

const endOfBlock = (css: string, open: number): number => {
  let depth = 0
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++
    else if (css[at] === '}' && --depth === 0) return at
  }
  return -1
}
