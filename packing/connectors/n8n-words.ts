import { type Field, labelOf } from './fields.ts'
import type { Json } from './n8n-operations.ts'

/* Words as n8n's linter wants them. */

/** A description that says more than the name does. */
export const unlessSaid = (name: string, description: string): Json =>
  name.toLowerCase() === description.toLowerCase() ? {} : { description }

/** A word of the API as n8n writes what can be chosen: `reservation.no_show` as “Reservation No Show”. */
export const titleOf = (word: string): string =>
  word === '*'
    ? 'Everything'
    : word.endsWith('.*')
      ? `Every ${titleOf(word.slice(0, -2))} Event`
      : word
          .split(/[\s._-]+/)
          .map(labelOf)
          .join(' ')

/** As n8n wants it: `<code>`, “ID”, and no period after a single sentence. */
export const descriptionOf = ({ description }: Field): string => describedAs(description)

export const describedAs = (text: string): string =>
  withoutPeriod(text.replaceAll(/`([^`]+)`/g, '<code>$1</code>').replaceAll(/\bid(s?)\b/g, 'ID$1'))

const withoutPeriod = (text: string): string =>
  /[.:;] ?\S.*\.$/.test(text) && /\.\s/.test(text) ? text : text.replace(/\.$/, '')

export const lowered = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

export const byName = <T extends { readonly name: string }>(some: readonly T[]): T[] => sorted(some, 'name')

export const sorted = <T extends Json>(some: readonly T[], by: string): T[] =>
  some.toSorted((a, b) => String(a[by]).localeCompare(String(b[by]), 'en'))
