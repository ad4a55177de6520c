import type { Work } from '../../context.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { type OwnPartyRow, type OwnShiftRow, partiesServedBy, shiftsOfAccount } from './reads.ts'

/*
 * What an account of the role `server` has to do with: the shift of the server it is, and who they serve. Outside of a shift it
 * sees nobody, and two hours after one it is signed out.
 */

/** They see whom they serve from this long before their shift until this long after it, in minutes. */
const aroundMinutes = { before: 60, after: 120 } as const
const minuteMs = 60_000

type Asking = Pick<Work, 'db' | 'venue' | 'now'>

type OwnShift = OwnShiftRow & { readonly from: number; readonly until: number }

/** The dates of services that may run now, or ended within a day. */
const datesAround = ({ venue, now }: Asking): readonly [LocalDate, LocalDate] => {
  const { date } = wallTimeOf(now(), venue.timezone)
  return [addDays(date, -2), date]
}

/** Their shifts that have begun, or are about to, as instants from first to last sight. */
const shiftsBegun = async (asking: Asking, account: number): Promise<readonly OwnShift[]> => {
  const { db, venue, now } = asking
  const rows = await shiftsOfAccount(db, venue.id, account, datesAround(asking))
  const at = (row: OwnShiftRow, minute: number): number =>
    instantOfMinute(venue.timezone, row.service_date, minute)
  return rows
    .map((row) => ({
      ...row,
      from: at(row, row.from_minute) - aroundMinutes.before * minuteMs,
      until: at(row, row.until_minute) + aroundMinutes.after * minuteMs,
    }))
    .filter(({ from }) => from <= now().epochMilliseconds)
}

/**
 * Whether a session that was opened then is over: no shift of theirs runs, and it is two hours since the last one or, for
 * somebody who is in no line-up, since they signed in.
 */
export const outlivesShift = async (
  asking: Asking,
  account: number,
  openedAt: Temporal.Instant,
): Promise<boolean> => {
  const shifts = await shiftsBegun(asking, account)
  const outside = openedAt.epochMilliseconds + aroundMinutes.after * minuteMs
  const ended = shifts.map(({ until }) => until).filter((until) => until > openedAt.epochMilliseconds)
  const over = ended.length === 0 ? outside : Math.max(...ended)
  return over <= asking.now().epochMilliseconds
}

/** Who the account serves now; undefined outside of its shifts. */
export const ownParties = async (
  asking: Asking,
  account: number,
): Promise<readonly OwnPartyRow[] | undefined> => {
  const { db, venue, now } = asking
  const running = (await shiftsBegun(asking, account)).filter(({ until }) => until > now().epochMilliseconds)
  if (running.length === 0) return undefined
  const servers = running.map(({ server_id }) => server_id)
  return partiesServedBy(db, venue.id, servers, datesAround(asking))
}
