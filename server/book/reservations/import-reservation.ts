import { createHash } from 'node:crypto'
import { limits } from '@venue-data/contract/limits.ts'
import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Work } from '../../context.ts'
import { sql } from '../../platform/db/sql.ts'
import { recordEvent } from '../../core/events/record.ts'
import { holdGuestBook, matchOrMakeWithoutEvent, emitGuestCreated } from '../../crm/guests/actions.ts'
import { type BroughtGuest, broughtGuest } from '../../crm/guests/import-guest.ts'
import { nothingBrought } from '../../crm/guests/imported-details.ts'
import { appendNotes } from '../../crm/guests/rules.ts'
import { type GuestProfile, birthdayInWords, nothingKnown } from '../../crm/house/rules.ts'
import { keepBroughtBooking } from '../../crm/house/actions.ts'
import { applyContribution } from '../../crm/guests/contributions.ts'
import { guestForUpdate } from '../../crm/guests/reads.ts'
import { addDays, listInWords } from '../../platform/kernel/time/calendar.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { typedExternalId } from '../../platform/kernel/external-id.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { wholeMilliseconds } from '../../platform/kernel/time/moment.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { typedEmail, typedLine, typedPhone, typedText } from '../../platform/kernel/typed-fields.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { BookingRules } from '../rules/booking-rules.ts'
import { daysConcerned } from '../day/day-span.ts'
import { type TablesNamed, giveImportedTables, importedTables } from '../tables/imported-tables.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { type ReservationRow, presentReservation } from '../day/book-row.ts'
import { emptyDayAt } from '../day/day.ts'
import { type Placement, placementOf } from '../rules/placement.ts'
import { resolveService } from '../rules/resolve-service.ts'
import { type When, readWhen } from '../day/when.ts'
import { keepGuestBooking, nothingSaid } from './guest/guest-booking.ts'
import { insertReservation } from './writes.ts'
import { lockBookingDay } from '../day/open-day.ts'

/*
 * Bookings from another system, past and upcoming. They were promised elsewhere, so no venue rule refuses them; their
 * service date and minute follow the venue's current hours. Only upcoming ones emit an event: an evening two years
 * ago is not news, and each new guest emits guest.created, with the visits the batch counted for them
 * (docs/decisions/0009-data-in-and-out.md#decided-imports).
 */

/** A booking as a row of a file gives it; null = not given. */
export type ReservationInFile = {
  readonly reference: string | null
  readonly guestName: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly partySize: number | null
  readonly date: string
  readonly time: string
  readonly durationMinutes: number | null
  /** The labels of its tables, in one text. */
  readonly tables?: string
  /** In the other system's words. */
  readonly status: string
  readonly cancelledAt: Temporal.Instant | null
  readonly cancelledBy: string
  readonly bookingType: string | null
  readonly notes: string | null
  readonly createdAt: Temporal.Instant | null
  readonly externalId?: string | null
  readonly staff?: StaffWords
}

/** What staff of the old system knew: it goes to the guest, or without one to the booking, and to no software. */
export type StaffWords = {
  readonly lines: readonly string[]
  readonly house: GuestProfile
  readonly allergies: string | null
  readonly occasion: string | null
  readonly language: string | null
}

export const noStaffWords: StaffWords = {
  lines: [],
  house: nothingKnown,
  allergies: null,
  occasion: null,
  language: null,
}

export type ImportedReservation = When & {
  readonly guestName: string | null
  readonly email: string | null
  readonly phone: string | null
  /** Null: cancelled, and the file no longer says how many they were. */
  readonly partySize: number | null
  readonly durationMinutes: number | null
  readonly staff: StaffWords
  /** The labels of its tables, whether or not the venue has them. */
  readonly tables: readonly string[]
  readonly status: ReservationStatus
  /** A cancelled booking has both: what the file leaves out becomes now, and staff. */
  readonly cancelledAt: Temporal.Instant | null
  readonly cancelledBy: 'guest' | 'staff' | null
  readonly bookingType: string | null
  readonly notes: string | null
  readonly externalId: string | null
  readonly createdAt: Temporal.Instant
  /** Whether it is still to come. */
  readonly ahead: boolean
  /** The same row gives the same text; the file's reader distinguishes identical rows. */
  readonly identity: string
  /** Its number in the old system makes it unique. */
  readonly numbered: boolean
}

