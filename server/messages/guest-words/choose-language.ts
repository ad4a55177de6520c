import { type GuestLanguage, isGuestLanguage } from '../../platform/kernel/guest-language.ts'

/**
 * The language of a page: the one asked for in its address, else the first of those the browser prefers that the venue
 * offers, else the venue's own.
 */
export const chooseLanguage = (
  offered: readonly GuestLanguage[],
  own: GuestLanguage,
  asked: string | undefined,
  preferred: string | undefined,
): GuestLanguage => {
  const isOffered = (one: string): one is GuestLanguage =>
    isGuestLanguage(one) && (one === own || offered.includes(one))
  if (asked !== undefined && isOffered(asked)) return asked
  return preferences(preferred ?? '').find(isOffered) ?? own
}

/** The languages of Accept-Language (RFC 9110, 12.5.4), the most wanted first and without regions. */
const preferences = (header: string): string[] =>
  header
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...more] = part.trim().split(';')
      const weight = more.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((one) => one !== undefined)
      return {
        language: (tag.split('-')[0] ?? '').toLowerCase(),
        weight: weight === undefined ? 1 : Number(weight),
      }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language)
