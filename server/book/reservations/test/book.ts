import { type EventName, firstEventNames } from '@venue-data/contract/webhooks/events.ts'
import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Actor } from '../../../core/activity/actor.ts'
import type { StaffRole } from '../../../core/staff/roles.ts'
import type { Work } from '../../../context.ts'
import { actAt } from '../../../test/act.ts'
import { eventually } from '../../../test/eventually.ts'
import { waitingForLock } from '../../../test/rows.ts'
import type { TestService, TestVenue } from '../../../test/service.ts'
import { readRulesDocument } from '../../rules/rules-document.ts'
import { replaceWholeRules } from '../../rules/whole-document.ts'
import { type BookRow, bookedReservation } from '../../day/book-row.ts'
import { findBooker, makeBooking } from '../bookings.ts'
import { holdDays, openDay } from '../../day/open-day.ts'
import { type WrittenWhen, readWhen } from '../../day/when.ts'

/*
 * A venue's book for the tests of moves: makers of bookings, and access to emitted events and stored rows.
 */

export const staff = (role: StaffRole): Actor & { kind: 'staff' } => ({
  kind: 'staff',
  id: 7,
  email: `${role}@example.com`,
  role,
})

/** Dinner on every day, 17:00 to 02:00. */
export const dinner = (more: object = {}): object => ({
  periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
    weekday,
    name: 'Dinner',
    opens: '17:00',
    closes: '02:00',
  })),
  ...more,
})

export type Told = {
  name: string
  data: { id: number; updatedAt: string; status: string; [field: string]: unknown }
  occurredAt: string
}

export type TestBook = {
  readonly venue: TestVenue
  /** Runs one unit of work in its own transaction. */
  act: <T>(work: (work: Work) => Promise<T>) => Promise<T>
  /** Runs `first`, keeps its transaction open until `second` waits for one of its locks, and returns both results. */
  meanwhile: <A, B>(first: (work: Work) => Promise<A>, second: (work: Work) => Promise<B>) => Promise<[A, B]>
  when: (date: string, time: string) => ReturnType<typeof readWhen>
  rules: (document: object) => Promise<void>
  /** A booking in a status, written as the moves would have left it, without events. */
  booking: (status: ReservationStatus, more?: Partial<NewBooking>) => Promise<number>
  row: (id: number) => Promise<BookRow>
  /** The events since the last look, oldest first. */
  /** The events since the last call, by the names version 1 began with. */
  told: () => Promise<Told[]>
  /** The same, by all names. */
  toldAll: () => Promise<(Told & { names: string[] })[]>
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
}

type NewBooking = {
  date: string
  time: string
  partySize: number
  email: string | null
  phone: string | null
  guestName: string | null
  source: 'staff' | 'walkin'
}

export const openBook = async (service: TestService, document: object = dinner()): Promise<TestBook> => {
  const venue = await service.venue()
  const query: TestBook['query'] = async (text, values = []) =>
    service.db.session(async (client) => (await client.query(text, values)).rows)
  const act: TestBook['act'] = (work) => actAt(service, venue, work)
  const meanwhile: TestBook['meanwhile'] = async (first, second) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: ran, resolve: run } = Promise.withResolvers<void>()
    const one = act(async (work) => {
      const result = await first(work)
      run()
      await released
      return result
    })
    await Promise.race([ran, one])
    let isOver = false
    const other = act(second).finally(() => (isOver = true))
    other.catch(() => undefined)
    await eventually(async () => isOver || (await waitingForLock(service)) === 1).finally(release)
    return Promise.all([one, other])
  }
  let seen = 0
  const toldAll: TestBook['toldAll'] = async () => {
    const rows = (await query(
      `select id, name, names, data, occurred_at from event where venue_id = $1 and id > $2 order by id`,
      [venue.id, seen],
    )) as { id: number; name: string; names: string[]; data: string; occurred_at: string }[]
    seen = Math.max(seen, ...rows.map(({ id }) => id))
    return rows.map(({ name, names, data, occurred_at }) => ({
      name,
      names,
      data: JSON.parse(data),
      occurredAt: occurred_at,
    }))
  }
  const told: TestBook['told'] = async () =>
    (await toldAll())
      .filter(({ name }) => firstEventNames.includes(name as EventName))
      .map(({ name, data, occurredAt }) => ({ name, data, occurredAt }))
  const when = (date: string, time: string) => {
    const written: WrittenWhen = { date, time, startsAt: undefined }
    return readWhen(written, venue.timezone, service.context.clock())
  }
  const rules = async (newRules: object) => {
    const read = readRulesDocument(newRules)
    if (!read.ok) throw new Error(read.mistakes.join(' '))
    await service.db.transaction((db) =>
      replaceWholeRules(db.within(venue.id), venue.id, read.rules, service.context.clock()),
    )
  }
  const booking: TestBook['booking'] = async (status, more = {}) => {
    const { date = '2026-10-06', time = '19:00', partySize = 2, source = 'staff', ...party } = more
    const made = await act(async (work) => {
      const asked = {
        guestName: 'Maya',
        email: null,
        phone: null,
        notes: null,
        ...party,
        ...when(date, time),
        partySize,
      }
      const day = await openDay(work, asked, await holdDays(work, asked))
      const candidates = await findBooker(work, asked)
      const made = { source, seated: false, day, candidates, reasons: [] }
      return makeBooking(work, staff('host'), { ...asked, ...made })
    })
    await query(statusWritten[status], [venue.id, made.id])
    await told()
    return made.id
  }
  await rules(document)
  return {
    venue,
    act,
    meanwhile,
    when,
    rules,
    booking,
    told,
    toldAll,
    query,
    row: async (id) => {
      const row = await act(({ db }) => bookedReservation(db, venue.id, id))
      if (!row) throw new Error('the booking is gone')
      return row
    },
  }
}

const seated = `checked_in_at = created_at, seated_at = created_at, floor_stage = 'Seated', arrived_by_seating = true`
const written = (columns: string) => `update reservation set ${columns} where venue_id = $1 and id = $2`

const statusWritten: Record<ReservationStatus, string> = {
  Requested: written(`status = 'Requested'`),
  Confirmed: written(`status = 'Confirmed'`),
  Seated: written(`status = 'Seated', ${seated}`),
  Completed: written(`status = 'Completed', ${seated}, completed_at = created_at`),
  Cancelled: written(
    `status = 'Cancelled', cancelled_at = created_at, cancelled_by = 'staff', cancelled_from = 'Confirmed'`,
  ),
  'No-show': written(`status = 'No-show', no_show_at = created_at`),
}
