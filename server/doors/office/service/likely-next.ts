import { type BookRow, bookedReservation } from '../../../book/day/book-row.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { turnMinutes } from '../../../book/rules/turn-minutes.ts'
import type { LikelyTable } from '../../../book/tables/likely-table.ts'
import type { Quote } from '../../../book/waitlist/quote.ts'
import { html } from '../../../platform/html/html.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { plainTime } from '../parts/plain-time.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { guestsInWords, minutesSince } from '../parts/time-words.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import type { Moving } from '../../../book/tables/arrange.ts'
import { lineOf } from '../../../book/waitlist/evening.ts'
import { lastArrivalOn } from '../../../book/waitlist/line-rules.ts'
import { lineAfter } from '../../../book/waitlist/line/line-now.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { tablesOf } from '../parts/forms/table-fields.ts'
import { surnameOf } from '../parts/open-words.ts'
import { type LineOffer, type LineOffers, movesOf, promisedAt, unneededFirst } from './line-offers.ts'

type Asked = {
  readonly partySize: number
  readonly rules: BookingRules
  readonly now: Temporal.Instant
}

/**
 * "table 2 at 9:40 PM (Desai, 120 min left)."; where the quote is that of a smaller size, which waits longer: "table 2 at
 * 9:40 PM. Quoted as for 2 guests: table 5 at 10:05 PM (Palumbo, 55 min over)." Who sits there is named where the quote rests on it.
 */
export const likelyNext = async (
  work: Pick<OfficeWork, 'db' | 'venue'>,
  { table, rests }: Quote,
  asked: Asked,
): Promise<string | undefined> => {
  if (!table) return undefined
  const { timezone } = work.venue
  const at = (one: LikelyTable): string =>
    `table ${joinedLabels(one.tables.map(({ label }) => label))} at ${timeOf(one.at, timezone)}`
  const who = rests.table && (await whoLeaves(work, rests.table, asked))
  const named = who === undefined ? '' : ` (${who})`
  if (rests.size === asked.partySize)
    return `${at(table)}${named}.${rests.table ? '' : ' The quote is what was said last.'}`
  const theirs = rests.table ? `: ${at(rests.table)}${named}` : ''
  return `${at(table)}. Quoted as for ${guestsInWords(rests.size)}${theirs}.`
}

/** Nobody is told a longer wait in minutes. */
const longestSaid = 240

/**
 * "for 10 opens before 11:55 PM.", what is said behind "Nothing" where no number is said: nobody would wait so long, or it is over only after the last
 * arrival of the evening. What staff said themselves is theirs.
 */
export const tooLongWords = (
  { minutes, rests: { table } }: Quote,
  { partySize, rules, serviceDate }: Pick<Asked, 'partySize' | 'rules'> & { readonly serviceDate: LocalDate },
): string | undefined => {
  if (!table) return undefined
  const last = lastArrivalOn(rules, serviceDate)
  const isAfter = last !== undefined && Temporal.Instant.compare(table.at, last) > 0
  if (!isAfter && minutes <= longestSaid) return undefined
  const until = isAfter
    ? `the last arrival, ${timeOf(last, rules.timezone)}`
    : timeOf(table.at, rules.timezone)
  return `for ${partySize} opens before ${until}.`
}

/** Who sits at a table until it is likely to be free; undefined where nobody does. */
const whoLeaves = async (
  { db, venue }: Pick<OfficeWork, 'db' | 'venue'>,
  { after, at }: LikelyTable,
  { rules, now }: Asked,
): Promise<string | undefined> => {
  const row = after === undefined ? undefined : await bookedReservation(db, venue.id, after)
  return row && overWords(row, rules, { now, leaves: at })
}

/** "Palumbo, 55 min over", "Palumbo, 20 min left": until when they are likely to leave, not until when they booked. */
const overWords = (
  { guest_name, seated_at, duration_minutes, party_size }: BookRow,
  rules: BookingRules,
  { now, leaves }: { readonly now: Temporal.Instant; readonly leaves: Temporal.Instant },
): string => {
  const minutes = duration_minutes ?? turnMinutes(rules, party_size ?? 1)
  const over = seated_at === null ? 0 : minutesSince(seated_at, now) - minutes
  const left = minutesBetween(now, leaves)
  return `${guest_name ?? 'a party'}, ${over > 0 ? `${over} min over` : left === 0 ? 'due now' : `${left} min left`}`
}

/** As both moments show on a clock. */
const minutesBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  Math.floor(to.epochMilliseconds / 60_000) - Math.floor(from.epochMilliseconds / 60_000)

/*
 * A table that is free now may be the one that somebody in line is likely to get when they were promised one. Who gives it to a
 * party that walks in reads that first.
 */

/** A table that comes so many minutes later than was promised is what was promised. */
const promiseMinutes = 5

type Offer = {
  readonly ids: string
  readonly isShort?: boolean
  readonly needed: string | undefined
  readonly moving?: Moving | undefined
}

type Line = {
  readonly serviceDate: LocalDate
  readonly rules: BookingRules
  /** What everybody in line is likely to get as it is. */
  readonly before: ReadonlyMap<number, LikelyTable>
}

/**
 * The same offers, each with whose promise it breaks; those that break none first. One that somebody could sit at now says so already,
 * and a stay for a while ends before anybody needs it.
 */