/** Checks a row. Throws a 400 sentence that names the column, never the value. */
export const reservationOfRow = (
  row: ReservationInFile,
  zone: string,
  now: Temporal.Instant,
): ImportedReservation => {
  // For somebody with a spreadsheet: how software sends a time is not said.
  if (!row.date || !row.time) throw badRequest(`The ${row.date ? 'time' : 'date'} is missing.`)
  const when = readWhen({ date: row.date, time: row.time, startsAt: undefined }, zone, now)
  const ahead = Temporal.Instant.compare(when.startsAt, now) > 0
  const said = statusOf(row.status, ahead, row.cancelledAt !== null)
  if (!row.partySize && said.status !== 'Cancelled') throw badRequest('The number of guests is missing.')
  const reference = typedLine(
    'The booking number in the old system',
    row.reference,
    limits.shortTextCharacters,
  )
  const party = {
    guestName: typedLine('The name', row.guestName, limits.nameCharacters),
    email: typedEmail('The email', row.email),
    phone: typedPhone('The phone', row.phone),
    partySize: row.partySize || null,
  }
  // Past bookings get a creation time before their date, so that the newest in a list stay the newest, however much
  // is imported. Upcoming bookings are new here: software that asks for recent records finds them.
  const made =
    row.createdAt && Temporal.Instant.compare(row.createdAt, when.startsAt) < 0 ? row.createdAt : undefined
  const cancelled = said.status === 'Cancelled'
  const cancelledInFile =
    cancelled && row.cancelledAt && Temporal.Instant.compare(row.cancelledAt, now) <= 0
      ? wholeMilliseconds(row.cancelledAt)
      : undefined
  // One that was cancelled is nobody's news: it keeps the file's date, and was made no later than that.
  const createdAt =
    ahead && !cancelledInFile ? now : earlier(made ?? (ahead ? now : when.startsAt), cancelledInFile)
  return {
    ...when,
    ...party,
    durationMinutes: row.durationMinutes || null,
    tables: (row.tables ?? '').split(/[+,;/&]|\s/).filter(Boolean),
    status: said.status,
    cancelledAt: cancelled ? (cancelledInFile ?? now) : null,
    cancelledBy: cancelled ? (cancellerOf(row.cancelledBy) ?? said.by ?? 'staff') : null,
    bookingType: typedLine('The booking type', row.bookingType, limits.shortTextCharacters),
    notes: typedText('The request', row.notes, limits.notesCharacters),
    externalId: typedExternalId(row.externalId ?? null),
    staff: row.staff ?? noStaffWords,
    createdAt,
    ahead,
    numbered: reference !== null,
    identity: createHash('sha256')
      .update(
        JSON.stringify(
          reference ?? [
            when.date,
            when.time,
            party.partySize,
            party.guestName?.toLowerCase(),
            party.email && emailKey(party.email),
            party.phone && phoneKey(party.phone)?.digits,
          ],
        ),
      )
      .digest('base64url'),
  }
}

const earlier = (one: Temporal.Instant, other: Temporal.Instant | undefined): Temporal.Instant =>
  other && Temporal.Instant.compare(other, one) < 0 ? other : one

/** Status words of other systems, letters only. */
const statusWords: Readonly<Record<string, { status: ReservationStatus; by?: 'guest' | 'staff' }>> = {
  requested: { status: 'Requested' },
  pending: { status: 'Requested' },
  confirmed: { status: 'Confirmed' },
  booked: { status: 'Confirmed' },
  reserved: { status: 'Confirmed' },
  accepted: { status: 'Confirmed' },
  approved: { status: 'Confirmed' },
  bestätigt: { status: 'Confirmed' },
  reserviert: { status: 'Confirmed' },
  seated: { status: 'Seated' },
  arrived: { status: 'Seated' },
  completed: { status: 'Completed' },
  complete: { status: 'Completed' },
  done: { status: 'Completed' },
  finished: { status: 'Completed' },
  assumedfinished: { status: 'Completed' },
  assumedcompleted: { status: 'Completed' },
  visited: { status: 'Completed' },
  left: { status: 'Completed' },
  abgeschlossen: { status: 'Completed' },
  storniert: { status: 'Cancelled' },
  guestcancelled: { status: 'Cancelled', by: 'guest' },
  declined: { status: 'Cancelled', by: 'staff' },
  rejected: { status: 'Cancelled', by: 'staff' },
  noshow: { status: 'No-show' },
}

/**
 * What a status word means for a past or upcoming booking. Without one it is cancelled if the file says when;
 * otherwise completed, or confirmed.
 */
