import type { Work } from '../../context.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { markFreed } from '../day/freed-places.ts'
import type { StaffReason } from '../reservations/staff-reasons.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { layOut } from '../day/assignment/judge.ts'
import { type FloorDay, boundsOfDay, floorOfDay, leftOf, spanOf, spanWanted } from '../day/day-floor.ts'
import type { Floor } from '../rules/floor/floor.ts'
import { giveTables } from './give-tables.ts'
import { tablesHeld } from '../day/tables-of-booking-reads.ts'
import { writeHeld } from './tables-of-booking-writes.ts'
import { partiesBetween } from '../day/party-reads.ts'
import { type Holder, type PutBackPlan, type ToPutBack, planPutBack } from './plan-put-back.ts'
import { doneSince } from './press-reads.ts'
import { readFloorDay } from '../day/read-floor-day.ts'
import type { AnyPress } from './hold-press.ts'
import type { Since } from './since-press.ts'
import { type Held, type TableChange, sameHeld } from '../../core/activity/table-change.ts'
import { takenSentence } from './taken-table.ts'

/*
 * The undo of a press, as far as tables go. The press kept what it changed with its row of the activity log; under the locks
 * of all dates that concerns, each party it moved goes back where it was, pin and all, if nobody has made anything else of
 * it since. The press's own party gets its own table back. Whom a machine put there meanwhile makes room; a party that
 * somebody booked or put there since is asked about, by name, and then stays: the own party gets another table, or none. A
 * party that never left its table keeps it, and who is only expected there gets another.
 */

/** The press's own party, where it comes back to a table. */
export type OwnBack = {
  readonly name: string | null
  readonly serviceDate: LocalDate
  readonly status: string
  readonly startsAt: Temporal.Instant
  readonly partySize: number
  readonly durationMinutes?: number | null | undefined
}

export type PutBack = {
  /** Who is in the way; staff who saw it may go on. */
  readonly reasons: readonly StaffReason[]
  readonly floor: Floor
  /** Whether the press's own party is not as the press left it: seated since, for one. */
  readonly isOwnTouched: boolean
  /** The booking of who was expected at the table of a party that sits there: it is put elsewhere, and nobody is asked. */
  readonly givesWay?: Holder['id']
  /** Puts everybody back. */
  readonly write: () => Promise<readonly TableChange[]>
}

/** What puts back what a press did; undefined where too much happened since, or tables decide nothing. */
export const putBack = async (
  work: Work,
  press: AnyPress,
  party: OwnBack | undefined,
): Promise<PutBack | undefined> => {
  const { db, venue } = work
  const since = await doneSince(db, venue.id, press.rows)
  const evening = since && (await readEvening(work, press))
  if (!since || !evening) return undefined
  // A party that is a no-show again needs no table; the book remembers where it was to sit.
  const comes = party?.status === 'No-show' ? undefined : party
  const own = comes && press.reservation !== undefined ? { ...comes, id: press.reservation } : undefined
  const asked = { press, since, evening }
  const span = own && spanWanted(evening.rules, evening.floor, own)
  const back = own &&
    span && {
      ...(own.status === 'Seated' ? leftOf(span, evening.floor, evening.now) : span),
      id: own.id,
      held: await heldBefore(work, own.id, press.changes),
    }
  const found = planFor(asked, back)
  const { floor } = evening
  const isOwnTouched = own !== undefined && since.touched.has(own.id)
  if (found.kind === 'possible')
    return {
      ...{ reasons: [], floor, isOwnTouched },
      write: async () => [
        ...(await writePlan(work, evening, found.held)),
        ...(party && !comes ? await rememberPlace(work, press) : []),
      ],
    }
  const { holder, table } = found
  // They never left it: who is only expected there is put elsewhere.
  const moved = press.changes.find(({ reservation }) => reservation === own?.id)
  const sits =
    own?.status === 'Seated' &&
    (!moved || sameHeld(moved.before, moved.after)) &&
    !evening.holders.some(
      ({ id, held }) => evening.seated.has(id) && held.tables.some((one) => back?.held.tables.includes(one)),
    )
  return {
    ...{ floor, isOwnTouched },
    reasons: sits
      ? []
      : [
          await inTheWay(
            work,
            evening,
            holder,
            table,
            ` ${own?.name ?? 'This party'} gets another table, or waits for one.`,
          ),
        ],
    ...(sits && { givesWay: holder.id }),
    write: async () => {
      const others = planFor(asked, undefined)
      if (others.kind !== 'possible' || !own) throw new Error('nobody is in the way of others')
      const changes = [
        ...(await writePlan(work, evening, others.held)),
        ...(await seatElsewhere(work, own, sits ? back?.held : undefined)),
      ]
      // Where it keeps the table of the press, it keeps no pin of it.
      const is = await tablesHeld(db, venue.id, own.id)
      if (is.pinned && back && !back.held.pinned && !isOwnTouched)
        changes.push(await writeHeld(work, own.id, { ...is, pinned: false }))
      return changes
    },
  }
}

