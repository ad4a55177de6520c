/*
 * The colors and measures of the guided layout. Warm paper, near-black ink and one quiet accent go with any venue's
 * photographs; in the dark the same tones are turned round. Every pair of ink and ground has a contrast of 4.5 or
 * more.
 */

export const light = {
  page: '#f3efe8',
  card: '#fffdfa',
  ink: '#2a2420',
  quiet: '#6b6259',
  accent: '#8a3b1e',
  rule: '#e4dccf',
} as const

export const dark = {
  page: '#161310',
  card: '#211d19',
  ink: '#ece5da',
  quiet: '#aca191',
  accent: '#eba878',
  rule: '#3a332b',
} as const

export const sans = "-apple-system,BlinkMacSystemFont,'Segoe UI',Helvetica,Arial,sans-serif"
export const serif = "Georgia,'Times New Roman',serif"

/** Width of the card, and of what is inside between its margins, in pixels. */
export const cardWidth = 600
export const innerWidth = 520
