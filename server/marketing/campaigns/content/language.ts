/*
 * Which way a mail reads. We are not given its language, and a screen reader or a browser needs the direction more
 * than the name: it is taken from the letters most of it is written in.
 */

export type Language = { readonly lang: string; readonly dir: 'ltr' | 'rtl' }

/** Scripts read from right to left, and the language most written in each. */
const rightToLeft = [
  { lang: 'ar', letters: /\p{Script=Arabic}/gu },
  { lang: 'he', letters: /\p{Script=Hebrew}/gu },
] as const

/** Enough to judge by. */
const charactersRead = 10_000

export const languageOf = (text: string): Language => {
  const words = text.slice(0, charactersRead).replaceAll(/<[^>]*>/g, '')
  const all = words.match(/\p{L}/gu)?.length ?? 0
  const [most] = rightToLeft
    .map(({ lang, letters }) => ({ lang, count: words.match(letters)?.length ?? 0 }))
    .toSorted((a, b) => b.count - a.count)
  return most !== undefined && most.count * 2 > all
    ? { lang: most.lang, dir: 'rtl' }
    : { lang: 'en', dir: 'ltr' }
}