type Evening = {
  readonly rules: BookingRules
  readonly floor: Floor
  readonly now: Temporal.Instant
  readonly days: ReadonlyMap<LocalDate, FloorDay>
  readonly holders: readonly Holder[]
  readonly sizes: ReadonlyMap<Holder['id'], number>
  readonly seated: ReadonlySet<Holder['id']>
}

/** Who holds tables on the dates of a press, but for its own party. */
const readEvening = async ({ db, venue, now }: Work, press: AnyPress): Promise<Evening | undefined> => {
  const at = now()
  const holders = new Map<Holder['id'], Holder>()
  const sizes = new Map<Holder['id'], number>()
  const seated = new Set<Holder['id']>()
  const days = new Map<LocalDate, FloorDay>()
  let last: BookingRules | undefined
  for (const date of [...press.dates].toSorted()) {
    const rules = await bookingRulesAround(db, venue, date)
    const { floor } = rules
    if (!floor) return undefined
    last = rules
    const own = { reservation: press.reservation }
    const asked = { from: date, to: date, ...boundsOfDay(rules, floor, date), now: at, own }
    const rows = await partiesBetween(db, venue.id, asked)
    days.set(date, floorOfDay({ ...rules, floor }, date, rows, at, own))
    for (const row of rows) {
      // Requests, holds and changes have no table; a confirmed party may have lost its table to the press.
      if (row.status === 'Requested' || row.reservation_id === press.reservation) continue
      const id = row.kind === 'booking' ? Number(row.id) : `${row.kind} ${row.id}`
      const tables = (row.tables ?? []).map(Number).toSorted((a, b) => a - b)
      const stays = row.arrived || row.status === 'Seated'
      const held = { tables, pinned: row.pinned, noTable: row.no_table }
      holders.set(id, { ...spanOf(rules, floor, row, at), id, held, stays })
      sizes.set(id, row.party_size)
      if (row.status === 'Seated') seated.add(id)
    }
  }
  return last?.floor
    ? { rules: last, floor: last.floor, now: at, days, holders: [...holders.values()], sizes, seated }
    : undefined
}

/** Where the press's own party was: as the press kept it; where it changed nothing of it, as it still is written. */
const heldBefore = async (
  { db, venue }: Work,
  reservation: number,
  changes: readonly TableChange[],
): Promise<Held> =>
  changes.find((one) => one.reservation === reservation)?.before ?? tablesHeld(db, venue.id, reservation)

type Asked = { readonly press: AnyPress; readonly since: Since; readonly evening: Evening }

type Found =
  | { readonly kind: 'possible'; readonly held: ReadonlyMap<number, Held> }
  | Extract<PutBackPlan, { kind: 'in the way' }>

/** Who comes back where, and where those go that make room and have no earlier place. */
const planFor = ({ press, since, evening }: Asked, own: ToPutBack['own']): Found => {
  const tables = new Set(evening.floor.tables.map(({ id }) => id))
  const settled = new Set<number>()
  for (;;) {
    const plan = planPutBack({ ...press, ...evening, since, tables, own }, settled)
    if (plan.kind === 'in the way') return plan
    const { given, without } = placesFor(evening, plan, own)
    const none = [...plan.displaced].find(([id]) => without.has(id))
    if (!none) return { kind: 'possible', held: new Map([...plan.held, ...given]) }
    const [id, { back, table }] = none
    const holder = evening.holders.find((one) => one.id === id)
    if (back === own?.id && holder) return { kind: 'in the way', holder, table }
    settled.add(back)
  }
}

