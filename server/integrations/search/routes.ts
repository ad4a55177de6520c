import { endpoints } from '@venue-data/contract/endpoints.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { limits } from '@venue-data/contract/limits.ts'
import {
  type SearchKind,
  type SearchReason,
  type SearchResults,
  searchKinds,
} from '@venue-data/contract/records/search.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { presentReservation } from '../../book/day/book-row.ts'
import {
  leastDigits,
  searchBookings,
  searchedDays,
  soughtIn,
} from '../../book/reservations/search-bookings.ts'
import { bookingRulesAround } from '../../book/rules/rules-store.ts'
import { serviceDateAt } from '../../book/rules/service-now.ts'
import { presentGuest } from '../../crm/guests/guest.ts'
import { searchGuests } from '../../crm/guests/search-guests.ts'
import { readLimit } from '../../platform/http/lists/list-window.ts'
import { dateAsked, onlyValue } from '../../platform/http/query-words.ts'
import { scopeMissing } from '../../platform/http/refusals.ts'
import { type Query, ok, route } from '../../platform/http/serve.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { inQuery } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'

type Result = SearchResults['results'][number]

/** The office's search box for programs: the same finds, of kinds that the key may read, without a word of staff. */
export const searchRoutes = [
  route(endpoints.search, {
    read: ({ query, caller }) => readSearch(query, caller.key.scopes),
    answer: async ({ db, venue, now }, { typed, kinds: asked, days, limit }) => {
      const at = now()
      const rules = await bookingRulesAround(db, venue, wallTimeOf(at, venue.timezone).date)
      const searched = { ...searchedDays(serviceDateAt(rules, at)), ...days }
      const [bookings, guests] = await Promise.all([
        asked.includes('reservation')
          ? searchBookings(db, venue.id, searched, typed, { byNumber: false, most: limit })
          : [],
        asked.includes('guest') ? searchGuests(db, venue.id, typed) : [],
      ])
      const found = {
        reservation: bookings.map((row) =>
          resultOf(
            'reservation',
            presentReservation(row),
            whyOf(typed, { name: row.guest_name, ...row }, 'anywhere'),
          ),
        ),
        guest: guests.map((row) => resultOf('guest', presentGuest(row), whyOf(typed, row, 'at a word'))),
      }
      return ok({ results: shared(found.reservation, found.guest, limit) })
    },
  }),
]

const resultOf = (kind: SearchKind, record: { readonly id: number }, why: SearchReason): Result => ({
  ...{ kind, id: record.id },
  ...{ why, record },
})

/** The first of two lists, and of the second what is left; where both are long, half of each. */
const shared = (first: readonly Result[], second: readonly Result[], limit: number): Result[] => {
  const ofFirst = first.slice(0, Math.max(Math.ceil(limit / 2), limit - second.length))
  return [...ofFirst, ...second.slice(0, limit - ofFirst.length)]
}

type Person = { readonly name: string | null; readonly email: string | null; readonly phone: string | null }

/** What of a person was found; in a guest's name it begins a word. */
const whyOf = (
  typed: string,
  { name, email, phone }: Person,
  where: 'anywhere' | 'at a word',
): SearchReason => {
  const sought = soughtIn(typed)
  const digits = sought?.isNumber ? sought.digits : ''
  if (digits.length >= leastDigits && phone?.replaceAll(/[^0-9]/g, '').includes(digits)) return 'phone'
  const isOfAddress = email !== null && emailKey(email).startsWith(emailKey(typed.trim()))
  const [named, told] = [plain(name ?? ''), plain(typed.trim())]
  const isOfName = where === 'anywhere' ? named.includes(told) : ` ${named}`.includes(` ${told}`)
  // Another writing of the number, such as with its country's code.
  if (digits.length >= leastDigits && phone !== null && !isOfName) return 'phone'
  return isOfAddress && !isOfName ? 'email' : 'name'
}

/** As names are searched, or near enough to tell a name from an address. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()

type Asked = {
  readonly typed: string
  readonly kinds: readonly SearchKind[]
  readonly days: { readonly from: LocalDate; readonly to: LocalDate } | undefined
  readonly limit: number
}

/** @throws Refusal 403 for a kind that the key may not read, 400 for what cannot be read. */
const readSearch = (query: Query, scopes: readonly Scope[]): Asked => {
  const one = (name: string): string | undefined => onlyValue(name, query[name])
  const named = readSearchKinds(one('kinds'), scopes)
  const typed = one('q') ?? ''
  const { length } = typed.trim()
  if (length < limits.searchCharactersLeast || length > limits.searchCharacters || !soughtIn(typed)) {
    throw badRequest(
      `q must be ${limits.searchCharactersLeast} to ${limits.searchCharacters} characters.`,
      inQuery('q', one('q') === undefined ? 'missing' : 'out-of-range'),
    )
  }
  return {
    ...{ typed, kinds: named, days: readDays(one('from'), one('to')) },
    limit: readLimit(one('limit'), { standard: limits.searchDefault, most: limits.searchMost }),
  }
}

const readSearchKinds = (text: string | undefined, scopes: readonly Scope[]): readonly SearchKind[] => {
  const mayRead = (kind: SearchKind): boolean => scopes.includes(`${kinds[kind].scope}:read`)
  const words = text?.split(',') ?? searchKinds.filter(mayRead)
  const known = searchKinds.filter((kind) => words.includes(kind))
  const closed = known.find((kind) => !mayRead(kind))
  if (closed !== undefined) throw scopeMissing(`${kinds[closed].scope}:read`)
  if (text === undefined && known.length === 0) throw scopeMissing('reservations:read')
  if (known.length !== words.length) {
    throw badRequest(
      `kinds must be different words out of ${searchKinds.join(', ')}, separated by commas.`,
      inQuery('kinds', 'not-a-word'),
    )
  }
  return known
}

const readDays = (from: string | undefined, to: string | undefined): Asked['days'] => {
  if (from === undefined && to === undefined) return undefined
  const [first, last] = [dateAsked('from', from), dateAsked('to', to)]
  if (last < first || last > addDays(first, limits.searchDays - 1)) {
    throw badRequest(
      `to must not be before from, nor more than ${limits.searchDays - 1} days after it.`,
      inQuery('to', 'out-of-range'),
    )
  }
  return { from: first, to: last }
}
