import { type Html, html } from '../../../../platform/html/html.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { momentWallReaches, wallTimeOf } from '../../../../platform/kernel/time/venue-clock.ts'
import { readDate, readTime } from '../../../../platform/kernel/time/written-time.ts'
import { badRequest } from '../../../../platform/kernel/refusal.ts'
import type { BookRow } from '../../../../book/day/book-row.ts'
import type { AskByStaff } from '../../../../book/reservations/guarantee/asked/ask-booking.ts'
import type { Form } from '../../frame/page.ts'
import { type FormSeen, areaField, choiceField, lineField } from '../../parts/forms/fields.ts'
import { centsField } from '../../parts/money.ts'

/* Asking for a card or a deposit of a booking that is there: the form on its sheet. */

/** With the sentence after them, in any language, they fit beside the button of the processor's page. */
const noteCharacters = 800

/** Guests are given two days, or until the booking begins. */
const usualHours = 48

const suggested = (
  { starts_at }: Pick<BookRow, 'starts_at'>,
  timezone: string,
  now: Temporal.Instant,
): Record<string, string> => {
  const starts = starts_at === null ? now : toInstant(starts_at)
  const usual = now.add({ hours: usualHours })
  const { date, time } = wallTimeOf(Temporal.Instant.compare(usual, starts) < 0 ? usual : starts, timezone)
  return { asks: 'deposit', per: 'party', hours: '24', untilDate: date, untilTime: time }
}

export type AskSeen = {
  readonly booking: Pick<BookRow, 'id' | 'starts_at' | 'email'>
  readonly timezone: string
  readonly now: Temporal.Instant
  /** Whether an account takes money. */
  readonly isConnected: boolean
}

export const askForm = ({ booking, timezone, now, isConnected }: AskSeen): Html => {
  const seen: FormSeen = { typed: suggested(booking, timezone, now) }
  const inTheWay =
    booking.email === null
      ? 'Add the guest’s email address first: they are sent a link to their own page.'
      : isConnected
        ? undefined
        : 'No Stripe account is connected; an owner connects one under Settings, Payments.'
  return html`<section class="card" id="guarantee">
    <h2>Card or deposit</h2>
    ${
      inTheWay === undefined
        ? html`<details>
            <summary>Ask for a card or a deposit</summary>
            <form class="form" method="post" action="/office/bookings/${booking.id}/guarantee">
              <div class="fields">
                ${choiceField(seen, {
                  name: 'asks',
                  label: 'Ask for',
                  choices: [
                    ['deposit', 'A deposit'],
                    ['card', 'A card'],
                  ],
                })}
                ${lineField(seen, { name: 'amount', label: 'Amount', numeric: 'decimal', placeholder: '50.00', required: true })}
                ${choiceField(seen, {
                  name: 'per',
                  label: 'For',
                  choices: [
                    ['party', 'The party'],
                    ['guest', 'Each guest'],
                  ],
                })}
                ${lineField(seen, { name: 'hours', label: 'Free until (hours before)', numeric: 'numeric' })}
                ${lineField(seen, { name: 'untilDate', label: 'To be done by', type: 'date', required: true })}
                ${lineField(seen, { name: 'untilTime', label: 'At', type: 'time', required: true })}
              </div>
              ${areaField(seen, {
                name: 'note',
                label: 'Your words to the guest',
                rows: 2,
                most: noteCharacters,
                hint: 'Comes before the sentence that the guest agrees to. May be empty.',
              })}
              <div><button class="primary" name="do" value="ask">Ask the guest</button></div>
              <p class="small soft">They are emailed a link to their own page, with the exact sentence and the button.</p>
            </form>
          </details>`
        : html`<p class="small soft">${inTheWay}</p>`
    }
  </section>`
}

/** What was typed; 400 with a sentence for anything that cannot be read. */
export const askIn = (form: Form, booking: number, timezone: string): AskByStaff => {
  const [date, time] = [readDate(form.text('untilDate').trim()), readTime(form.text('untilTime').trim())]
  const hours = form.text('hours').trim() || '24'
  if (date === undefined || time === undefined) throw badRequest('Enter by when it is to be done.')
  if (!/^\d{1,3}$/.test(hours))
    throw badRequest('The hours before the booking must be a whole number up to 999.')
  const note = form.text('note').trim()
  if (note.length > noteCharacters)
    throw badRequest(`Your words must be at most ${noteCharacters} characters.`)
  return {
    booking,
    kind: form.text('asks') === 'card' ? 'card' : 'deposit',
    amountCents: centsField(form, 'amount', 'The amount'),
    per: form.text('per') === 'guest' ? 'guest' : 'party',
    freeUntilHours: Number(hours),
    note: note === '' ? null : note,
    until: momentWallReaches({ date, time }, timezone),
  }
}
