import { type Html, html } from '../../../../platform/html/html.ts'

/*
 * Pictures are SVG made here, in two layouts of which the style sheet shows one: a picture for a phone is laid out for it, not
 * shrunk. Colors, patterns and sizes of text are the style sheet's alone, as a page of the office allows no style in its
 * markup.
 */

export type Layout = { readonly width: number; readonly height: number; readonly isNarrow: boolean }

type Size = { readonly width: number; readonly height: number }

/** Widths of a picture over the whole page, of one half as wide, and of any on a phone. */
export const [wholeWidth, halfWidth, narrowWidth] = [960, 470, 326] as const

/** One picture in both layouts; its sentence is the name of both. */
export const drawing = (
  sentence: string,
  sizes: { readonly wide: Size; readonly narrow: Size },
  draw: (layout: Layout) => Html,
): Html => {
  const svg = ({ width, height }: Size, isNarrow: boolean): Html =>
    html`<svg class="chart report-${width} ${isNarrow ? 'on-narrow' : 'on-wide'}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${sentence}">${draw({ width, height, isNarrow })}</svg>`
  return html`${svg(sizes.wide, false)}${svg(sizes.narrow, true)}`
}

/** A tenth of a pixel is enough. */
export const round = (number: number): number => Math.round(number * 10) / 10
