import { limits } from '@venue-data/contract/limits.ts'
import { feeMostCents, taxRateMost } from '../../../core/money/price.ts'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import {
  type ValueOf,
  checked,
  date,
  inside,
  line,
  list,
  maybe,
  mistake,
  must,
  oneOf,
  or,
  record,
  whole,
  word,
} from '../document-kinds.ts'
import { documentBounds } from '../rules-document-bounds.ts'

/* How the rules document writes an experience. */

const party = whole([1, limits.partyGuests])
const weekday = whole(documentBounds.weekday)
const name = line(documentBounds.name)
export const asksOfExperience = ['nothing', 'card', 'deposit', 'prepaid'] as const

/** What guests read of an experience in one of their languages; without it, its name. */
const experienceWords = record({
  language: must(oneOf(guestLanguages)),
  name: maybe(name),
  text: maybe(line(documentBounds.experienceText)),
})

/**
 * Something that guests choose with their time: a menu, a counter, a tasting. Where some fit a time, a guest books one of
 * them. `key` stays as long as the experience does; its `name` becomes the booking's type.
 */
export const experienceKind = checked(
  record({
    key: must(word),
    name: must(name),
    texts: list(experienceWords, guestLanguages.length),
    services: list(name, 24),
    weekdays: list(weekday, 7),
    from: maybe(date),
    to: maybe(date),
    partyFrom: or(party, 1),
    partyTo: maybe(party),
    /** Parties that have it in one evening, bookings and holds; null: as many as there is room for. */
    mostPerEvening: maybe(whole(documentBounds.mostPerEvening)),
    asks: or(oneOf(asksOfExperience), 'nothing'),
    /** The amount of the card or the deposit, or the price for a guest. */
    amountCents: maybe(whole(documentBounds.guaranteeCents)),
    per: or(oneOf(['guest', 'party']), 'guest'),
    freeUntilHours: or(whole(documentBounds.freeUntilHours), 24),
    /** On top of a price: for each guest, and in thousandths of a percent, as of tickets. */
    feeCents: or(whole([0, feeMostCents]), 0),
    taxRate: or(whole([0, taxRateMost]), 0),
  }),
  (row, field) => {
    const { asks, amountCents, per, feeCents, taxRate } = row
    if (row.from !== null && row.to !== null && row.to < row.from)
      mistake(inside(field, 'to'), 'must not be before from')
    if (row.partyTo !== null && row.partyTo < row.partyFrom)
      mistake(inside(field, 'partyTo'), 'must not be below partyFrom')
    const languages = row.texts.map(({ language }) => language)
    if (new Set(languages).size < languages.length)
      mistake(inside(field, 'texts'), 'must have each language once')
    if (asks === 'nothing' && amountCents !== null)
      mistake(inside(field, 'amountCents'), 'must be left out where nothing is asked')
    if (asks !== 'nothing' && amountCents === null)
      mistake(inside(field, 'amountCents'), `is missing: asks is ${asks}`)
    if (asks === 'prepaid' && per === 'party')
      mistake(inside(field, 'per'), 'must be guest where it is prepaid')
    if (asks !== 'prepaid' && (feeCents > 0 || taxRate > 0))
      mistake(inside(field, feeCents > 0 ? 'feeCents' : 'taxRate'), 'must be 0 unless asks is prepaid')
    return row
  },
)
export type Experience = ValueOf<typeof experienceKind>
