import { type Html, html } from '../../../platform/html/html.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import { type SentMail, mailName } from '../../../mail/sent-mails.ts'
import type { GuestBookingRow } from '../../../book/reservations/guest/guest-booking.ts'
import { mailedWhen, reminderAt } from '../../../book/reservations/guest/booking-mails.ts'
import { mayMailLink } from '../../../book/reservations/guest/staff-link.ts'
import { lastTextPart } from '../texts/last-text.ts'
import { textLink } from '../texts/text-link.ts'
import type { RowPlace } from '../today/booking-row.ts'

export type GuestSaid = {
  /** What the guest said online; undefined for a booking that has no link yet. */
  readonly said: GuestBookingRow | undefined
  readonly mails: readonly SentMail[]
  /** Whether the venue has us mail what happens to bookings by connected software, and when guests are reminded. */
  readonly settings: Pick<GuestSettings, 'mailConnected' | 'reminderHours'>
  /** What the booking is called on the guest's page and in their mail. */
  readonly reference: string
}

/** What a guest said when booking online, the mail that went to them, and the link they have: for staff only. */
export const guestSaidCard = (
  row: BookRow,
  { said, mails, settings, reference }: GuestSaid,
  place: RowPlace,
): Html | undefined => {
  const mayMail = mayMailLink(row, place.now)
  const text = textLink({ kind: 'reservation', ...row }, place, place.back)
  const last = lastTextPart(row.phone, place.bookingTexts?.get(row.id), place.timezone)
  const why = whyNotMailed(row, said !== undefined, settings)
  if (!said && mails.length === 0 && !mayMail && !text && !last && why === undefined) return undefined
  const noReminder = whyNoReminder(row, { said, mails, settings }, place.now)
  const language = said?.language ?? null
  const facts: (readonly [string, string | null])[] = [
    ['Their booking number', said ? reference : null],
    ['Why it was not confirmed', said?.two_at_once ? 'They had two other bookings at that time.' : null],
    ['Coming', said?.coming_at ? `Said so ${momentInWords(said.coming_at, place.timezone)}` : null],
    ['Occasion', said?.occasion ?? null],
    ['Seating', said?.seating ?? null],
    ['Opted in to', said && said.answers.length > 0 ? said.answers.join('; ') : null],
    ['Language', language !== null && isGuestLanguage(language) ? wordsIn(language).name : null],
  ]
  const shown = facts.filter(([, value]) => value !== null)
  return html`<section class="card" id="guest-said">
    <h2>With the guest</h2>
    ${
      shown.length > 0 &&
      html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
    }
    ${
      (mails.length > 0 || why !== undefined || noReminder !== undefined) &&
      html`<h3>Email</h3>
        ${mails.length > 0 && html`<ul class="rows small">${mails.map((mail) => mailLine(mail, place.timezone))}</ul>`}
        ${why !== undefined && html`<p class="small soft">${why}</p>`}
        ${noReminder !== undefined && html`<p class="small soft">${noReminder}</p>`}`
    }
    ${last && html`<p>${last}</p>`}
    <form class="actions" method="post" action="/office/bookings/${row.id}/link">
      ${text}
      ${mayMail && html`<button name="do" value="mail">Email the guest’s link</button>`}
      ${said && html`<button name="do" value="renew" data-asks="End the guest’s link? It will stop working for anyone who has it.">End the link${mayMail && ' and email a new one'}</button>`}
    </form>
    ${mayMail && html`<p class="small soft">It lets them see, change or cancel the booking.</p>`}
  </section>`
}

/** Why a guest who has an address gets no mail, or not every mail, about what happens to their booking. */
const whyNotMailed = (
  row: BookRow,
  hasLink: boolean,
  { mailConnected }: GuestSaid['settings'],
): string | undefined => {
  const when = mailedWhen(row)
  if (row.email === null || when === 'always' || (when === 'with-link' && hasLink)) return undefined
  if (when !== 'if-wanted')
    return 'This booking was not made online, so its guest is not emailed automatically.'
  return mailConnected
    ? 'The app that made this booking confirms it to the guest. We email changes, cancellations and reminders.'
    : 'The app that made this booking keeps its guest informed. To email changes and reminders from here as well, turn that on in Settings, Guest pages.'
}

/** Why a guest who is emailed gets no reminder of a booking that is ahead. */
const whyNoReminder = (
  row: BookRow,
  { said, mails, settings }: Pick<GuestSaid, 'said' | 'mails' | 'settings'>,
  now: Temporal.Instant,
): string | undefined => {
  const when = mailedWhen(row)
  const isMailed =
    when === 'always' || (when === 'with-link' && said) || (when === 'if-wanted' && settings.mailConnected)
  if (!isMailed || row.status !== 'Confirmed' || row.starts_at === null) return undefined
  const isAhead = Temporal.Instant.compare(now, toInstant(row.starts_at)) < 0
  if (!isAhead || mails.some(({ kind, state }) => kind === 'bookingReminder' && state !== 'dropped'))
    return undefined
  const at = reminderAt(row.starts_at, settings)
  if (at === undefined) return 'No reminder is emailed: reminders are off in Settings, Guest pages.'
  const hours = settings.reminderHours === 1 ? 'an hour' : `${settings.reminderHours} hours`
  return Temporal.Instant.compare(at, now) <= 0
    ? `No reminder is emailed: it would go out ${hours} before, and the booking was made, confirmed or moved later than that.`
    : 'No reminder is emailed: reminders were off when the booking was made, confirmed or moved.'
}

const mailLine = (
  { kind, state, made_at, due_at, ended_at, tries, answer }: SentMail,
  zone: string,
): Html => {
  const at = momentInWords(ended_at ?? due_at ?? made_at, zone)
  const states = {
    sent: html`<span class="soft">sent ${at}</span>`,
    waiting:
      tries > 0
        ? html`<span class="tag warn">Not sent yet</span> <span class="soft">tried ${String(tries)} times, next ${at}</span>`
        : html`<span class="soft">goes out ${at}</span>`,
    failed: html`<span class="tag bad">Not delivered</span> <span class="soft">${at}: ${answer ?? ''}</span>`,
    dropped: html`<span class="soft">not sent: ${answer ?? ''}</span>`,
  }
  return html`<li><div class="grow"><span class="strong">${mailName(kind)}</span> ${states[state]}</div></li>`
}
