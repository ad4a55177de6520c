/** What pages know of a venue's logo: where it is and how it fits. */
export type Logo = {
  /** Names its content. */
  readonly tag: string
  readonly type: string
  /** How its sides compare. */
  readonly width: number
  readonly height: number
}

/** Its address is another one whenever it changes, so it is cached for good. */
export const logoPath = (slug: string, { tag, type }: Logo): string => `/v/${slug}/logo/${tag}.${type}`

/** The size it is shown at, in pixels: as high as given, and at most three times as wide. */
export const logoSize = (
  { width, height }: Logo,
  high: number,
): { readonly width: number; readonly height: number } => {
  const scale = Math.min(high / height, (3 * high) / width)
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