export const promisesBy = async <Offered extends Offer>(
  work: OfficeWork,
  partySize: number,
  offers: readonly Offered[],
  { serviceDate, rules, before }: Line,
): Promise<readonly Offered[]> => {
  if (before.size === 0) return offers
  const line = (await lineOf(work.db, work.venue.id, 0)).filter(({ id }) => before.has(id))
  const whole = offers.filter(({ isShort, needed }) => !isShort && needed === undefined)
  const seatings = whole.map(({ ids, moving }) => ({
    ...{ partySize, tables: tablesOf(ids), moves: movesOf(moving) },
  }))
  const after = await lineAfter(work, { serviceDate, rules }, seatings)
  return unneededFirst(
    offers.map((offer) => {
      const then = after[whole.indexOf(offer)]
      const broken = then && line.find((row) => isBroken(row, before, then))
      return broken
        ? { ...offer, isBroken: true, needed: brokenWords(broken, then.get(broken.id), work.venue.timezone) }
        : offer
    }),
  )
}

/** Whether a party is likely to have a table by when it was promised one. */
const isKept = (row: EntryRow, likely: ReadonlyMap<number, LikelyTable>): boolean => {
  const table = likely.get(row.id)
  const latest = promisedAt(row).add({ minutes: promiseMinutes })
  return row.quoted_at !== null && table !== undefined && Temporal.Instant.compare(table.at, latest) <= 0
}

/** A party that waits past its time already may wait so many minutes more before it is said. */
const moreMinutes = 15

/** Whether a party would wait past the time it was quoted, or notably longer where it does so already. */
const isBroken = (
  row: EntryRow,
  before: ReadonlyMap<number, LikelyTable>,
  then: ReadonlyMap<number, LikelyTable>,
): boolean => {
  const [now, later] = [before.get(row.id), then.get(row.id)]
  if (row.quoted_at === null || !now || isKept(row, then)) return false
  return isKept(row, before) || !later || now.at.until(later.at).total('minutes') > moreMinutes
}

/** "Quinn, 4, was told 8:10 PM and would wait until 8:45 PM". */
const brokenWords = (row: EntryRow, then: LikelyTable | undefined, timezone: string): string =>
  `${surnameOf(row.guest_name) ?? 'A party'}, ${row.party_size ?? 1}, was told ${timeOf(promisedAt(row), timezone)} and would wait ${
    then ? `until ${timeOf(then.at, timezone)}` : 'longer than can be said'
  }`

/** The same for a row of the line, and "Quinn then 8:45" where it has less room. */
const brokenBy = (
  row: EntryRow,
  then: LikelyTable | undefined,
  timezone: string,
): Pick<LineOffer, 'needed' | 'neededBrief' | 'isBroken'> => ({
  isBroken: true,
  needed: brokenWords(row, then, timezone),
  ...(then && {
    neededBrief: html`${surnameOf(row.guest_name) ?? 'a party'} then ${plainTime(wallTimeOf(then.at, timezone).time)}`,
  }),
})

/**
 * The offers of the line, each with whose promise it breaks of those who go before; of one party's those first that break none. Only
 * who is likely to get the very tables that somebody would sit or be moved at is thought through.
 */
export const promisesInLine = async (
  work: OfficeWork,
  offers: LineOffers,
  /** By whose turn it is. */
  line: readonly EntryRow[],
  { serviceDate, rules, before }: Line,
): Promise<LineOffers> => {
  const asked = line
    .flatMap((row, n) =>
      (offers.byParty.get(row.id) ?? [])
        .filter(({ short, needed }) => !short && needed === undefined)
        .map((offer) => ({ row, offer, earlier: line.slice(0, n).filter(mayWaitFor(offer, before)) })),
    )
    .filter(({ earlier }) => earlier.length > 0)
    .slice(0, mostThought)
  const seatings = asked.map(({ row, offer: { ids, moves } }) => ({
    ...{ entry: row.id, partySize: row.party_size ?? 1, tables: ids, moves },
  }))
  const after = await lineAfter(work, { serviceDate, rules }, seatings)
  const needed = new Map(
    asked.flatMap(({ offer, earlier }, n) => {
      const then = after[n]
      const broken = then && earlier.find((row) => isBroken(row, before, then))
      const said = broken && brokenBy(broken, then.get(broken.id), work.venue.timezone)
      // Until when it is free leaves no room for when theirs comes.
      return said ? [[offer, { ...said, ...(offer.moves.size === 0 && { brief: 'free' }) }] as const] : []
    }),
  )
  if (needed.size === 0) return offers
  const byParty = [...offers.byParty].map(
    ([id, all]) => [id, unneededFirst(all.map((offer) => ({ ...offer, ...needed.get(offer) })))] as const,
  )
  return { ...offers, byParty: new Map(byParty) }
}

/** Offers of one look at the page that are thought through. */
const mostThought = 4

/** Whether a party is likely to get one of the tables that an offer gives to somebody. */
const mayWaitFor =
  ({ ids, moves }: LineOffer, before: ReadonlyMap<number, LikelyTable>) =>
  (row: EntryRow): boolean => {
    const given = new Set([...ids, ...[...moves.values()].flat()])
    return before.get(row.id)?.tables.some(({ id }) => given.has(id)) ?? false
  }
