import { type WaitlistEntry, waitlistStatuses } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Context } from '../../../context.ts'
import type { GuestChoice } from '../../../crm/guests/actions.ts'
import { html } from '../../../platform/html/html.ts'
import { type Refusal, badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { Outcome } from '../../../book/day/outcome.ts'
import { moveEntry } from '../../../book/waitlist/actions.ts'
import { type WaitlistOutcome, entryDone } from '../../../book/waitlist/outcome.ts'
import { waitlistEntry } from '../../../book/waitlist/reads.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { type WaitlistMoveName, longestQuoteMinutes, waitlistMoves } from '../../../book/waitlist/states.ts'
import { offerByHand } from '../../../book/waitlist/offers.ts'
import { recallParty, seatFromWaitlist } from '../../../book/waitlist/seat-party.ts'
import { mailPlace, renewPlace } from '../../../book/waitlist/staff-link.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, page } from '../frame/page.ts'
import { hiddenFields, minutesField, versionIn } from '../parts/forms/fields.ts'
import { ownPress } from '../parts/own-press.ts'
import { type Press, answerPress, answerUndone, askFirst } from '../parts/press.ts'
import { confirmedAlready, confirmedField } from '../parts/reasons.ts'
import { tablesField } from '../parts/forms/table-fields.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import type { Undo } from '../parts/undo.ts'
import { sizeAtTables } from '../floor/size-at-tables.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { bookAt } from '../today/book.ts'
import { eveningBack, eveningIn } from '../today/read-day.ts'
import {
  type KnownGuest,
  isTheirEmail,
  knownAs,
  whoseField,
  whoseBookingIn,
  whoseQuestion,
} from '../bookings/whose-booking.ts'
import { changeParty } from './change.ts'
import { entryForm, moveTyped, stayTyped } from './entry.ts'
import { madeWords, recordedWords } from './press-words.ts'
import { linePart } from './line.ts'
import { readLine } from './read-line.ts'
import { waitlistPage } from './waitlist.ts'

/** One press of a button on a waiting party, with what the page showed, as in the book. */
export const moveParty = async (
  context: Pick<Context, 'mail'>,
  work: OfficeWork,
  asked: OfficeRequest,
): Promise<PageAnswer> => {
  const { form } = asked
  const row = await partyOf(work, asked)
  const status = waitlistStatuses.find((known) => known === form.text('status'))
  const move = moveTyped(form)
  if (!status) throw badRequest('This form is incomplete; open the page again.')
  if (move === 'mailLink' || move === 'renewLink') return linkOf(work, asked, row, move)
  if (move === 'change')
    return changeParty(work, form, row, {
      press: pressOf(work, asked, row, 'Change'),
      ...placeOf(form),
    })
  if (!isMove(move)) throw badRequest('This button is unknown; reload the page.')
  const seen = {
    id: row.id,
    seenStatus: status,
    seenVersion: versionIn(form),
    isUndo: form.text('undo') !== '',
  }
  // Asked only of a party that is as the page showed it: of any other the press is refused anyway.
  const isSeen = row.status === status && row.version === seen.seenVersion
  const whose = move === 'seatNow' && isSeen ? await whoseBookingIn(work, form, personOfRow(row)) : undefined
  if (whose && whose.others.length > 0) return askWhichGuest(work, asked, row, whose.others)
  const now = work.now()
  const { tables = [] } = move === 'seatNow' && isSeen ? stayTyped(form) : {}
  const size = form.has('confirmed') ? undefined : await sizeAtTables(work, row, tables)
  const made: WaitlistOutcome = size
    ? { kind: 'needs override', reasons: [size] }
    : await make(work, move, form, { ...seen, guest: whose?.choice })
  const again =
    made.kind === 'refused' || made.kind === 'unchanged'
      ? await sentAgain(work, asked, move, seen)
      : undefined
  const outcome = again ? entryDone(again.row) : made
  if (outcome.kind === 'refused' && form.text('quotedMinutes') !== '')
    return notTaken(work, asked, row, `${outcome.sentence} Nothing was done.`)
  const told =
    outcome.kind === 'done' ? await recordedWords(context, work, move, row, again?.at ?? now) : undefined
  return answerPress(pressOf(work, asked, row, waitlistMoves[move].label), outcome, (done) => ({
    words: told ?? madeWords(move, done.record, seen.isUndo),
    ...undoOf(move, done, form),
  }))
}

/** The party as this very press left it, and when, if it is sent again: its answer was lost, or it is a double tap. */
const sentAgain = async (
  work: OfficeWork,
  asked: OfficeRequest,
  move: WaitlistMoveName,
  { id, seenVersion }: Pick<Seen, 'id' | 'seenVersion'>,
): Promise<{ readonly row: EntryRow; readonly at: Temporal.Instant } | undefined> => {
  const row = await partyOf(work, asked)
  const own = await ownPress(work, { kind: 'waitlist_entry', id }, row, { action: move, seenVersion })
  const quoted = asked.form.text('quotedMinutes')
  const isSame = move !== 'quote' || quoted === '' || Number(quoted) === row.quoted_minutes
  return own && isSame ? { row, at: toInstant(own.at) } : undefined
}

/** The waitlist keeps no guest until a party is seated; then staff say whether it is the one who is known by its phone. */
const askWhichGuest = async (
  work: OfficeWork,
  asked: OfficeRequest,
  row: EntryRow,
  guests: readonly KnownGuest[],
): Promise<PageAnswer> => {
  const press = pressOf(work, asked, row, waitlistMoves.seatNow.label)
  const question = await whoseQuestion(work, guests, row.guest_name, (answers) =>
    press.again(html`${confirmedAlready(asked.form)}${answers}`),
  )
  return askFirst(
    press,
    knownAs(guests),
    html`${question}${isTheirEmail(guests) && html`<p class="soft small">An email address belongs to one guest: somebody new is seated without it.</p>`}`,
  )
}

const personOfRow = ({ guest_name, email, phone }: EntryRow) => ({ guestName: guest_name, email, phone })

/** A press of a button for a party's private link: nothing of the party changes. */
const linkOf = async (
  work: OfficeWork,
  asked: OfficeRequest,
  row: EntryRow,
  what: 'mailLink' | 'renewLink',
): Promise<PageAnswer> => {
  const staff = actorOf(work.me)
  const isMailed = what === 'mailLink' || (await renewPlace(work, staff, row.id))
  if (what === 'mailLink') await mailPlace(work, staff, row.id)
  const words =
    what === 'mailLink'
      ? 'their link is on its way'
      : isMailed
        ? 'the link has ended; a new one is on its way'
        : 'the link has ended'
  return answerPress(pressOf(work, asked, row, ''), entryDone(row), () => ({ words }))
}

const pressOf = (
  work: OfficeWork,
  { partOnly, form }: OfficeRequest,
  row: EntryRow,
  label: string,
): Press => ({
  partOnly,
  where: `${ofService(form) ? eveningBack(form.text('back')) : '/office/waitlist'}#w${row.id}`,
  list: async () => (ofService(form) ? bookAt(work, form.text('back')) : linePart(await readLine(work, 0))),
  who: `${nameOf(row)}, ${guestsInWords(row.party_size)}`,
  label,
  again: (confirm) => {
    const stay = stayTyped(form)
    const typed = [
      hiddenFields({ move: moveTyped(form) }),
      tablesField(stay.tables, stay.until),
      whoseField(form),
    ]
    return entryForm(row, html`${typed}${confirm}`, { live: partOnly, ...placeOf(form) })
  },
})

/** Pressed on a page of the evening, or on the waitlist's own page. */
const ofService = (form: Form): boolean => eveningIn(form.text('back')) !== undefined
const placeOf = (form: Form) =>
  ({ list: ofService(form) ? '#book' : '#line', back: form.text('back') }) as const

/** A form with a time or number that cannot be read. */
export const unreadMove = async (
  work: OfficeWork,
  asked: OfficeRequest,
  { message }: Refusal,
): Promise<PageAnswer> => {
  const row = await partyOf(work, asked)
  return notTaken(work, asked, row, message)
}

/** A move that was refused: what was typed for it stays in the party's row. */
const notTaken = async (
  work: OfficeWork,
  asked: OfficeRequest,
  row: EntryRow,
  sentence: string,
): Promise<PageAnswer> => {
  if (asked.partOnly) return answerUndone(pressOf(work, asked, row, ''), sentence)
  const typed = { id: row.id, minutes: asked.form.text('quotedMinutes') }
  const line = await readLine(work, 0)
  return page(
    'Waitlist',
    waitlistPage({ ...line, place: { ...line.place, typed } }, { mistake: sentence }),
    409,
  )
}

const partyOf = async ({ db, venue }: OfficeWork, { params }: OfficeRequest): Promise<EntryRow> => {
  const id = idIn(params.id)
  const row = id === undefined ? undefined : await waitlistEntry(db, venue.id, id)
  if (!row) throw notFound('party on the waitlist')
  return row
}

const isMove = (name: string): name is WaitlistMoveName => Object.hasOwn(waitlistMoves, name)

type Seen = {
  readonly id: number
  readonly seenStatus: (typeof waitlistStatuses)[number]
  readonly seenVersion: number
  readonly isUndo: boolean
  readonly guest: GuestChoice | undefined
}

const make = async (
  work: OfficeWork,
  move: WaitlistMoveName,
  form: Form,
  { guest, ...seen }: Seen,
): Promise<WaitlistOutcome> => {
  const actor = actorOf(work.me)
  const confirmed = confirmedField(form)
  switch (move) {
    case 'seatNow':
      return seatFromWaitlist(work, actor, { ...seen, confirmed, guest, ...stayTyped(form) })
    case 'bookForLater':
      throw badRequest('Use the booking form to choose a time.')
    case 'recall':
      return recallParty(work, actor, seen)
    case 'offer':
      return offerByHand(work, actor, seen)
    case 'acceptOffer':
      throw badRequest('Only the guest can take an offer.')
    default: {
      const quotedMinutes =
        move === 'quote' ? minutesField(form, 'quotedMinutes', longestQuoteMinutes) : undefined
      const typed = stayTyped(form)
      return moveEntry(work, actor, {
        ...seen,
        move,
        ...(quotedMinutes !== undefined && { quotedMinutes }),
        ...(typed.until && { stay: typed }),
      })
    }
  }
}

/** The move that undoes another. */
const undoing: Partial<Record<WaitlistMoveName, WaitlistMoveName>> = {
  page: 'notYet',
  offer: 'notYet',
  seatNow: 'recall',
  bookForLater: 'recall',
  leave: 'rejoin',
  quote: 'quote',
}

const undoOf = (
  move: WaitlistMoveName,
  { record: { id, status }, version }: Extract<Outcome<WaitlistEntry>, { kind: 'done' }>,
  form: Form,
) => {
  const back = undoing[move]
  if (!back) return {}
  const undo: Undo = {
    to: `/office/waitlist/${id}/moves`,
    hidden: { version, status: status ?? '', back: form.text('back'), undo: '1' },
    press: ['move', back],
    id: `w${id}-${back}`,
    list: placeOf(form).list,
  }
  return { undo }
}

const nameOf = ({ guest_name }: EntryRow): string => guest_name ?? 'A party'
