import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { typedPhone } from '../../../platform/kernel/typed-fields.ts'
import { type BookRow, bookedReservation } from '../../../book/day/book-row.ts'
import { walkIn } from '../../../book/reservations/bookings.ts'
import { takeBackBooking } from '../../../book/reservations/delete-reservation.ts'
import { unreachedGuests } from '../../../book/reservations/guest/sent-mails.ts'
import { strandedBookings } from '../../../book/reservations/guest/stranded-bookings.ts'
import { joinWaitlist } from '../../../book/waitlist/actions.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, type SheetName, go, nothing, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { minuteMark } from '../parts/each-minute.ts'
import { minutesField, tokenField, versionIn, wholeNumberIn } from '../parts/forms/fields.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { once } from '../parts/once.ts'
import { guestNameIn, partySizeIn } from '../parts/forms/party-fields.ts'
import { confirmedAlready, overrideButton, confirmedField, reasonsList } from '../parts/reasons.ts'
import { said, saidPlace, warning } from '../parts/press-message.ts'
import { doneOf } from '../parts/press.ts'
import { strandedPart } from '../bookings/stranded-link.ts'
import { stayIn, tablesField } from '../parts/forms/table-fields.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import { type Undo, leftUndo } from '../parts/undo.ts'
import { seatedWords } from '../bookings/who-moved.ts'
import { bookAt, renewedBook } from '../today/book.ts'
import { bookQueryIn, eveningBack, readDay } from '../today/read-day.ts'
import { whoseField, knownAs, whoseBookingIn, whoseQuestion } from '../bookings/whose-booking.ts'
import { joinedAnswer } from '../waitlist/joined.ts'
import { longestQuoteMinutes } from '../../../book/waitlist/states.ts'
import { failedStaffMails } from '../../../mail/mail-staff.ts'
import { shiftNotesOf } from '../../../core/venue/shift-notes.ts'
import { firstSteps } from './first-steps.ts'
import { padAnswer } from './pad.ts'
import { serviceBody, serviceHead } from './service.ts'
import { failedStaffMailPart } from './staff-mail.ts'
import { unreachedPart } from './unreached.ts'

/** A page of tonight, and its part that renews itself. */
export const eveningPage =
  (path: '/office/service' | '/office/floor', title: string, sheet?: SheetName): VenuePage['answer'] =>
  async (work, { query, partOnly }) => {
    // Asked for all evening by every screen: one small statement while nothing changes.
    if (partOnly && query.get('seen') === (await minuteMark(work))) return nothing
    const asked = bookQueryIn(`${path}?${query.toString()}`)
    if (partOnly) return part(renewedBook(work, await readDay(work, asked)))
    const size = sizeIn(query)
    const [day, pad] = await Promise.all([
      readDay(work, asked),
      size === undefined ? undefined : padAnswer(work, size, path),
    ])
    const unreached = await unreachedGuests(work.db, work.venue.id, day.today)
    const stranded = await strandedBookings(work)
    const failed = await failedStaffMails(work.db, work.venue.id)
    const steps = await firstSteps(work, day.rules)
    const notes = await shiftNotesOf(work.db, work.venue.id, day.date)
    return {
      ...page(
        title,
        serviceBody(work, { ...day, pad }, notes, [
          steps,
          unreachedPart(unreached, day.unreached, day.today),
          strandedPart(stranded.length),
          failedStaffMailPart(work, failed),
        ]),
      ),
      lintel: serviceHead(work, day),
      saysBelow: true,
      ...(sheet && { sheet }),
    }
  }

