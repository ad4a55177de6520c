import { moneyAsideOf } from '../../../book/reservations/guarantee/paid-otherwise.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { activityOfRecord } from '../../../core/activity/reads.ts'
import { staffGuest } from '../../../crm/guests/staff-reads.ts'
import { keepBookingHouse } from '../../../crm/house/actions.ts'
import { houseOfBooking, tagsInUse } from '../../../crm/house/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { dayInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { type Refusal, badRequest, refuse } from '../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { readDate, readTime } from '../../../platform/kernel/time/written-time.ts'
import { type BookRow, presentReservation } from '../../../book/day/book-row.ts'
import { type Party, bookByStaff } from '../../../book/reservations/bookings.ts'
import { changesToAnswer } from '../../../book/reservations/day-book.ts'
import { deleteReservation } from '../../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../../book/reservations/edits/edits.ts'
import { referenceOf } from '../../../book/reservations/reference.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { referenceKeyOf } from '../../../core/venue/reference-key.ts'
import { mailsAbout } from '../../../mail/sent-mails.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { mailLink, renewLink } from '../../../book/reservations/guest/staff-link.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import type { StaffReason } from '../../../book/reservations/staff-reasons.ts'
import { minutesUntil } from '../../../book/day/short-stays.ts'
import { type StaySeen, endsTooSoon, isShort } from '../../../book/reservations/chosen-tables.ts'
import type { When } from '../../../book/day/when.ts'
import { namesOfStaff } from '../../../core/staff/staff-names.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { chooseTables } from '../../../book/tables/choose-tables.ts'
import { givesWay } from '../../../book/tables/staff-choice.ts'
import { labelsHeld } from '../../../book/day/tables-of-booking-reads.ts'
import { featuresOf, wishable } from '../../../book/day/wished-features.ts'
import { textSenderOf } from '../../../book/texts/sender-store.ts'
import { lastTexts } from '../../../book/texts/texts-store.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { turnMinutes } from '../../../book/rules/turn-minutes.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { actorOf } from '../frame/actor.ts'
import { ownPath } from '../frame/own-path.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import {
  backField,
  carriedFields,
  type FormSeen,
  type Typed,
  tokenField,
  typedIn,
  versionIn,
  wholeNumberIn,
} from '../parts/forms/fields.ts'
import { bookingProfileIn, seatingIn, typedBookingHouse } from '../parts/forms/house-fields.ts'
import { partyIn, partySizeIn, whenIn } from '../parts/forms/party-fields.ts'
import { confirmedField } from '../parts/reasons.ts'
import { once } from '../parts/once.ts'
import { warning } from '../parts/press-message.ts'
import { cityOf, guestsInWords, idIn } from '../parts/time-words.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { bookLater, entryFields, entryOf, laterBack, notWaiting, typedEntry } from './book-later.ts'
import { experienceField, experienceIn } from './experience-field.ts'
import { type BookingForm, bookingForm, typedOf } from './booking-form.ts'
import { guestFinds, personOf, typedGuest } from './guest-box.ts'
import { changeGuest, findOtherGuest } from './change-guest.ts'
import { sizeAndDayPads, timeChips } from './times.ts'
import { bookingOf, changedWords } from './booking-press.ts'
import { movedByMaking, movedSentences } from './who-moved.ts'
import { undoBooking, undoEdit, undoOfBooking, undoOfEdit } from './undo-booking.ts'
import { leftUndo } from '../parts/undo.ts'
import { type BookingSeen, bookingPage } from './booking.ts'
import { liveReasons } from './live-reasons.ts'
import { lookNow, mayHaveTable } from './look-now.ts'
import { lengthField, lengthIn, lengthWanted, stayIn } from './table-picks.ts'
import { eveningBack, eveningIn } from '../today/read-day.ts'
import { timeShown } from '../parts/staff-time.ts'
import { askSeen, guaranteePages, guaranteeSeen } from './guarantee/routes.ts'
import { type KnownGuest, emailOfOne, knownAs, whoseBookingIn, whoseQuestion } from './whose-booking.ts'

