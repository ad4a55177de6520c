import { assetOf } from './asset.ts'

/*
 * A door inside a frame of the venue's own site has no header, no footer and no second column. There is no cookie, so the
 * address says that it is framed (`?framed=`, with the site's color if it has one of its own), and every link of the page
 * hands it on. Private links never do: they leave the frame.
 */

/** The script that lets the site know how tall the page is. */
export const framedScript = assetOf('framed.js', 'text/javascript')

export type Framed = {
  /** The site's color, `#rrggbb`; null: the venue's. */
  readonly accent: string | null
}

/** The word in an address that keeps a page framed. */
export const framedWord = 'framed'

export const readFramed = (text: string | null): Framed | null =>
  text === null ? null : { accent: /^[0-9a-f]{6}$/.test(text) ? `#${text}` : null }

export const framedText = ({ accent }: Framed): string => accent?.slice(1) ?? ''