/** The first screen: tonight, as a host works in it. */
export const servicePages: readonly VenuePage[] = [
  { method: 'GET', path: '/office/service', role: 'host', answer: eveningPage('/office/service', 'Service') },
  {
    method: 'GET',
    path: '/office/service/pad',
    role: 'host',
    answer: async (work, { query }) => {
      const size = sizeIn(query)
      return part(
        size === undefined
          ? html`<p>Press a size, or type how many: 1 to ${limits.partyGuests} guests.</p>`
          : await padAnswer(work, size, eveningBack(query.get('back') ?? '')),
      )
    },
  },
  {
    method: 'POST',
    path: '/office/service/walk-ins',
    role: 'host',
    answer: (work, asked) => (asked.form.has('wait') ? wait(work, asked) : seat(work, asked)),
    again: async (work, asked, { message }) => notTaken(work, asked, message),
  },
  {
    method: 'POST',
    path: '/office/service/walk-ins/:id/undo',
    role: 'host',
    answer: (work, asked) => takeBack(work, asked),
    again: async (work, asked, { message }) =>
      told(work, asked, `${message} Nothing was done.`, { tone: 'warn' }),
  },
]

const sizeIn = (query: URLSearchParams): number | undefined => {
  const size = wholeNumberIn(query.get('size') ?? '') ?? wholeNumberIn(query.get('other') ?? '')
  return size !== undefined && size > 0 && size <= limits.partyGuests ? size : undefined
}

const partyAtDoor = (form: Form) => ({
  guestName: guestNameIn(form),
  partySize: partySizeIn(form),
  phone: typedPhone('The phone number', form.text('phone')),
})

/** The walk-in as it was sent, around the buttons that answer a question about it. */
const walkInForm = (
  form: Form,
  { partySize, guestName, phone }: ReturnType<typeof partyAtDoor>,
  answers: Html,
): Html => {
  const stay = stayIn(form)
  return listForm(
    '/office/service/walk-ins',
    { partySize, guestName, phone, back: eveningBack(form.text('back')) },
    html`${tokenField(form.text('token'))}${tablesField(stay.tables, stay.until)}${whoseField(form)}${answers}`,
    { look: '' },
  )
}

const seat = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form } = asked
  const party = partyAtDoor(form)
  const { tables, until } = stayIn(form)
  const made = await once(work, 'walk-in', form, async () => {
    const { choice, others } = await whoseBookingIn(work, form, party)
    if (others.length > 0) return { kind: 'whose', others } as const
    const seating = { ...party, guest: choice, confirmed: confirmedField(form), tables, until }
    const outcome = await walkIn(work, actorOf(work.me), seating)
    return outcome.kind === 'done' ? outcome.record.id : outcome
  })
  if (typeof made === 'number') return seated(work, asked, made)
  switch (made.kind) {
    case 'whose': {
      const title = knownAs(made.others)
      const pad = await whoseQuestion(work, made.others, party.guestName, (answers) =>
        walkInForm(form, party, html`${confirmedAlready(form)}${answers}`),
      )
      return told(work, asked, `${title}. Nobody is seated yet.`, { tone: 'warn', pad, title })
    }
    case 'needs override': {
      const isUnseen = form.has('unseen') && !form.has('confirmed')
      const isKnown = isUnseen || made.reasons.every(({ isSaid = false }) => isSaid)
      // Somebody was faster: what there is now is below the question, so that the size need not be pressed again.
      const now =
        !isKnown &&
        tables &&
        (await padAnswer(work, party.partySize, eveningBack(form.text('back')), typedIn(form)))
      return told(
        work,
        asked,
        `${isKnown ? 'Seat anyway?' : tables ? 'That has changed:' : 'The slot has filled up:'} ${made.reasons.map(({ sentence }) => sentence).join(' ')} Nobody was seated.`,
        {
          tone: 'warn',
          pad: html`${reasonsList(made.reasons)}${walkInForm(form, party, overrideButton(made.reasons, 'Seat anyway'))}${now}`,
        },
      )
    }
    default:
      return made satisfies never
  }
}

/** A press that was refused: what was typed stays, at what can be done for the party now. */
const notTaken = async (work: OfficeWork, asked: OfficeRequest, message: string): Promise<PageAnswer> => {
  const { form } = asked
  const size = sizeIn(new URLSearchParams({ size: form.text('partySize') }))
  const nobody = form.has('wait') ? 'Nobody is on the waitlist for it.' : 'Nobody was seated.'
  const sentence = `${message} ${nobody}`
  if (size === undefined) return told(work, asked, sentence, { tone: 'warn' })
  const now = await padAnswer(work, size, eveningBack(form.text('back')), typedIn(form))
  const pad = html`<p class="strong">${sentence}</p>${now}`
  return told(work, asked, sentence, { tone: 'warn', pad, title: nobody.replace('.', '') })
}

