import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import { serversSeen } from '../../../book/servers/seen.ts'
import { joinedChanges } from '../../../core/activity/table-change.ts'
import type { MovedByCut } from '../../../book/servers/move-from-cuts.ts'
import { cutReason } from '../../../book/rules/floor/floor.ts'
import { type EveningParty, eveningFloor } from '../../../book/tables/reads.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

/** Parties that a notice names. */
export const mostNamed = 3

/**
 * What a press on the line-up or a section plan did to who is booked at tables that are cut now: who moved where, for whom no
 * other table is open, and who sits there, whom nobody moves. `server`: at their tables alone. Empty where there is nobody.
 */
export const cutWords = async (
  work: OfficeWork,
  moved: readonly MovedByCut[],
  server?: number,
): Promise<string> => {
  const { db, venue } = work
  const now = work.now()
  const rules = await bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date)
  const date = serviceDateAt(rules, now)
  const [evening, servers] = await Promise.all([
    eveningFloor(work, date, rules),
    server === undefined ? undefined : serversSeen(work, rules, date),
  ])
  const { tables } = evening
  const isMeant = (table: number, then?: Temporal.Instant): boolean =>
    server === undefined || servers?.whose([table], then)?.id === server
  const cut = tables.filter(({ id, off }) => off?.why === cutReason && isMeant(id))
  const isCut = new Set(cut.map(({ id }) => id))
  // A table may be out of order or its room closed as well: another line lists who has such a table.
  const toMove = evening.toMove.filter(
    (one) =>
      (one.off?.why === cutReason && one.tables.some((id) => isMeant(id, one.from))) ||
      one.tables.some((id) => isCut.has(id)),
  )
  const labels = new Map(tables.map(({ id, label }) => [id, label]))
  const at = (party: EveningParty): string => joinedLabels(party.tables.map((id) => labels.get(id) ?? ''))
  const whom = (party: EveningParty): string => party.guestName ?? 'No name'
  const parties = distinct(tables.flatMap((table) => table.parties))
  const sitting = distinct(cut.flatMap((table) => table.now))
  // Who had a table that is cut comes first; who made room for them has another table now as well.
  const own = new Set(moved.map(({ reservation }) => reservation))
  const changed = new Set(
    joinedChanges(moved.flatMap(({ changes }) => changes)).map(({ reservation }) => reservation),
  )
  const elsewhere = parties
    .filter(({ id }) => changed.has(id))
    .toSorted((a, b) => Number(own.has(b.id)) - Number(own.has(a.id)))
  const sentences = [
    named(elsewhere, (one) => `${whom(one)} is now at table ${at(one)}`, ''),
    named(
      toMove,
      (one) => `${whom(one)}, ${timeOf(one.from, venue.timezone)}, table ${at(one)}`,
      'To move by hand: ',
    ),
    named(sitting, (one) => `${whom(one)} at ${at(one)}`, 'Still seated there: '),
  ]
  return sentences.filter((one) => one !== '').join(' ')
}

const named = (
  parties: readonly EveningParty[],
  words: (party: EveningParty) => string,
  before: string,
): string => {
  if (parties.length === 0) return ''
  const more = parties.length > mostNamed ? `; and ${parties.length - mostNamed} more` : ''
  return `${before}${parties.slice(0, mostNamed).map(words).join('; ')}${more}.`
}

const distinct = (parties: readonly EveningParty[]): EveningParty[] => [
  ...new Map(parties.map((one) => [one.id, one])).values(),
]