/** Other places for those who make room, along with everybody who holds one: theirs, and of those who are moved for them. */
const placesFor = (
  { days }: Evening,
  { held, displaced }: Extract<PutBackPlan, { kind: 'possible' }>,
  own: ToPutBack['own'],
): { readonly given: ReadonlyMap<number, Held>; readonly without: ReadonlySet<number> } => {
  const given = new Map<number, Held>()
  const without = new Set<number>()
  for (const day of days.values()) {
    const ofDay = [...displaced.keys()].filter((id) => day.ofDay.has(String(id)))
    if (ofDay.length === 0) continue
    const parties = day.evening.parties.flatMap((party) => {
      const id = Number(party.id)
      if (displaced.has(id)) return [{ ...party, tables: [], fixed: false }]
      const to = held.get(id)
      if (to) return to.tables.length === 0 ? [] : [{ ...party, tables: to.tables, fixed: true }]
      // Judged with parties that hold a table or a place, not with others that have none.
      return party.tables.length > 0 || party.group === null ? [party] : []
    })
    const ownParty =
      own && own.held.tables.length > 0 ? [{ ...aParty, ...own, id: 'own', tables: own.held.tables }] : []
    const { base } = layOut({ ...day.evening, parties: [...parties, ...ownParty] })
    for (const id of ofDay) if (base.unseated.includes(String(id))) without.add(id)
    for (const [id, tables] of base.given) {
      if (displaced.has(Number(id)) || (day.movable.has(id) && !held.has(Number(id))))
        given.set(Number(id), { tables, pinned: false })
    }
  }
  return { given, without }
}

/** A party that stays where it is put. */
const aParty = { size: 1, fixed: true, onlineOnly: false, features: [], group: null } as const

/** Writes it. A party that is without a table from now on is given the next that is free, like anybody else. */
const writePlan = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  { days }: Evening,
  held: ReadonlyMap<number, Held>,
): Promise<readonly TableChange[]> => {
  const { db, venue } = work
  const changes: TableChange[] = []
  for (const [id, to] of held) {
    if (sameHeld(await tablesHeld(db, venue.id, id), to)) continue
    changes.push(await writeHeld(work, id, to))
  }
  for (const [date, { ofDay }] of days) {
    const isWithout = [...held].some(
      ([id, { tables, noTable }]) => tables.length === 0 && !noTable && ofDay.has(String(id)),
    )
    if (isWithout) await markFreed(db, venue.id, date)
  }
  return changes
}

/** Notes at which tables the press's own party was to sit before it. */
const rememberPlace = async (work: Work, { reservation, changes }: AnyPress): Promise<TableChange[]> => {
  const own = changes.find((one) => one.reservation === reservation)
  return own ? [await writeHeld(work, own.reservation, own.before)] : []
}

/** Gives the press's own party a table along with everybody else; `chosen`: that one, no matter who is expected there. */
const seatElsewhere = async (
  work: Work,
  own: OwnBack & { readonly id: number },
  chosen: Held | undefined,
): Promise<readonly TableChange[]> => {
  const { db, venue } = work
  const rules = await bookingRulesAround(db, venue, own.serviceDate)
  const { floor } = rules
  if (!floor) return []
  const turns = own.status === 'Seated' ? 'down' : 'up'
  const asOwn = { reservation: own.id, turns } as const
  const day = await readFloorDay(db, venue.id, { ...rules, floor }, own.serviceDate, work.now(), asOwn)
  return giveTables(work, day, { ...own, ...chosen, door: 'staff' })
}

/** "Table 14 is taken by Okafor, 4 guests, from 19:00 to 21:00.", and what happens to them. */
const inTheWay = async (
  work: Work,
  { rules, floor, now, sizes }: Evening,
  { id, from, until }: Holder,
  table: number,
  then: string,
): Promise<StaffReason> => {
  const party = { from, until, id: String(id), size: sizes.get(id) ?? 1 }
  const taken = await takenSentence(work, { rules, floor, now }, { inTheWay: party, table })
  return { reason: 'table-kept', sentence: `${taken}${then}`, figure: null }
}