const statusOf = (
  text: string,
  ahead: boolean,
  hasCancelMoment: boolean,
): { status: ReservationStatus; by?: 'guest' | 'staff' } => {
  const word = text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
  if (word === '') return { status: hasCancelMoment ? 'Cancelled' : ahead ? 'Confirmed' : 'Completed' }
  const [, canceller] = /^cancell?ed(?:by)?(.*)$/.exec(word) ?? []
  const known =
    canceller !== undefined
      ? cancelledBy(canceller)
      : Object.hasOwn(statusWords, word)
        ? statusWords[word]
        : undefined
  if (!known) {
    throw badRequest(
      'The status is not recognized; use Requested, Confirmed, Seated, Completed, Cancelled or No-show.',
    )
  }
  const { status } = known
  if (ahead && (status === 'Seated' || status === 'Completed' || status === 'No-show')) {
    throw badRequest(`The status is ${status}, but the booking is still to come.`)
  }
  if (ahead || status === 'Cancelled' || status === 'No-show') return known
  if (status === 'Requested') {
    throw badRequest('An unanswered request whose time has passed; there is nothing to import.')
  }
  // Nobody is still at a table from last year.
  return { status: 'Completed' }
}

/** "Cancelled", and who did it, if named. */
const cancelledBy = (canceller: string): { status: ReservationStatus; by?: 'guest' | 'staff' } => {
  const by = cancellerOf(canceller)
  return { status: 'Cancelled', ...(by && { by }) }
}

/** Who is named first decides: "Guest (online)" and "Customer via the site" are the guest. */
const cancellerOf = (text: string): 'guest' | 'staff' | undefined => {
  const word = text.toLowerCase().replaceAll(/[^a-z]/g, '')
  if (/^(?:the)?(?:guest|customer|client|diner|gast)/.test(word)) return 'guest'
  return /^(?:the)?(?:staff|venue|restaurant|host|manager)/.test(word) ? 'staff' : undefined
}

/** A checked row with its key: the identity, and which of the identical rows it is. */
export type KeyedReservation = ImportedReservation & { readonly key: string }

/** The outcome of one booking in a file. */
export type ImportOutcome = {
  readonly outcome: 'made' | 'known'
  /** What staff should know: why one that was made is not at its table, in what one that was there differs. */
  readonly remark?: string | undefined
  readonly brought?: BroughtReservation | undefined
}

/** Where a booking of a file is written. */
const placeOf = (rules: BookingRules, one: ImportedReservation): Placement =>
  placementOf(emptyDayAt(rules, resolveService(rules, one)), one.partySize ?? 1)

/** The booking as its tables are found. */
const tablesNamed = (one: ImportedReservation, placement: Placement): TablesNamed => ({
  labels: one.tables,
  serviceDate: placement.serviceDate,
  startsAt: one.startsAt,
  partySize: one.partySize ?? 1,
  durationMinutes: one.durationMinutes ?? placement.durationMinutes,
  holds: one.ahead && one.status === 'Confirmed',
})

/** The rules around each date, read once. */
const rulesByDate = ({ db, venue }: Pick<Work, 'db' | 'venue'>) => {
  const known = new Map<string, BookingRules>()
  return async (date: string): Promise<BookingRules> => {
    const rules = known.get(date) ?? (await bookingRulesAround(db, venue, date))
    known.set(date, rules)
    return rules
  }
}

/** What staff should know of these bookings, all of them new, once they are imported: by place. */
export const foreseeRemarks = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  rows: readonly KeyedReservation[],
): Promise<ReadonlyMap<number, string>> => {
  const remarks = new Map<number, string>()
  if (rows.every(({ tables }) => tables.length === 0)) return remarks
  const [rulesOn, findTables] = [rulesByDate(work), await importedTables(work)]
  for (const [place, one] of rows.entries()) {
    if (one.tables.length === 0) continue
    const rules = await rulesOn(one.date)
    const { remark } = await findTables(rules, tablesNamed(one, placeOf(rules, one)))
    if (remark !== undefined) remarks.set(place, remark)
  }
  return remarks
}

/**
 * Which of these bookings are in the book already, or earlier in the file, by place: they bring nothing new. With what
 * staff should know of one: that the book says otherwise.
 */
export const foreseeKnown = async (
  work: Pick<Work, 'db' | 'venue'>,
  rows: readonly KeyedReservation[],
): Promise<ReadonlyMap<number, string | undefined>> => {
  const known = new Map<number, string | undefined>()
  const keys = new Set<string>()
  const rulesOn = rulesByDate(work)
  const placed: Placed[] = []
  for (const [place, one] of rows.entries()) {
    if (keys.has(one.key)) known.set(place, undefined)
    else placed.push({ place, one, ...placeOf(await rulesOn(one.date), one) })
    keys.add(one.key)
  }
  for (const [place, remark] of await thoseInBook(work, placed)) known.set(place, remark)
  return known
}