/** Taking a booking over the phone, and one booking's own page. */
export const bookingPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: '/office/bookings/new',
    role: 'host',
    answer: async (work, { query }) => {
      const date = readDate(query.get('date') ?? '') ?? wallTimeOf(work.now(), work.venue.timezone).date
      const id = idIn(query.get('guest') ?? undefined)
      const guest = id === undefined ? undefined : await staffGuest(work.db, work.venue.id, id)
      const [partySize, time] = [query.get('partySize'), query.get('time') ?? '']
      const entry = await entryOf(work, query.get('entry') ?? '')
      if (entry) {
        const back = laterBack(query.get('back') ?? '')
        const gone = notWaiting(entry)
        if (gone) return go(back, warning(gone))
        const typed = await typedEntry(work, entry, {
          date: readDate(query.get('date') ?? '') ?? null,
          time,
          back,
        })
        return newPage(work, { seen: { typed: { ...typed, ...(partySize !== null && { partySize }) } } })
      }
      const typed = {
        date,
        partySize: partySize ?? '2',
        time: timeShown(time),
        ...(guest && typedGuest(guest)),
      }
      return newPage(work, { seen: { typed } })
    },
  },
  { method: 'GET', path: '/office/bookings/reasons', role: 'host', answer: liveReasons },
  { method: 'GET', path: '/office/bookings/guests', role: 'host', answer: guestFinds },
  { method: 'GET', path: '/office/bookings/:id/guest', role: 'host', answer: findOtherGuest },
  { method: 'POST', path: '/office/bookings/:id/guest', role: 'host', answer: changeGuest },
  {
    method: 'POST',
    path: '/office/bookings',
    role: 'host',
    answer: async (work, { form }) => {
      const party = {
        ...(await askedIn(work, form)),
        durationMinutes: lengthIn(form),
        seating: seatingIn(form),
        experience: await experienceIn(work, form),
        ...stayIn(form),
      }
      const house = bookingProfileIn(form)
      if (party.guestName === null) throw badRequest('Enter a name.')
      const entry = await entryOf(work, form.text('entry'))
      const made = await once(work, 'booking', form, async () => {
        const { choice, others } = await whoseBookingIn(work, form, party)
        if (others.length > 0) return { kind: 'whose', others } as const
        const asked = { ...party, guest: choice }
        const outcome = await (entry
          ? bookEntry(work, form, entry, asked)
          : bookByStaff(work, actorOf(work.me), { ...asked, confirmed: confirmedField(form) }))
        if (outcome.kind === 'done' && house)
          await keepBookingHouse(work, actorOf(work.me), outcome.record.id, house)
        return outcome.kind === 'done' ? outcome.record.id : outcome
      })
      if (typeof made === 'number') return booked(work, form, made, entry)
      switch (made.kind) {
        case 'whose':
          return askWhichGuest(work, form, made.others)
        case 'needs override':
          return newPage(work, againstSheet(typedIn(form), made.reasons), 409)
        case 'not taken':
          return entryChanged(work, form, made.entry, made.sentence)
        default:
          return made satisfies never
      }
    },
    again: async (work, { form }, refusal) => newPage(work, refusedSheet(typedIn(form), refusal)),
  },
  {
    method: 'GET',
    path: '/office/bookings/:id',
    role: 'host',
    answer: async (work, { params }) => {
      const row = await bookingOf(work, idIn(params.id))
      return page(row.guest_name ?? 'Booking', bookingPage(work, await seenOf(work, row)))
    },
  },
  {
    method: 'POST',
    path: '/office/bookings/:id/edits',
    role: 'host',
    answer: async (work, { params, form }) => {
      const row = await bookingOf(work, idIn(params.id))
      const version = versionIn(form)
      const { date, time, startsAt, partySize, guestName, email, phone, notes } = await askedIn(work, form)
      const house = bookingProfileIn(form)
      const { tables, until } = stayIn(form)
      const experience = await experienceIn(work, form, row)
      const rules = await bookingRulesAround(work.db, work.venue, date)
      // From when they sat down; where the time was changed since the end was offered, they stay as long as ever.
      const satSince =
        row.status === 'Seated' && row.seated_at !== null ? toInstant(row.seated_at) : undefined
      const stay = until ? minutesUntil(satSince ?? startsAt, until) : 0
      const whole = lengthIn(form)
      const isStay = isShort(stay, whole ?? turnMinutes(rules, partySize))
      const length = isStay ? stay : whole
      // What was set by hand before is the usual time again where that is chosen now.
      const durationMinutes =
        length ??
        (row.duration_minutes !== null && form.has('length') ? turnMinutes(rules, partySize) : undefined)
      const before = {
        row,
        table: await labelsHeld(work.db, work.venue.id, row.id),
      }
      const outcome = await editReservation(work, actorOf(work.me), {
        id: row.id,
        seenVersion: version,
        changes: {
          when: { date, time, startsAt },
          partySize,
          guestName,
          email,
          phone,
          notes,
          ...(durationMinutes !== undefined && { durationMinutes }),
          ...(experience !== undefined && { experience }),
        },
        confirmed: confirmedField(form),
        tables,
        ...(isStay && satSince && { besides: await endsTooSoon(work, rules, { partySize, tables, until }) }),
      })
      // From the sheet over another page: back there, at the row.
      const over = ownPath(form.text('back'))
      const here = over === undefined ? `/office/bookings/${row.id}` : `${over}#b${row.id}`
      const wished = (await houseOfBooking(work.db, work.venue.id, row.id)).seating
      const isWritten = outcome.kind === 'done' || outcome.kind === 'unchanged'
      const isKept = isWritten && house && (await keepBookingHouse(work, actorOf(work.me), row.id, house))
      const stays =
        isKept && !tables && house.seating !== null && house.seating !== wished
          ? await staysWords(work, row)
          : ''
      switch (outcome.kind) {
        case 'done':
        case 'unchanged': {
          const seated = tables === undefined ? [] : await seatAt(work, row.id, tables)
          if (outcome.kind === 'unchanged' && seated.length === 0 && !isKept)
            return go(here, outcome.sentence)
          const after = await bookingOf(work, row.id)
          // An undo puts back what is said to have changed: not the words about the guest, which may be changed again.
          const isPlaceOnly = !isKept && hasSameWords(row, after)
          const press = [...((outcome.kind === 'done' && outcome.press) || []), ...seated]
          const undo = isPlaceOnly ? undoOfEdit(row, after, press, over ?? here) : undefined
          return go(
            here,
            `${await changedWords(work, before, after)}${sentencesOf(await movedSentences(work, row.id, press))}${stays}`,
            undo && leftUndo(undo),
          )
        }
        case 'refused':
          // With the current version: what was typed is kept and can be submitted again, knowingly.
          return sentPage(work, outcome.record.id, 409, {
            version: outcome.version,
            seen: {
              typed: typedIn(form),
              mistake: outcome.sentence,
              meanwhile:
                outcome.version === version
                  ? undefined
                  : {
                      ...typedOf(outcome.record),
                      ...typedBookingHouse(await houseOfBooking(work.db, work.venue.id, row.id)),
                    },
            },
          })
        case 'needs override':
          return sentPage(work, row.id, 409, { version, ...againstSheet(typedIn(form), outcome.reasons) })
        default:
          return outcome satisfies never
      }
    },
    again: async (work, { params, form }, refusal) => {
      const { id, version } = await bookingOf(work, idIn(params.id))
      return sentPage(work, id, refusal.status, {
        version: wholeNumberIn(form.text('version')) ?? version,
        ...refusedSheet(typedIn(form), refusal),
      })
    },
  },
  {
    method: 'POST',
    path: '/office/bookings/:id/edits/undo',
    role: 'host',
    answer: undoEdit,
    again: async (_work, { params, form }, { message }) =>
      go(backField(form, `/office/bookings/${params.id}`), warning(`${message} Nothing was done.`)),
  },
  {
    method: 'POST',
    path: '/office/bookings/:id/undo',
    role: 'host',
    answer: undoBooking,
    again: async (_work, { form }, { message }) =>
      go(backField(form, '/office/today'), warning(`${message} Nothing was done.`)),
  },
  {
    method: 'POST',
    path: '/office/bookings/:id/link',
    role: 'host',
    answer: async (work, { params, form }) => {
      const { id } = await bookingOf(work, idIn(params.id))
      const here = `/office/bookings/${id}`
      if (form.text('do') !== 'renew') {
        await mailLink(work, actorOf(work.me), id)
        return go(here, 'The link is on its way.')
      }
      const isMailed = await renewLink(work, actorOf(work.me), id)
      return go(here, isMailed ? 'The link has ended; a new one is on its way.' : 'The link has ended.')
    },
    again: async (_work, { params }, { message }) => go(`/office/bookings/${params.id}`, warning(message)),
  },
  ...guaranteePages,
  {
    method: 'POST',
    path: '/office/bookings/:id/delete',
    role: 'manager',
    answer: async (work, { params, form }) => {
      const row = await bookingOf(work, idIn(params.id))
      await deleteReservation(work, actorOf(work.me), row.id, versionIn(form))
      return go(`/office/today?date=${row.service_date ?? ''}`, 'Booking deleted.')
    },
    again: async (_work, { params }, { message }) =>
      go(`/office/bookings/${params.id}`, warning(`${message} It was not deleted.`)),
  },
]

