import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { type SuppliedGuest, guestsThatMatch } from '../../crm/guests/actions.ts'
import { type FieldValues, fillIn } from '../../crm/guests/rules.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { listInWords } from '../../platform/kernel/time/calendar.ts'
import { guestOfRow, importGuest } from '../../crm/guests/import-guest.ts'
import { dayAndYearInWords, timeInWords } from '../../platform/kernel/time/in-words.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { momentWallReaches, wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { readMoment, readTime } from '../../platform/kernel/time/written-time.ts'
import {
  type ImportedReservation,
  type KeyedReservation,
  importReservations,
  reservationOfRow,
} from '../../book/reservations/import-reservation.ts'
import {
  type Objection,
  type ObjectionOutcome,
  foreseeObjection,
  importObjection,
  objectionOfRow,
} from '../../marketing/subscribers/import-objection.ts'
import {
  type ImportedSignUp,
  importSubscriber,
  outcomeOfImport,
  signUpOfRow,
} from '../../marketing/subscribers/import-subscriber.ts'
import { plainCell } from './csv-file.ts'
import type { CsvRow } from '../../platform/kernel/csv/csv-reader.ts'
import type { BroughtRecord } from './records.ts'
import { type Cells, type ImportKind, type ImportPlan, hasBothOrders } from './fields.ts'
import { objectionMoment, reasonOfRow, statusOfRow } from './objection-cells.ts'
import { type Birthday, type GuestProfile, houseLimits } from '../../crm/house/rules.ts'
import {
  dateCell,
  dayAndRest,
  isEitherOrder,
  languageCell,
  momentCell,
  nameCell,
  namedDay,
  numberCell,
  tagsCell,
  timeCell,
  yesCell,
} from './read-cells.ts'

/** From a row of a file to a record, for each kind: what its cells mean, and the action that writes it. */

export type ReadRow =
  | { readonly kind: 'guests'; readonly line: number; readonly value: SuppliedGuest }
  | { readonly kind: 'subscribers'; readonly line: number; readonly value: ImportedSignUp }
  /** From a list of subscribers, or a do-not-email list. */
  | { readonly kind: 'objections'; readonly line: number; readonly value: Objection }
  | {
      readonly kind: 'reservations'
      readonly line: number
      readonly value: ImportedReservation
      /** What to look at if it is imported. */
      readonly remark?: string | undefined
    }
  | { readonly kind: 'refused'; readonly line: number; readonly sentence: string }

/** Reads and checks one row. What is wrong with it becomes a sentence without its values. */
export const readRow = (
  kind: ImportKind,
  plan: ImportPlan,
  { line, cells }: CsvRow,
  { venue, now }: Pick<Work, 'venue' | 'now'>,
): ReadRow => {
  const cell: Cells = (field) => {
    const column = plan.columns[field]
    return column === undefined ? '' : plainCell(cells[column] ?? '')
  }
  const lines = Object.entries(plan.besides ?? {}).flatMap(([column, place]) =>
    place === 'note' ? noteLine(headingOf(plan, Number(column)), plainCell(cells[Number(column)] ?? '')) : [],
  )
  try {
    switch (kind) {
      case 'guests':
        return { kind, line, value: guestFrom(cell, plan, lines) }
      case 'subscribers':
        return { line, ...subscriberFrom(cell, plan, venue.timezone, now()) }
      case 'do-not-email':
        return { kind: 'objections', line, value: unmailableFrom(cell, plan, venue.timezone, now()) }
      case 'reservations': {
        const value = reservationFrom(cell, plan, lines, venue.timezone, now())
        const remark = remarksInWords(twoWays(cell('date'), plan), byPhoneAlone(value), noNumber(value))
        return { kind, line, value, ...(remark !== '' && { remark }) }
      }
      default:
        return kind satisfies never
    }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', line, sentence: error.message }
    throw error
  }
}