/**
 * Writes a batch. The days of upcoming bookings are locked first, in order, then the guest book, so that a request
 * for the last table waits in the meantime and then counts them. One that would take another party's table has none. Bookings already in the book stay as they are.
 * Events about new guests come last: only then are their bookings counted.
 */
export const importReservations = async (
  work: Work,
  batch: readonly KeyedReservation[],
): Promise<ImportOutcome[]> => {
  const { db, venue } = work
  const rulesOn = rulesByDate(work)
  const placed: { one: KeyedReservation; rules: BookingRules; placement: Placement }[] = []
  for (const one of batch) {
    const rules = await rulesOn(one.date)
    placed.push({ one, rules, placement: placeOf(rules, one) })
  }
  // From yesterday on: last night's service may still run.
  const from = addDays(wallTimeOf(work.now(), venue.timezone).date, -1)
  const days = new Set(placed.flatMap(daysOf).filter((day) => day >= from))
  for (const day of [...days].toSorted()) await lockBookingDay(db, venue.id, day)
  await holdGuestBook(work)
  const findTables = batch.some(({ tables }) => tables.length > 0) ? await importedTables(work) : undefined
  const outcomes: ImportOutcome[] = []
  const newGuests = new Set<number>()
  const newsOfBook: { readonly one: KeyedReservation; readonly row: ReservationRow }[] = []
  for (const { one, rules, placement } of placed) {
    const known = await foundInBook(work, one, placement)
    if (known) {
      outcomes.push({ outcome: 'known', remark: known.remark })
      continue
    }
    const brought = await importOne(work, one, placement, newGuests)
    const { row } = brought
    const found = await findTables?.(rules, tablesNamed(one, placement))
    if (found) await giveImportedTables(work, row.id, found)
    outcomes.push({ outcome: 'made', remark: found?.remark, brought })
    if (one.ahead && one.status !== 'Cancelled') newsOfBook.push({ one, row })
  }
  for (const guest of newGuests) await emitGuestCreated(work, await guestForUpdate(db, venue.id, guest))
  for (const { one, row } of newsOfBook) {
    await recordEvent(work, 'reservation.created', presentReservation(row), one.createdAt)
  }
  return outcomes
}

/** The days to lock for a booking: its own, and a neighbor that it reaches into at a table. */
const daysOf = ({
  one,
  rules,
  placement: { serviceDate, durationMinutes },
}: {
  readonly one: KeyedReservation
  readonly rules: BookingRules
  readonly placement: Placement
}): string[] => {
  if (one.tables.length === 0) return [serviceDate]
  const from = one.startsAt.epochMilliseconds
  const minutes = (one.durationMinutes ?? durationMinutes) + (rules.floor?.turnoverMinutes ?? 0)
  return daysConcerned(rules, serviceDate, { from, until: from + minutes * 60_000 })
}

/** A booking that a row of a file brought, and the guest it belongs to. */
export type BroughtReservation = {
  readonly row: ReservationRow
  readonly guest: BroughtGuest | undefined
  /** A count that another file gave its guest went down by it. */
  readonly gaveWay: boolean
}

/** The booking, which is not in the book yet. A guest made for it joins the new ones. */
const importOne = async (
  work: Work,
  one: KeyedReservation,
  placement: Placement,
  newGuests: Set<number>,
): Promise<BroughtReservation> => {
  const { db, venue } = work
  const matched = await matchOrMakeWithoutEvent(
    work,
    {
      name: one.guestName ?? undefined,
      email: one.email ?? undefined,
      phone: one.phone ?? undefined,
      noteLines: one.staff.lines,
      house: one.staff.house,
      ...(one.staff.allergies !== null && { brought: { ...nothingBrought, allergies: one.staff.allergies } }),
    },
    'import',
  )
  const guest = matched?.guest.id ?? null
  if (guest !== null && matched?.created) newGuests.add(guest)
  const row = await insertReservation(
    db,
    venue.id,
    {
      ...one,
      ...placement,
      durationMinutes: one.durationMinutes ?? placement.durationMinutes,
      periodName: one.bookingType ?? placement.periodName,
      guestId: guest,
      source: 'import',
      importKey: one.key,
    },
    work.now(),
    one.createdAt,
  )
  const counted = {
    guest_id: guest,
    status: one.status,
    cancelled_by: one.cancelledBy,
    service_date: placement.serviceDate,
  }
  const gaveWay = await applyContribution(work, null, counted, newGuests, true)
  await keepStaffWords(work, row.id, one.staff, guest !== null)
  return { row, guest: matched && broughtGuest(matched), gaveWay }
}

