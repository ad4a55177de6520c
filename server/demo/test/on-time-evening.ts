import type { PartyRow } from '../../book/day/party-reads.ts'
import { type FloorDay, floorOfDay, partyWanted, seat } from '../../book/day/day-floor.ts'
import type { BookingRules } from '../../book/rules/booking-rules.ts'
import type { Floor } from '../../book/rules/floor/floor.ts'
import { arrange } from '../../book/tables/arrange.ts'
import { type LikelyTable, type LikelyTables, likelyTablesFor } from '../../book/tables/likely-table.ts'
import type { Stays } from '../../book/tables/stays.ts'
import { likeParties } from '../../book/waitlist/line/line-now.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { turnMinutes } from '../../book/rules/turn-minutes.ts'
import { randomFrom } from '../random.ts'
import { minuteMs } from '../venue-time.ts'
import { momentText } from '../write/bulk.ts'

/*
 * A full evening on which nothing unexpected happens: who is booked comes to the minute, everybody stays as long as they are
 * expected to, and who waits in line sits down when and where it was said, as long as that is still so. Pure.
 */

export type OnTime = {
  readonly rules: BookingRules & { readonly floor: Floor }
  readonly stays: Stays
  readonly date: LocalDate
  /** When its first minute of service is, in milliseconds since 1970. */
  readonly opens: number
  readonly seed: number
  readonly booked: number
  readonly walkIns: number
}

export type InLine = { readonly id: number; readonly size: number; readonly comes: number }

/** What quotes are after each press and every few minutes. */
export type Look = {
  readonly at: number
  readonly after: string
  readonly line: readonly InLine[]
  readonly likely: LikelyTables
  /** What one of the line is quoted by itself, as if it came after those before it. */
  readonly quoted: (place: number) => LikelyTable | undefined
}

const minutesOfService = 6 * 60
const looksEvery = 5

export const playOnTime = (evening: OnTime, look: (seen: Look) => void): void => {
  const { rules, stays, date, opens, seed } = evening
  const random = randomFrom(seed)
  const sizeOf = (): number =>
    random.weighted([
      [1, 5],
      [2, 45],
      [3, 13],
      [4, 22],
      [5, 6],
      [6, 6],
    ])
  const rows = new Map<number, PartyRow>()
  const dayAt = (at: number, own?: Parameters<typeof floorOfDay>[4]): FloorDay =>
    floorOfDay(rules, date, [...rows.values()], Temporal.Instant.fromEpochMilliseconds(at), own)
  const give = (tables: ReadonlyMap<number, readonly number[]>): void => {
    for (const [id, to] of tables) rows.set(id, { ...(rows.get(id) as PartyRow), tables: to.map(String) })
  }
  const rowOf = (id: number, size: number, at: number): PartyRow => ({
    ...{ kind: 'booking', id: String(id), reservation_id: id, service_date: date, starts_at: moment(at) },
    ...{ ends_at: null, duration_minutes: turnMinutes(rules, size), seated_at: null, party_size: size },
    ...{ status: 'Confirmed', is_online: false, arrived: false, pinned: false, tables: null },
    ...{ no_table: false, seating: null, lapses_at: null },
  })
  const sits = (id: number, at: number): void => {
    const row = rows.get(id) as PartyRow
    rows.set(id, { ...row, status: 'Seated', seated_at: moment(at), arrived: true })
  }
  /** Where everybody is who sits or is booked, found with the least moves. */
  const find = (id: number, at: number, own: Parameters<typeof floorOfDay>[4]): boolean => {
    const row = rows.get(id) as PartyRow
    const startsAt = Temporal.Instant.from(row.starts_at)
    const found = seat(dayAt(at, own), { startsAt, partySize: row.party_size, door: 'staff' })
    if (found.seated) give(new Map([...found.moves, [id, found.tables]]))
    return found.seated
  }
  for (let id = 1; id <= evening.booked; id++) {
    const comes = opens + random.integer(0, 18) * 15 * minuteMs
    rows.set(id, rowOf(id, sizeOf(), comes))
    if (!find(id, opens - minutesOfService * minuteMs, { reservation: id })) rows.delete(id)
  }
  const coming: InLine[] = Array.from({ length: evening.walkIns }, (_, n) => ({
    id: 1_000 + n,
    size: sizeOf(),
    comes: opens + random.integer(0, 240) * minuteMs,
  })).toSorted((a, b) => a.comes - b.comes)
  let line: InLine[] = []
  const likelyAt = (at: number, ahead: readonly InLine[], sizes: readonly number[]): LikelyTables =>
    likelyTablesFor(dayAt(at), stays, {
      serviceDate: date,
      from: Temporal.Instant.fromEpochMilliseconds(at),
      ahead: ahead.map(({ size }) => size),
      sizes,
      likeLargest: (size) => likeParties(size).most,
    })
  const lookNow = (at: number, after: string): void => {
    const quoted = (place: number): LikelyTable | undefined =>
      likelyAt(at, line.slice(0, place), [line[place]?.size ?? 0]).sizes[0]
    look({ at, after, line, likely: likelyAt(at, line, [2]), quoted })
  }
  /** The first of the line whose time it is, at the tables that it was quoted. */
  const seatNext = (at: number): boolean => {
    const { ahead } = likelyAt(at, line, [])
    const place = ahead.findIndex((one) => one && one.at.epochMilliseconds <= at)
    const [party, table] = [line[place], ahead[place]]
    if (!party || !table) return false
    const day = dayAt(at)
    const tables = table.tables.map(({ id }) => id)
    const startsAt = Temporal.Instant.fromEpochMilliseconds(at)
    const wanted = partyWanted(day, { startsAt, partySize: party.size, door: 'staff' })
    const arranged = arrange(day, [{ party: wanted, tables }])
    if (!arranged.ok) throw new Error(`The table that ${party.id} was quoted is not free.`)
    rows.set(party.id, rowOf(party.id, party.size, at))
    give(new Map([...arranged.moves, [party.id, tables]]))
    sits(party.id, at)
    line = line.filter((one) => one !== party)
    lookNow(at, `${party.id} of the line sat down`)
    return true
  }
  const leavesAt = ({ seated_at, party_size: partySize }: PartyRow): number =>
    Temporal.Instant.from(seated_at ?? '').epochMilliseconds +
    stays({ partySize, isEvening: true }) * minuteMs
  for (let at = opens; at <= opens + minutesOfService * minuteMs; at += minuteMs) {
    for (const [id, row] of rows) {
      if (row.status !== 'Seated' || leavesAt(row) > at) continue
      rows.delete(id)
      lookNow(at, `${id} left`)
    }
    for (const [id, row] of rows) {
      if (row.status !== 'Confirmed' || Temporal.Instant.from(row.starts_at).epochMilliseconds > at) continue
      if (!find(id, at, { reservation: id, turns: 'down' }))
        throw new Error(`Who is booked has no table: ${id}.`)
      sits(id, at)
      lookNow(at, `${id}, who is booked, sat down`)
    }
    while (seatNext(at));
    while (coming[0] && coming[0].comes <= at) {
      line = [...line, coming.shift() as InLine]
      lookNow(at, `${line.at(-1)?.id} came`)
      while (seatNext(at));
    }
    if (((at - opens) / minuteMs) % looksEvery === 0) lookNow(at, 'some time')
  }
}

const moment = (at: number): Moment => momentText(at) as Moment
