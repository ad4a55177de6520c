import type { Output } from '../world.ts'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36 } as const
export type Paint = keyof typeof codes

/** Text in a color or weight, where the output shows them. */
export const paint = ({ hasColor }: Pick<Output, 'hasColor'>, how: Paint, text: string): string =>
  hasColor ? `\u001b[${codes[how]}m${text}\u001b[0m` : text