/** What a file says of a booking for staff alone; all of it if there is no guest to know it of. */
const keepStaffWords = async (
  work: Pick<Work, 'db' | 'venue'>,
  reservation: number,
  { lines, house: { vip, birthday, tags }, allergies, occasion, language }: StaffWords,
  hasGuest: boolean,
): Promise<void> => {
  const note = hasGuest
    ? ''
    : (appendNotes('', [
        ...(allergies === null ? [] : [`Allergies: ${allergies}`]),
        ...(vip ? ['VIP'] : []),
        ...(birthday === null ? [] : [`Birthday: ${birthdayInWords(birthday)}`]),
        ...lines,
      ]) ?? '')
  const ofBooking = hasGuest ? [] : tags
  if (occasion !== null || note !== '' || ofBooking.length > 0) {
    await keepBroughtBooking(work, reservation, {
      occasion: occasion ?? undefined,
      note: note === '' ? undefined : note,
      tags: ofBooking,
    })
  }
  if (language !== null)
    await keepGuestBooking(work.db, work.venue.id, reservation, { ...nothingSaid, language })
}

/** A booking of a file, by its place there, where and when it would be. */
type Placed = Pick<Placement, 'serviceDate' | 'serviceMinute'> & {
  readonly place: number
  readonly one: KeyedReservation
}

/** Imported before, or one of the venue's own bookings with the same party at the same minute: with what differs. */
const foundInBook = async (
  work: Pick<Work, 'db' | 'venue'>,
  one: KeyedReservation,
  placement: Pick<Placement, 'serviceDate' | 'serviceMinute'>,
): Promise<{ readonly remark: string | undefined } | undefined> => {
  const found = await thoseInBook(work, [{ place: 0, one, ...placement }])
  return found.has(0) ? { remark: found.get(0) } : undefined
}

/** Those of which this is true, by place, in one statement; each with a sentence if the book says otherwise than the file. */
const thoseInBook = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  placed: readonly Placed[],
): Promise<ReadonlyMap<number, string | undefined>> => {
  if (placed.length === 0) return new Map()
  const rows = await db.many(sql({
    place: 'int4',
    day: 'bool',
    time: 'bool',
    'party size': 'bool',
    status: 'bool',
  })`
    with given as (
      select * from unnest(
             ${placed.map(({ place }) => place)}::int[],
             ${placed.map(({ one }) => one.key)}::text[],
             ${placed.map(({ serviceDate }) => serviceDate)}::date[],
             ${placed.map(({ serviceMinute }) => serviceMinute)}::int[],
             ${placed.map(({ one }) => one.partySize)}::int[],
             ${placed.map(({ one }) => one.guestName)}::text[],
             ${placed.map(({ one }) => (one.email === null ? null : emailKey(one.email)))}::text[],
             ${placed.map(({ one }) => (one.phone === null ? null : (phoneKey(one.phone)?.digits ?? null)))}::text[],
             ${placed.map(({ one }) => one.status)}::text[]
           ) as given (place, key, service_date, service_minute, party_size, guest_name, email_key, phone_key, status)
    )
    select given.place, r.service_date <> given.service_date as day, r.service_minute <> given.service_minute as time,
           coalesce(r.party_size <> given.party_size, false) as "party size",
           given.status = 'Cancelled' and r.status <> 'Cancelled' as status
      from given join reservation r on r.venue_id = ${venue.id} and r.import_key = given.key
    union all
    select given.place, false, false, false, given.status = 'Cancelled' and r.status <> 'Cancelled'
      from given join reservation r
        on r.venue_id = ${venue.id} and r.service_date = given.service_date
       and r.service_minute = given.service_minute and r.import_key is null
       and r.party_size is not distinct from given.party_size
       and lower(r.guest_name) is not distinct from lower(given.guest_name)
       and r.email_key is not distinct from given.email_key
       and r.phone_key is not distinct from given.phone_key`)
  return new Map(
    rows.map(({ place, ...differs }) => {
      const named = Object.entries(differs).flatMap(([name, does]) => (does ? [name] : []))
      return [
        place,
        named.length === 0
          ? undefined
          : `It is in the book already, with another ${listInWords(named)}, and stays as it is there.`,
      ]
    }),
  )
}