const typedIn = (form: Form) => ({ guestName: form.text('guestName'), phone: form.text('phone') })

/** The walk-in that a press seated, and its undo while nothing has happened to it since. */
const seated = async (work: OfficeWork, asked: OfficeRequest, id: number): Promise<PageAnswer> => {
  const { db, venue } = work
  const row = await bookedReservation(db, venue.id, id)
  if (!row) return told(work, asked, 'This walk-in was taken back since. Nothing was done.', { tone: 'warn' })
  const undo: Undo = {
    to: `/office/service/walk-ins/${id}/undo`,
    hidden: { version: row.version, back: eveningBack(asked.form.text('back')) },
    id: `u${id}-undo`,
  }
  const isFresh = row.status === 'Seated' && row.version === 1
  return told(work, asked, `${walkInWords(row)}: ${await seatedWords(work, id)}.`, {
    undo: isFresh ? undo : undefined,
    at: `#b${id}`,
  })
}

const walkInWords = ({ guest_name, party_size }: BookRow): string =>
  `${guest_name ?? 'A walk-in'}, ${guestsInWords(party_size)}`

/**
 * Takes a walk-in back as a mistake, as a recall does for a party from the waitlist: there was no booking before it, so
 * none stays. Only while nothing happened to it since.
 */
const takeBack = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const id = idIn(asked.params.id)
  const row = id === undefined ? undefined : await bookedReservation(work.db, work.venue.id, id)
  if (!row || row.source !== 'walkin' || row.status !== 'Seated')
    return told(work, asked, 'This walk-in is no longer at a table. Nothing was done.', { tone: 'warn' })
  await takeBackBooking(work, actorOf(work.me), row.id, versionIn(asked.form))
  return told(work, asked, `${walkInWords(row)}: walk-in removed.`)
}

const wait = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form } = asked
  const party = partyAtDoor(form)
  const quotedMinutes = minutesField(form, 'wait', longestQuoteMinutes) ?? ('estimated' as const)
  const id = await once(work, 'walk-in', form, async () => {
    const entry = await joinWaitlist(work, actorOf(work.me), {
      ...party,
      quotedMinutes,
      // The button says what the service suggests.
      quotedByHand: false,
      windowStart: null,
      windowEnd: null,
    })
    return entry.id
  })
  const { sentence, undo } = await joinedAnswer(work, id, eveningBack(form.text('back')))
  return told(work, asked, sentence, { undo, at: `#w${id}` })
}

type Told = {
  readonly tone?: 'good' | 'warn'
  readonly undo?: Undo | undefined
  /** Under the pad; nothing clears it. */
  readonly pad?: Html
  /** Of the page that asks without script. */
  readonly title?: string
  /** The row to come back to without script. */
  readonly at?: string
}

/** What came of a press at the pad: the lists as they are now, and a sentence in the last line. */
const told = async (
  work: OfficeWork,
  { partOnly, form }: Pick<OfficeRequest, 'partOnly' | 'form'>,
  sentence: string,
  { tone = 'good', undo, pad, title = 'Seat anyway?', at = '' }: Told = {},
): Promise<PageAnswer> => {
  const home = eveningBack(form.text('back'))
  if (!partOnly) {
    if (!pad)
      return go(`${home}${at}`, tone === 'good' ? sentence : warning(sentence), undo && leftUndo(undo))
    return page(
      title,
      html`<div class="page-head"><h1>${title}</h1></div><section class="card">${pad}<a class="button" href="${home}">Never mind</a></section>`,
      409,
    )
  }
  const lists = await bookAt(work, home)
  return part(
    html`${lists}<div id="pad-answer" class="pad-answer" role="status" hx-swap-oob="innerHTML">${pad}</div>
      ${saidPlace(said(sentence, { tone, undo }))}`,
    doneOf(tone === 'good' ? sentence : warning(sentence), undo),
  )
}