/** Where the file has dates of both orders, one that is a day in either is not sure. */
const twoWays = (text: string, plan: ImportPlan): string | undefined =>
  hasBothOrders(plan) && isEitherOrder(text)
    ? `Its date can be read in two ways; it was read with the ${plan.dates === 'month-first' ? 'month' : 'day'} first.`
    : undefined

/** A number may be anybody's who once had it: whether it is the guest whom it leads to, or somebody new, a person says. */
const byPhoneAlone = ({ guestName, email, phone }: ImportedReservation): string | undefined =>
  guestName === null && email === null && phone !== null && phoneKey(phone) !== undefined
    ? 'It has no name and no email: only the phone number says whose it is.'
    : undefined

/** What nobody can call leads to no guest: such a booking has none, unless an address does. */
const noNumber = ({ email, phone }: ImportedReservation): string | undefined =>
  email === null && phone !== null && phoneKey(phone) === undefined
    ? 'Its phone number is none that can be called, and it has no email: it belongs to no guest.'
    : undefined

const mostCounted = 100_000

const guestFrom = (cell: Cells, plan: ImportPlan, lines: readonly string[]): SuppliedGuest => {
  const { dates } = plan
  const { house, left } = profileFrom(cell, plan)
  return guestOfRow({
    name: nameCell(cell('name'), cell('firstName'), cell('lastName')),
    email: cell('email'),
    phone: cell('phone'),
    staffNotes: cell('staffNotes'),
    seatingPreference: cell('seatingPreference'),
    referralSource: cell('referralSource'),
    allergies: cell('allergies'),
    visits: numberCell('Visits', cell('visitCount'), mostCounted) ?? null,
    noShows: numberCell('No-shows', cell('noShowCount'), mostCounted) ?? null,
    cancellations: numberCell('Cancellations', cell('cancellationCount'), mostCounted) ?? null,
    lastVisit: dateCell('The last visit', cell('lastVisitDate'), dates) ?? null,
    externalId: cell('externalId'),
    house,
    noteLines: [...left, ...lines],
  })
}

/** "Table side: near the window". One line, so that nothing in a cell can pose as a note of its own. */
const noteLine = (heading: string, text: string): string[] =>
  text === '' ? [] : [`${heading}: ${text}`.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()]

const headingOf = ({ headings }: ImportPlan, column: number | undefined): string =>
  (column !== undefined && headings?.[column]) || `Column ${(column ?? 0) + 1}`

/** What staff know of a guest. Nothing of it refuses a row: what cannot be read as it is meant becomes a line. */
const profileFrom = (
  cell: Cells,
  plan: ImportPlan,
): { readonly house: GuestProfile; readonly left: readonly string[] } => {
  const said = cell('vip')
  const vip = yesCell(said)
  const all = tagsCell(cell('tags'))
  // A tag that says VIP is the mark.
  const isVip = (tag: string) => tag.toLowerCase() === 'vip'
  const fitting = all.filter((tag) => !isVip(tag) && tag.length <= houseLimits.tagCharacters)
  const tags = fitting.slice(0, houseLimits.tags)
  const over = all.filter((tag) => !isVip(tag) && !tags.includes(tag))
  const birthday = birthdayIfRead(cell, plan.dates)
  const typedBirthday = [cell('birthday'), cell('birthMonth'), cell('birthDay')].filter(Boolean).join(' ')
  return {
    house: { vip: vip || all.some(isVip), birthday, tags },
    left: [
      ...(vip || isNo(said) ? [] : noteLine('VIP', said)),
      ...(birthday === null ? noteLine('Birthday', typedBirthday) : []),
      ...noteLine('Tags', over.join(', ')),
    ],
  }
}

const isNo = (text: string): boolean => /^(?:n|no|false|0|-|nein|non|n[aã]o)?$/i.test(text)