const sentencesOf = (sentences: readonly string[]): string => sentences.map((one) => ` ${one}.`).join('')

/** After another wish where to sit: nobody was moved for it, and which table the party has. */
const staysWords = async ({ db, venue }: OfficeWork, row: BookRow): Promise<string> => {
  const isToCome = row.status === 'Confirmed' && row.checked_in_at === null
  const labels = isToCome ? await labelsHeld(db, venue.id, row.id) : ''
  return labels === ''
    ? ''
    : ` They stay at table ${labels}; choose another one if it is not where they would like to sit.`
}

const tagNames = async ({ db, venue }: OfficeWork): Promise<string[]> =>
  (await tagsInUse(db, venue.id)).map(({ name }) => name)

/** A form that was refused: for a table that somebody else has, said at the button, which takes the next press. */
const refusedSheet = (typed: Typed, { reason, message }: Refusal): Pick<BookingForm, 'seen' | 'taken'> =>
  reason === 'not-in-state' && (typed.table ?? '') !== ''
    ? { seen: { typed: { ...typed, table: '' } }, taken: message }
    : { seen: { typed, mistake: message } }

/**
 * A form that reasons were found against. In the sheet nobody gives way for a table, and none that is out of order can be
 * chosen: what was left to choose from was free, so the next press takes another one.
 */
