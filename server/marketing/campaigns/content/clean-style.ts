/*
 * Styles, made harmless. In the guided format only what a writer needs is kept, property by property. A document of
 * the caller's own keeps its styles; taken out is what runs, loads sheets, or embeds data.
 */

const edges = ['', '-top', '-right', '-bottom', '-left']
const guidedProperties = new Set([
  'color',
  'background-color',
  'background',
  'direction',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'height',
  'letter-spacing',
  'line-height',
  'max-width',
  'text-align',
  'text-decoration',
  'text-transform',
  'vertical-align',
  'width',
  'border-collapse',
  'border-radius',
  'border-spacing',
  ...edges.flatMap((edge) => [`margin${edge}`, `padding${edge}`, `border${edge}`]),
  'border-color',
  'border-style',
  'border-width',
])
const guidedValue = /^(?:[\w\s#%.,()+!-]|'[\w\s-]*'|"[\w\s-]*")+$/
const harmlessFunctions = new Set(['rgb', 'rgba', 'hsl', 'hsla'])
const valueCharacters = 200

/** The allowed declarations of a `style` attribute in the guided format; empty when none is left. */
export const guidedStyle = (style: string): string =>
  style
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':')
      const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase()
      const value = declaration
        .slice(colon + 1)
        .replaceAll(/\s+/g, ' ')
        .trim()
      return guidedProperties.has(property) && isGuidedValue(value) ? [`${property}:${value}`] : []
    })
    .join(';')

const isGuidedValue = (value: string): boolean =>
  value.length <= valueCharacters &&
  guidedValue.test(value) &&
  Array.from(value.matchAll(/([\w-]*)\s*\(/g)).every(([, name = '']) =>
    harmlessFunctions.has(name.toLowerCase()),
  )

/** Only an attack needs more rounds than this; nothing of it is kept. */
const roundsMost = 10

/**
 * A style sheet, or a `style` attribute, of an `html` body: no `@import`, no expressions, behaviours or bindings,
 * no address other than http and https. Repeated until nothing changes, because removing something can join the text on either side of it.
 */
export const harmlessCss = (css: string): string => {
  let before = css
  for (let round = 0; round < roundsMost; round++) {
    const after = oneRound(before)
    if (after === before) return after
    before = after
  }
  return ''
}

const oneRound = (css: string): string =>
  css
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ')
    .replaceAll(/<!--|-->/g, ' ')
    // CSS needs no `<` but for comparisons in media queries; before a letter it could only open a tag.
    .replaceAll(/(?<!<)<+(?=[a-z!/?])/gi, '')
    // A letter in disguise is written plainly, so that the rules below read what a browser reads.
    .replaceAll(/\\0{0,4}([46][1-9a-f]|[57][0-9a])\s?/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    .replaceAll(/\\(?=[g-z])/gi, '')
    .replaceAll(/@import\b[^;{}]*;?/gi, ' ')
    .replaceAll(/@charset\b[^;{}]*;?/gi, ' ')
    .replaceAll(/expression\s*\(/gi, 'none(')
    .replaceAll(/(?:java|vb|live)script\s*:/gi, 'none ')
    .replaceAll(/(^|[^\w-])behavior\s*:/gi, '$1none:')
    .replaceAll(/-moz-binding/gi, 'none')
    .replaceAll(/(?:src|url)\(([^)]*)(?:\)|$)/gi, (address, inside: string) =>
      address.endsWith(')') && webAddress.test(inside.trim()) ? address : 'none',
    )

const webAddress = /^(["']?)https?:\/\/[^"'()<>\\{}]+\1$/i
