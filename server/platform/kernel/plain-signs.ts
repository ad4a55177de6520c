/**
 * Digits and capitals that nobody mixes up in handwriting or over the phone: no 0 and O, 1 and I, 2 and Z, 5 and S, 8
 * and B, U and V; without vowels, so that no number spells a word.
 */
export const plainSigns = '34679CDFGHJKMNPQRTVWXY'

/** What somebody typed of such a number: capitals of any width, without dashes and blanks. */
export const signsIn = (typed: string): string =>
  typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s–-]/g, '')