const againstSheet = (
  typed: Typed,
  reasons: readonly StaffReason[],
): Pick<BookingForm, 'seen' | 'reasons' | 'taken'> => {
  const kept = reasons.find(
    ({ reason }) => reason === 'table-kept' || reason === 'table-off' || reason === 'short-stay',
  )
  return kept
    ? { seen: { typed: { ...typed, table: '' } }, taken: kept.sentence.replace(givesWay, '') }
    : { seen: { typed }, reasons }
}

const hasSameWords = (before: BookRow, after: BookRow): boolean =>
  (['guest_name', 'email', 'phone', 'notes'] as const).every((name) => before[name] === after[name])

/** Puts a booking where staff want it, if it is not there yet. Returns the press, none where nothing changed. */
const seatAt = async (
  work: OfficeWork,
  id: number,
  tables: readonly number[],
): Promise<readonly number[]> => {
  const outcome = await chooseTables(work, actorOf(work.me), { id, tables })
  if (outcome.kind === 'refused') throw refuse('not-in-state', outcome.sentence)
  return outcome.kind === 'done' ? (outcome.press ?? []) : []
}

/** The booking that a press made: back where staff pressed, at what came of it. */
const booked = async (
  work: OfficeWork,
  form: Form,
  id: number,
  entry: EntryRow | undefined,
): Promise<PageAnswer> => {
  const row = await bookingOf(work, id)
  const { service_date: day, time } = row
  const who = `${row.guest_name ?? 'The booking'}, ${guestsInWords(row.party_size)}`
  const at = time === null ? '' : ` at ${timeInWords(time)}`
  const label = await labelsHeld(work.db, work.venue.id, id)
  const table = label && `, table ${label}`
  const moved = sentencesOf(await movedByMaking(work, id))
  if (entry)
    return go(
      `${laterBack(form.text('back'))}#w${entry.id}`,
      `${who}: has a table for later,${at}${table}.${moved}`,
    )
  // From the sheet over a page of the evening: back there, for a booking on any day.
  const over = form.text('back')
  const isOver = eveningIn(over) !== undefined && day !== null
  const back = isOver ? eveningBack(over) : `/office/today?date=${day ?? ''}`
  const undo = undoOfBooking(row, back)
  return go(
    `${back}#b${id}`,
    `${who}${at}${isOver ? ` on ${dayInWords(day)}` : ''}${table}: booked.${moved}`,
    undo && leftUndo(undo),
  )
}