const birthdayIfRead = (cell: Cells, dates: ImportPlan['dates']): Birthday | null => {
  try {
    return birthdayFrom(cell, dates)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

const subscriberFrom = (
  cell: Cells,
  plan: ImportPlan,
  zone: string,
  now: Temporal.Instant,
):
  | { readonly kind: 'subscribers'; readonly value: ImportedSignUp }
  | { readonly kind: 'objections'; readonly value: Objection } => {
  const status = statusOfRow(cell)
  if (status === 'subscribed') return { kind: 'subscribers', value: signUpFrom(cell, plan, zone, now) }
  if (status === 'neither') {
    throw badRequest('This file does not have them as subscribed, so they are not added.')
  }
  const [left, bounced] = [cell('unsubscribedAt'), cell('bouncedAt')]
  const said = status === 'bounced' ? bounced || left : left || bounced
  const at = objectionMoment(said, plan.dates, zone, now)
  const row = { email: cell('email'), firstName: cell('firstName'), kind: status, at }
  return { kind: 'objections', value: objectionOfRow(row) }
}

const unmailableFrom = (cell: Cells, { dates }: ImportPlan, zone: string, now: Temporal.Instant): Objection =>
  objectionOfRow({
    email: cell('email'),
    firstName: null,
    kind: reasonOfRow(cell),
    at: objectionMoment(cell('createdAt'), dates, zone, now),
  })

const signUpFrom = (
  cell: Cells,
  { dates, evidence }: ImportPlan,
  zone: string,
  now: Temporal.Instant,
): ImportedSignUp => {
  const wholeFile = evidence?.date
    ? momentWallReaches({ date: evidence.date, time: '00:00' }, zone)
    : undefined
  return signUpOfRow(
    {
      email: cell('email'),
      firstName: cell('firstName'),
      tag: cell('tag'),
      birthday: birthdayFrom(cell, dates),
      where: cell('consentSource') || (evidence?.source ?? null),
      statement: cell('consentStatement') || (evidence?.statement ?? null),
      pageUrl: cell('consentPageUrl'),
      agreedAt: momentCell('The consent date', cell('consentAt'), dates, zone) ?? wholeFile ?? null,
    },
    now,
  )
}

const birthdayFrom = (cell: Cells, dates: ImportPlan['dates']) => {
  const whole = cell('birthday')
  const named = namedDay(whole)
  if (named && named.day >= 1 && named.day <= 31) return { month: named.month, day: named.day }
  // Mailing programs leave the year out: 04/23.
  const short = /^(\d{1,2})[/.-](\d{1,2})\.?$/.exec(whole)
  const [, one = '', other = ''] = short ?? []
  const text = short
    ? `2000-${(dates === 'month-first' ? one : other).padStart(2, '0')}-${(dates === 'month-first' ? other : one).padStart(2, '0')}`
    : cell('birthMonth') && cell('birthDay')
      ? `2000-${cell('birthMonth').padStart(2, '0')}-${cell('birthDay').padStart(2, '0')}`
      : whole
  const date = dateCell('The birthday', text, dates)
  return date === undefined ? null : { month: Number(date.slice(5, 7)), day: Number(date.slice(8, 10)) }
}

const mostMinutes = 1_440

const reservationFrom = (
  cell: Cells,
  plan: ImportPlan,
  lines: readonly string[],
  zone: string,
  now: Temporal.Instant,
): ImportedReservation => {
  const { dates } = plan
  const { house, left } = profileFrom(cell, plan)
  const occasion = cell('occasion')
  const language = languageCell(cell('language'))
  const date = cell('date')
  // A date and a time in one column, or a moment with a zone.
  const moment =
    /^\d{4}-\d{2}-\d{2}T/i.test(date) && /(?:Z|[+-]\d{2}:?\d{2})$/i.test(date)
      ? momentCell('The date', date, dates, zone)
      : undefined
  const wall = moment && wallTimeOf(moment, zone)
  return reservationOfRow(
    {
      reference: cell('reference'),
      guestName: nameCell(cell('guestName'), cell('firstName'), cell('lastName')),
      email: cell('email'),
      phone: cell('phone'),
      partySize: numberCell('The number of guests', cell('partySize'), limits.partyGuests) ?? null,
      date: wall?.date ?? dateCell('The date', date, dates) ?? '',
      time: wall?.time ?? timeCell(cell('time') || dayAndRest(date).rest),
      durationMinutes: numberCell('The turn time', cell('durationMinutes'), mostMinutes) ?? null,
      tables: cell('tables'),
      status: cell('status'),
      cancelledAt: momentIfRead(cell('cancelledAt'), dates, zone),
      cancelledBy: cell('cancelledBy'),
      bookingType: cell('bookingType'),
      notes: cell('notes'),
      createdAt: momentIfRead(cell('createdAt'), dates, zone),
      externalId: cell('externalId'),
      staff: {
        house,
        allergies: cell('allergies') || null,
        occasion: occasion.length > 0 && occasion.length <= houseLimits.occasionCharacters ? occasion : null,
        language: language ?? null,
        lines: [
          ...noteLine(headingOf(plan, plan.columns['staffNotes']), cell('staffNotes')),
          ...(occasion.length > houseLimits.occasionCharacters ? noteLine('Occasion', occasion) : []),
          ...(language === undefined ? noteLine('Language', cell('language')) : []),
          ...left,
          ...lines,
        ],
      },
    },
    zone,
    now,
  )
}

/**
 * When a booking was made or cancelled is worth keeping, but never a reason to refuse it. Booking programs write it
 * in the venue's time, without a zone; if the time cannot be read, the day is kept.
 */
const momentIfRead = (text: string, dates: ImportPlan['dates'], zone: string): Temporal.Instant | null => {
  try {
    const moment = readMoment(text)
    if (moment) return moment
    const date = dateCell('The moment', text, dates)
    return date === undefined
      ? null
      : momentWallReaches({ date, time: readTime(timeCell(dayAndRest(text).rest)) ?? '00:00' }, zone)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

export type BatchOutcome = {
  readonly made: number
  readonly known: number
  readonly refused: readonly { readonly line: number; readonly sentence: string }[]
  /** Rows that were imported, with something to look at. */
  readonly remarked: readonly { readonly line: number; readonly sentence: string }[]
  /** What was done to the guests and bookings that rows are about. */
  readonly records: readonly BroughtRecord[]
}

/**
 * Writes a batch of one kind, in the given transaction. Reservations come with their keys; `actor`: who uploaded the
 * file, for the activity log of those it unsubscribes.
 */
export const writeRows = async (
  work: Work,
  actor: Actor,
  rows: readonly ReadRow[],
  keys: ReadonlyMap<number, KeyedReservation>,
): Promise<BatchOutcome> => {
  const refused = rows.filter((row) => row.kind === 'refused')
  let made = 0
  let known = 0
  const records: BroughtRecord[] = []
  const count = (outcome: 'made' | 'known') => void (outcome === 'made' ? made++ : known++)
  for (const row of rows) {
    if (row.kind === 'guests') {
      const guest = await importGuest(work, row.value)
      count(guest?.made ? 'made' : 'known')
      if (guest) records.push({ line: row.line, kind: 'guest', ...guest })
    } else if (row.kind === 'objections') {
      const outcome = await importObjection(work, actor, row.value)
      count(outcome === 'known' || outcome === 'agreed since' ? 'known' : 'made')
    } else if (row.kind === 'subscribers') {
      const outcome = await importSubscriber(work, row.value)
      if (typeof outcome === 'string') count(outcome)
      else refused.push({ kind: 'refused', line: row.line, sentence: outcome.refused })
    }
  }
  const bookings = rows.filter((row) => row.kind === 'reservations')
  const outcomes =
    bookings.length === 0
      ? []
      : await importReservations(
          work,
          bookings.map(({ line }) => keys.get(line)!),
        )
  for (const [i, { outcome, brought }] of outcomes.entries()) {
    count(outcome)
    if (!brought) continue
    const { line } = bookings[i]!
    const { row, guest, gaveWay } = brought
    records.push({ line, kind: 'reservation', id: row.id, made: true, filled: gaveWay ? ['gaveWay'] : [] })
    if (guest) records.push({ line, kind: 'guest', ...guest })
  }
  const remarked = outcomes.flatMap(({ outcome, remark }, i) => {
    const { line, remark: ofRow } = bookings[i]!
    const sentence = remarksInWords(outcome === 'made' ? ofRow : undefined, remark)
    return sentence === '' ? [] : [{ line, sentence }]
  })
  return { made, known, refused, remarked, records }
}

export const remarksInWords = (...remarks: readonly (string | undefined)[]): string =>
  remarks.filter((one) => one !== undefined).join(' ')

/** What would happen to a row, in a few words: for the preview. Nothing is locked or written. */
export const foresee = async (work: Pick<Work, 'db' | 'venue'>, row: ReadRow): Promise<string> => {
  switch (row.kind) {
    case 'refused':
      return row.sentence
    case 'guests':
      return (await addedTo(work, row.value)) ?? 'New guest'
    case 'subscribers': {
      const { added, known, message } = await outcomeOfImport(work, row.value.email)
      return added
        ? 'Added to the list'
        : known
          ? 'Already on the list: the proof of consent is added'
          : message
    }
    case 'objections':
      return objectionWords[await foreseeObjection(work, row.value)]
    case 'reservations':
      return [
        `${row.value.status}, ${dayAndYearInWords(row.value.date)}, ${timeInWords(row.value.time)}, ${guestsInWords(row.value.partySize)}`,
        (await addedTo(work, contactOf(row.value))) ?? [],
      ]
        .flat()
        .join('. ')
    default:
      return row satisfies never
  }
}

/** "Added to Camille Becker, who has the same phone; their name and email differ"; undefined: nobody is there yet. */
const addedTo = async (
  work: Pick<Work, 'db' | 'venue'>,
  supplied: ContactInFile,
): Promise<string | undefined> => {
  const [found] = await guestsThatMatch(work, supplied)
  if (!found) return undefined
  const { conflicting } = fillIn(found, supplied)
  return `Added to ${found.name ?? found.email ?? found.phone ?? 'a guest'}${differWords(conflicting)}`
}

/** What a row says of who its guest is. */
export type ContactInFile = Partial<Record<'name' | 'email' | 'phone', string | undefined>>

export const contactOf = ({ guestName, email, phone }: ImportedReservation): ContactInFile => ({
  name: guestName ?? undefined,
  email: email ?? undefined,
  phone: phone ?? undefined,
})

/** "; the name and email in the file differ"; empty where they do not. */
export const differWords = (conflicting: FieldValues): string => {
  const fields = (['name', 'email', 'phone'] as const).filter((field) => conflicting[field] !== undefined)
  return fields.length === 0
    ? ''
    : `; the ${listInWords(fields)} in the file ${fields.length === 1 ? 'differs' : 'differ'} and ${fields.length === 1 ? 'is' : 'are'} kept in the staff notes`
}

const guestsInWords = (count: number | null): string =>
  count === null ? 'number of guests unknown' : `${count} ${count === 1 ? 'guest' : 'guests'}`

const objectionWords: Record<ObjectionOutcome, string> = {
  'added as unsubscribed': 'Recorded as unsubscribed',
  'taken off the list': 'Removed from your list',
  'put on the do-not-email list': 'Added to the do-not-email list',
  'put on the do-not-email list and taken off the list':
    'Added to the do-not-email list and removed from your list',
  known: 'Already not emailed: no change',
  'agreed since': 'Stays on your list: they agreed after the date in the file',
}
