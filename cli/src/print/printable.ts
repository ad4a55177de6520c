/*
 * Text from guests on a terminal: a booking's note may contain anything its author liked, and a terminal obeys some of
 * it.
 */

/** Text on one line, without anything that a terminal would obey or that turns the direction of writing. */
export const printable = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')

/** How many columns of a terminal a text takes. */
export const widthOf = (text: string): number => {
  let width = 0
  for (const character of text) width += widthOfCharacter(character)
  return width
}

const widthOfCharacter = (character: string): number => {
  if (/\p{M}|[\u200b-\u200d]/u.test(character)) return 0
  return /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u.test(
    character,
  )
    ? 2
    : 1
}

/** Text that takes no more than so many columns, with an ellipsis for what is left out. */
export const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept) + widthOfCharacter(character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

export const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** Text in lines that are no longer than that, broken between words. */
export const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