type BookedEntry =
  | { readonly kind: 'done'; readonly record: { readonly id: number } }
  | { readonly kind: 'needs override'; readonly reasons: readonly StaffReason[] }
  /** The party has changed since the sheet was opened. */
  | { readonly kind: 'not taken'; readonly entry: EntryRow; readonly sentence: string }

/** A table for later for a party of the waitlist. */
const bookEntry = async (
  work: OfficeWork,
  form: Form,
  entry: EntryRow,
  { tables, until, date, time, startsAt, ...party }: Party & When & StaySeen,
): Promise<BookedEntry> => {
  const asked = { when: { date, time, startsAt }, party, tables, until, confirmed: confirmedField(form) }
  const outcome = await bookLater(work, form, entry, asked)
  if (outcome.kind === 'needs override') return outcome
  const now = (await entryOf(work, String(entry.id))) ?? entry
  if (outcome.kind !== 'done') return { kind: 'not taken', entry: now, sentence: outcome.sentence }
  if (now.reservation_id === null) throw new Error(`the table for later of party ${entry.id} was not kept`)
  return { kind: 'done', record: { id: now.reservation_id } }
}

/** A sheet of a party that somebody else has moved: nothing that was typed is lost while they still wait. */
const entryChanged = (
  work: OfficeWork,
  form: Form,
  entry: EntryRow,
  sentence: string,
): PageAnswer | Promise<PageAnswer> => {
  if (notWaiting(entry)) return go(laterBack(form.text('back')), warning(`${sentence} Nothing was done.`))
  const typed = { ...typedIn(form), version: String(entry.version), status: entry.status }
  return newPage(work, { seen: { typed, mistake: `${sentence} Nothing is booked yet.` } }, 409)
}

export const newPage = async (
  work: OfficeWork,
  more: Pick<BookingForm, 'seen' | 'reasons' | 'taken'>,
  status?: number,
): Promise<PageAnswer> => {
  const id = idIn(more.seen.typed.guest)
  const guest = id === undefined ? undefined : await staffGuest(work.db, work.venue.id, id)
  const { reasons, ...pads } = await padsOf(work, more.seen)
  const entry = idIn(more.seen.typed.entry)
  const title = entry === undefined ? 'New booking' : 'Book for later'
  return page(
    title,
    html`<div class="page-head">
        <div>
          <h1>${title}</h1>
          <p class="soft small">Times are ${cityOf(work.venue.timezone)} time.</p>
        </div>
      </div>
      <section class="card sheet">
        ${bookingForm({
          reasons: more.taken === undefined ? undefined : reasons,
          ...more,
          action: '/office/bookings',
          hidden: html`${tokenField(more.seen.typed.token)}${entry !== undefined && entryFields(more.seen.typed)}`,
          entry,
          pads,
          person: guest && (await personOf(work, guest)),
          tags: await tagNames(work),
        })}
      </section>`,
    status,
  )
}

const seenOf = async (
  work: OfficeWork,
  row: BookRow,
  seen?: FormSeen,
): Promise<BookingSeen & { readonly against: readonly StaffReason[] }> => {
  const { db, venue, me } = work
  const now = work.now()
  const [
    rules,
    guest,
    [change],
    house,
    tags,
    called,
    said,
    mails,
    guestPages,
    activity,
    sender,
    bookingTexts,
    moneyAside,
    guarantee,
    ask,
  ] = await Promise.all([
    bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date),
    row.guest_id === null ? undefined : staffGuest(db, venue.id, row.guest_id),
    changesToAnswer(db, venue.id, now, row.id),
    houseOfBooking(db, venue.id, row.id),
    tagNames(work),
    namesOfStaff(db, venue.id),
    guestBookingOf(db, venue.id, row.id),
    mailsAbout(db, venue.id, { booking: row.id }),
    guestSettingsOf(db, venue.id),
    mayAct(me.staff.role, 'manager') ? activityOfRecord(db, venue.id, 'reservation', row.id) : undefined,
    textSenderOf(db, venue.id),
    lastTexts(db, venue.id, 'reservation', [row.id]),
    moneyAsideOf(db, venue.id, [row]),
    guaranteeSeen(work, row),
    askSeen(work, row),
  ])
  const place = {
    actor: actorOf(me),
    now,
    today: serviceDateAt(rules, now),
    back: `/office/bookings/${row.id}`,
    timezone: venue.timezone,
    mayText: sender !== undefined,
    bookingTexts,
    moneyAside,
  }
  const typed = { ...typedOf(presentReservation(row)), experience: row.experience ?? '' }
  const { reasons, ...pads } = await padsOf(work, seen ?? { typed }, row)
  const online = {
    said,
    mails,
    settings: guestPages.settings,
    reference: referenceOf(await referenceKeyOf(db, venue.id), row.id),
  }
  return {
    ...{ row, guest, house, tags, called, place, online, change, guarantee, ask, activity, pads },
    against: reasons,
  }
}

