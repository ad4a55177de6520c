import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { dayInWords, minuteInWords } from '../../../platform/kernel/time/in-words.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { bookedReservation } from '../../../book/day/book-row.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { type PageAnswer, part } from '../frame/page.ts'
import { wholeNumberIn } from '../parts/forms/fields.ts'
import { tooManyGuests } from '../parts/forms/party-fields.ts'
import { idIn } from '../parts/time-words.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { sendPart } from './booking-form.ts'
import { look } from './look-now.ts'
import { type TablesSeen, lengthField, lengthWanted, tablePicks } from './table-picks.ts'
import { timeChips } from './times.ts'

/**
 * What the sheet says while it is filled in: how the time was understood, the times of its day, and at the button the
 * reasons against it. The request carries only what is wanted of the book: nothing about the guest goes into a URL.
 */
export const liveReasons = async (work: OfficeWork, { query }: OfficeRequest): Promise<PageAnswer> => {
  const partySize = wholeNumberIn(query.get('partySize') ?? '')
  if (partySize !== undefined && partySize > limits.partyGuests)
    return part(
      html`<p class="soft">${tooManyGuests()}</p>${sendPart(query.has('booking'), [], { renewed: true })}`,
    )
  const { db, venue } = work
  const [date, typed] = [readDate(query.get('date') ?? ''), query.get('time') ?? '']
  const isEdit = query.has('booking')
  const edited = idIn(query.get('booking') ?? undefined)
  const plain = sendPart(isEdit, [], { renewed: true })
  if (date === undefined || !partySize)
    return part(html`<p class="soft">Enter a time and a party size.</p>${plain}`)
  const rules = await bookingRulesAround(db, venue, date)
  const booking = edited === undefined ? undefined : await bookedReservation(db, venue.id, edited)
  const typedLength = query.get('length') ?? undefined
  const durationMinutes = lengthWanted(rules, { partySize, booking }, typedLength)
  const lengthFor = (tables?: TablesSeen) =>
    typedLength !== undefined &&
    lengthField({ typed: { length: typedLength } }, rules, { partySize, booking, tables }, { renewed: true })
  const entry = idIn(query.get('entry') ?? undefined)
  const seating = query.get('seating') ?? undefined
  const experience = query.get('experience') ?? undefined
  const asked = { date, partySize, durationMinutes, seating, booking: edited, entry, experience }
  if (typed.trim() === '')
    return part(
      html`<p class="soft">Press a time, or type one.</p>${await timeChips(work, asked, booking)}${lengthFor()}${plain}`,
    )
  try {
    const chosen = query.get('table') ?? ''
    const found = await look(work, rules, { ...asked, time: typed }, { booking, chosen })
    const { when, reasons, notes, day, covers, mostCovers, tables } = found
    const { place } = day
    const evening =
      place.serviceDate === when.date ? '' : `, in the book for ${dayInWords(place.serviceDate)}`
    // Of a time that is over, how full its slot was is of no use.
    const passed = reasons.find(({ reason }) => reason === 'in-the-past')
    const understood = html`<p class="${reasons.length > 0 || (mostCovers !== null && covers > mostCovers) ? 'hint' : 'notice'}">
          ${minuteInWords(place.serviceMinute)} on ${dayInWords(when.date)}${evening}:
          ${mostCovers === null ? 'no limit on arrivals' : `${covers} of ${mostCovers} guests with this party`}.
        </p>
        ${notesPart(notes)}`
    return part(
      html`${passed ? html`<p class="hint">${passed.sentence}</p>` : understood}
        ${await timeChips(work, { ...asked, date: place.serviceDate, time: when.time }, booking)}
        ${tables && tablePicks(tables, { renewed: true })} ${lengthFor(tables)}
        ${sendPart(isEdit, reasons, { renewed: true, tables })}`,
    )
  } catch (error) {
    if (error instanceof Refusal && error.status === 400)
      return part(
        html`<p class="soft">${error.message}</p>${await timeChips(work, asked, booking)}${lengthFor()}${plain}`,
      )
    throw error
  }
}

/** What would keep a guest from booking this online; staff only read it. */
const notesPart = (sentences: readonly string[]): Html | undefined =>
  sentences.length === 0
    ? undefined
    : html`<p class="soft small">Not online: ${sentences.join(' ')} Staff can book it.</p>`
