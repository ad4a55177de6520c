import { type OpenTag, attributeOf } from './tokens.ts'

/*
 * Whether text is visible, as far as `display:none` and `font-size:0` in a `style` attribute decide it: what a
 * template leaves behind by mistake. A sender who wants to hide something has a hundred other ways, and it is their own
 * email.
 */

/** What an element passes on to its contents. */
export type Sight = { readonly isGone: boolean; readonly isTiny: boolean }

export const plainSight: Sight = { isGone: false, isTiny: false }

export const sightIn = (around: Sight, tag: OpenTag): Sight => {
  const style = attributeOf(tag, 'style') ?? ''
  const size = saidOf(style, 'font-size') ?? 'inherit'
  const isAsAround = size === 'inherit' || (around.isTiny && /\d(?:em|%)$/.test(size))
  return {
    isGone: around.isGone || tag.name === 'title' || saidOf(style, 'display') === 'none',
    isTiny: isAsAround ? around.isTiny : Number.parseFloat(size) === 0,
  }
}

/** The last declaration of a property wins, and an important one before others. */
const saidOf = (style: string, property: string): string | undefined => {
  const values = style.split(';').flatMap((declaration) => {
    const [name = '', value = ''] = declaration.toLowerCase().split(':')
    return name.trim() === property ? [value.trim()] : []
  })
  const held = values.findLast((value) => important.test(value)) ?? values.at(-1)
  return held?.replace(important, '').trimEnd()
}

const important = /!\s*important$/