/** A refused form, on the page of the booking as it is now. */
const sentPage = async (
  work: OfficeWork,
  id: number,
  status: number,
  sent: NonNullable<BookingSeen['sent']>,
): Promise<PageAnswer> => {
  const row = await bookingOf(work, id)
  const { against, ...seen } = await seenOf(work, row, sent.seen)
  const reasons = sent.taken === undefined ? sent.reasons : against
  return page(row.guest_name ?? 'Booking', bookingPage(work, { ...seen, sent: { ...sent, reasons } }), status)
}

/** What was typed, as a booking; 400 with a sentence for anything that cannot be read. */
const askedIn = async (work: OfficeWork, form: Form) => ({
  ...(await whenIn(work, form)),
  partySize: partySizeIn(form),
  ...partyIn(form),
})

/** Asked before anything is made: book for the guest who is known, or make a new one. Nothing that was typed is lost. */
const askWhichGuest = async (
  work: OfficeWork,
  form: Form,
  guests: readonly KnownGuest[],
): Promise<PageAnswer> => {
  const answered = (answers: Html) =>
    html`<form class="inline" method="post" action="/office/bookings">
      ${carriedFields(form, ['guest'])} ${answers}
    </form>`
  return page(
    'Whose booking?',
    html`<div class="page-head"><h1>${knownAs(guests)}</h1></div>
      <section class="card sheet">
        ${await whoseQuestion(work, guests, form.text('guestName'), answered)}
        ${emailOfOne(guests)}
      </section>`,
    409,
  )
}

/** What can be pressed in the sheet, and where tables decide what speaks against what is typed. */
const padsOf = async (
  work: OfficeWork,
  seen: FormSeen,
  booking?: BookRow,
): Promise<BookingForm['pads'] & { readonly reasons: readonly StaffReason[] }> => {
  const { db, venue, now } = work
  const { typed } = seen
  const wall = wallTimeOf(now(), venue.timezone)
  const size = wholeNumberIn(typed.partySize ?? '') ?? 2
  const date = readDate(typed.date ?? '') ?? wall.date
  const partySize = size < 1 || size > limits.partyGuests ? 2 : size
  const rules = await bookingRulesAround(db, venue, date)
  const asked = {
    date,
    time: typed.time === '' ? undefined : (readTime(typed.time ?? '') ?? typed.time),
    partySize,
    durationMinutes: lengthWanted(rules, { partySize, booking }, typed.length),
    seating: typed.seating,
    booking: booking?.id,
    entry: idIn(typed.entry),
    guest: idIn(typed.guest),
    experience: typed.experience,
  }
  // A party in line gets a table; what goes with it is chosen on the booking.
  const experience = asked.entry === undefined ? experienceField(seen, rules, booking) : undefined
  const { sizes, days } = sizeAndDayPads(asked, wall.date)
  const times = await timeChips(work, asked, booking)
  const features = rules.floor ? featuresOf(wishable(rules.floor)) : []
  if (!rules.floor || !mayHaveTable(booking)) return { sizes, days, times, features, experience, reasons: [] }
  const look = await lookNow(work, rules, asked, { booking, chosen: typed.table ?? '' })
  const length = lengthField(seen, rules, { partySize, booking, tables: look?.tables })
  return {
    sizes,
    days,
    times,
    features,
    length,
    experience,
    tables: look?.tables,
    reasons: look?.reasons ?? [],
  }
}
