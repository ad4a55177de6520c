/*
 * A venue chooses one color; the pages need six. All are worked out in OKLCH with the hue kept, so that text on them and
 * they on every ground can be read (WCAG 2.2, 1.4.3) whatever was chosen.
 */

export type AccentColors = {
  /** The color as it was chosen, deepened only where white text on it would otherwise be too faint. */
  readonly fill: string
  readonly onFill: '#ffffff' | '#000000'
  readonly light: { readonly accent: string; readonly tint: string }
  readonly dark: { readonly accent: string; readonly tint: string }
}

type Rgb = readonly [number, number, number]
type Lch = { readonly l: number; readonly c: number; readonly h: number }

const white: Rgb = [1, 1, 1]
const black: Rgb = [0, 0, 0]

/** @param color `#rrggbb` */
export const accentColors = (color: string): AccentColors => {
  const chosen = rgbOf(color)
  const onWhite = contrast(white, chosen)
  const fill =
    onWhite >= 4.5 || onWhite < 3.5 ? chosen : moved(chosen, -1, (one) => contrast(white, one) >= 4.5)
  const lightTint = rounded(over(chosen, 0.1, white))
  const darkTint = rounded(over(chosen, 0.16, rgbOf(darkGrounds[1])))
  const readable = (grounds: readonly Rgb[], least: number) => (one: Rgb) =>
    grounds.every((ground) => contrast(ground, one) >= least)
  return {
    fill: hexOf(fill),
    onFill: contrast(white, fill) >= 4.5 ? '#ffffff' : '#000000',
    light: {
      accent: hexOf(moved(chosen, -1, readable([...lightGrounds.map(rgbOf), lightTint], 4.6))),
      tint: hexOf(lightTint),
    },
    dark: {
      accent: hexOf(moved(chosen, 1, readable([...darkGrounds.map(rgbOf), darkTint], 6))),
      tint: hexOf(darkTint),
    },
  }
}

/** The same as a stylesheet, after which the pages' own stands. */
export const accentStyle = (color: string): string => {
  const { fill, onFill, light, dark } = accentColors(color)
  return (
    `:root{--fill:${fill};--on-fill:${onFill};--accent:${light.accent};--tint:${light.tint}}` +
    `@media(prefers-color-scheme:dark){:root{--accent:${dark.accent};--tint:${dark.tint}}}`
  )
}

/** Page, surface and sunk of the stylesheet. */
const lightGrounds = ['#f8f5f0', '#ffffff', '#f3efe8'] as const
const darkGrounds = ['#14171a', '#1d2125', '#262b30'] as const

/** The color with its lightness moved step by step until it is good; black or white at the latest. */
const moved = (color: Rgb, direction: 1 | -1, isGood: (color: Rgb) => boolean): Rgb => {
  if (isGood(rounded(color))) return color
  const start = lchOf(color)
  for (let step = 1; step <= 200; step++) {
    const l = start.l + (direction * step) / 200
    if (l <= 0 || l >= 1) break
    const next = rounded(inGamut({ ...start, l }))
    if (isGood(next)) return next
  }
  return direction === 1 ? white : black
}

/** Less and less colorful, until a screen can show it. */
const inGamut = (color: Lch): Rgb => {
  for (let share = 1; share > 0; share -= 0.05) {
    const rgb = rgbOfLch({ ...color, c: color.c * share })
    if (rgb.every((part) => part >= -0.0005 && part <= 1.0005)) return clamped(rgb)
  }
  return clamped(rgbOfLch({ ...color, c: 0 }))
}

const clamped = ([r, g, b]: Rgb): Rgb => [within(r), within(g), within(b)]
const within = (part: number): number => Math.min(1, Math.max(0, part))
/** As it will be written: what is judged is what is seen. */
const rounded = (color: Rgb): Rgb => rgbOf(hexOf(color))

const over = ([r, g, b]: Rgb, share: number, [r0, g0, b0]: Rgb): Rgb => [
  r * share + r0 * (1 - share),
  g * share + g0 * (1 - share),
  b * share + b0 * (1 - share),
]

/** As WCAG 2.2 defines it, 1 to 21. */
export const contrast = (one: Rgb, other: Rgb): number => {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const gamma = (part: number): number =>
  part <= 0.0031308 ? part * 12.92 : 1.055 * Math.abs(part) ** (1 / 2.4) * Math.sign(part) - 0.055

export const rgbOf = (hex: string): Rgb => [part(hex, 1), part(hex, 3), part(hex, 5)]
const part = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255
const hexOf = (color: Rgb): string =>
  `#${color
    .map((one) =>
      Math.round(within(one) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/* OKLab, as its author defines it (bottosson.github.io/posts/oklab). */

const lchOf = (color: Rgb): Lch => {
  const [r, g, b] = color.map(linear) as unknown as Rgb
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: Math.atan2(bb, a),
  }
}

const rgbOfLch = ({ l, c, h }: Lch): Rgb => {
  const a = c * Math.cos(h)
  const b = c * Math.sin(h)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    gamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    gamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    gamma(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ]
}
