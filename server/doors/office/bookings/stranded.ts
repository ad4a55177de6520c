import { type Html, html } from '../../../platform/html/html.ts'
import { dayAndYearInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { Refusal, badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { quietFrom } from '../../../platform/kernel/time/quiet-hours.ts'
import {
  type StrandedRow,
  strandedBookings,
  tickSpoken,
  writeToStranded,
} from '../../../book/reservations/guest/stranded-bookings.ts'
import { reachOf } from '../../../book/texts/reach-party.ts'
import { linkPlace, measured, plainQuotes } from '../../../book/texts/rules.ts'
import { textSenderOf } from '../../../book/texts/sender-store.ts'
import { queueGuestText } from '../../../book/texts/texts-store.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { quietWords } from '../../../book/waitlist/messages/type-text.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { type FormSeen, mistakePart, typedIn } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { phoneLink } from '../texts/phone-link.ts'
import { warning } from '../parts/press-message.ts'
import { strandedPath as path } from './stranded-link.ts'
import { guestsInWords, idIn } from '../parts/time-words.ts'
import { aroundText } from '../texts/around-text.ts'

/** Bookings that a change of the rules left without a service: one message to many, and a tick for who was spoken to. */
export const strandedPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path,
    role: 'host',
    answer: (work, { query }) =>
      strandedPage(work, { typed: {} }, selects.find((one) => one === query.get('select')) ?? 'newest'),
  },
  {
    method: 'POST',
    path,
    role: 'host',
    answer: async (work, { form }) => {
      if (form.has('show')) return strandedPage(work, { typed: typedIn(form) }, new Set(form.all('booking')))
      const chosen = new Map(form.all('booking').flatMap((pair) => pairIn(pair) ?? []))
      if (chosen.size === 0) throw badRequest('Select who to write to.')
      const alsoTexts = form.text('texts') === 'yes'
      const written = await writeToStranded(work, actorOf(work.me), chosen, {
        typed: form.text('message'),
        ...(alsoTexts && { text: await texting(work, form.text('textWords')) }),
      })
      if (written.length === 0)
        return go(path, warning('Nobody was written to: they were already, or cannot be reached. Call them.'))
      const passed = chosen.size - written.length
      return go(
        path,
        `${counted(written.length, 'guest')} written to${passed === 0 ? '.' : `; ${passed} skipped: written to before, or cannot be reached.`}`,
      )
    },
    again: (work, { form }, { message }) =>
      strandedPage(work, { typed: typedIn(form), mistake: message }, new Set(form.all('booking'))),
  },
  {
    method: 'POST',
    path: `${path}/spoken`,
    role: 'host',
    answer: async (work, { form }) => {
      const back = idIn(form.text('back'))
      const id = back ?? idIn(form.text('spoken'))
      const isSpoken = back === undefined
      const ticked = id === undefined ? undefined : await tickSpoken(work, actorOf(work.me), id, isSpoken)
      if (!ticked) throw notFound('booking')
      const name = ticked.guestName ?? 'The guest'
      const sentence = isSpoken ? `${name}: spoken to.` : `${name} is on the list again.`
      const undo = isSpoken && { to: `${path}/spoken`, fields: { back: String(id) } }
      if (!form.has('message')) return go(path, sentence, undo || undefined)
      // Somebody is calling down the list with a message begun: it stays as typed.
      return strandedPage(work, { typed: typedIn(form) }, new Set(form.all('booking')), {
        sentence,
        undo: isSpoken ? id : undefined,
      })
    },
  },
]

/** A booking, and the change that left it without a service, as the box of a row says them. */
const pairOf = ({ id, change_id }: Pick<StrandedRow, 'id' | 'change_id'>): string => `${id}:${change_id}`

const pairIn = (text: string): [readonly [number, number]] | undefined => {
  const [id, change] = text.split(':').map(idIn)
  return id === undefined || change === undefined ? undefined : [[id, change]]
}

/** How long a text is tried while the provider cannot be reached. */
const triedMinutes = 30

/** With the venue's name, the link and how to end texts, two segments. */
const mostTextLetters = 120

/** Queues a text for one booking, if its number can be texted. Refuses quiet hours, no words, and too many. */
const texting = async (work: OfficeWork, typed: string): Promise<(row: StrandedRow) => Promise<boolean>> => {
  const { db, venue } = work
  const now = work.now()
  const quiet = quietWords(work)
  if (quiet !== undefined) throw new Refusal(409, quiet)
  const words = plainQuotes(typed.normalize('NFC').replaceAll('\0', '').trim())
  if (words === '') throw badRequest('Type what to text, or leave texts out.')
  const { used, odd } = measured(words)
  if (odd !== undefined)
    throw badRequest(`Not every phone has “${odd}”, so the text would not fit: write it without “${odd}”.`)
  if (used > mostTextLetters) throw badRequest(`The text can have at most ${mostTextLetters} letters.`)
  const [tried, night] = [now.add({ minutes: triedMinutes }), quietFrom(now, venue.timezone)]
  const until = Temporal.Instant.compare(tried, night) < 0 ? tried : night
  return async ({ id, phone }) => {
    if ((await reachOf(work, phone)).kind !== 'number') return false
    const language = (await guestBookingOf(db, venue.id, id))?.language ?? null
    const { before, after } = await aroundText(work, { kind: 'reservation', id }, { language })
    await queueGuestText(
      db,
      venue.id,
      { kind: 'bookingStranded', record: id, until, body: `${before}${words} ${linkPlace}${after}` },
      now,
    )
    return true
  }
}

/** What one screen lists; the rest moves up as the first are dealt with. */
const mostRows = 200

const selects = ['all', 'none'] as const

/**
 * `selected`: the pairs whose box is ticked, all, none, or those of the newest closing: one message is about one closing,
 * and who was written to before knows.
 */
const strandedPage = async (
  work: OfficeWork,
  seen: FormSeen,
  selected: (typeof selects)[number] | 'newest' | ReadonlySet<string>,
  done?: { readonly sentence: string; readonly undo: number | undefined },
): Promise<PageAnswer> => {
  const { db, venue } = work
  const rows = await strandedBookings(work)
  const left = rows.filter(({ written_at }) => written_at === null)
  const { settings } = await guestSettingsOf(db, venue.id)
  const mayText = (await textSenderOf(db, venue.id)) !== undefined
  const quiet = quietWords(work)
  const { typed } = seen
  const fresh = left.filter(({ written_before: isBefore }) => !isBefore)
  const newest = Math.max(0, ...fresh.map((row) => row.change_id))
  const isTicked = (row: StrandedRow): boolean => {
    if (typeof selected !== 'string') return selected.has(pairOf(row))
    return selected === 'newest' ? row.change_id === newest && !row.written_before : selected === 'all'
  }
  const canReach = (row: StrandedRow): boolean =>
    row.email !== null || (mayText && quiet === undefined && row.phone !== null)
  return page(
    'Bookings without a service',
    html`<div class="page-head"><h1>Bookings without a service</h1></div>
      ${mistakePart(seen)}
      <section class="card list-card">
        ${
          rows.length === 0 && !done
            ? html`<p class="empty">No upcoming booking is left without a service.</p>`
            : html`<p class="soft">
                  The hours, a closed day or a block changed after they booked. A booking leaves this list when it is moved, cancelled, or marked “Spoken to”.
                </p>
                <form class="form" method="post" action="${path}">
                  ${keepsTyped}${done && donePart(done)}
                  ${
                    left.length > 0 &&
                    html`<p class="small">
                      <a href="${path}?select=all">Select all</a> · <a href="${path}?select=none">Select none</a>
                    </p>`
                  }
                  <ul class="rows">
                    ${rows.slice(0, mostRows).map((row) => strandedRow(row, canReach(row), isTicked(row)))}
                  </ul>
                  ${
                    rows.length > mostRows &&
                    html`<p class="small soft">
                      And ${counted(rows.length - mostRows, 'more booking')}, listed as these are dealt with.
                    </p>`
                  }
                  ${
                    left.length > 0 &&
                    html`<label class="field"
                        ><span>Your message</span
                        ><textarea name="message" rows="5" maxlength="2000" required>
${typed['message'] ?? wordsIn(settings.language).mail.strandedSorry}</textarea
                        ><small
                          >Each guest gets it by email once, in your words, with the link to change or cancel their booking.</small
                        ></label
                      >
                      ${
                        mayText &&
                        (quiet === undefined
                          ? html`<label class="check"
                                ><input type="checkbox" name="texts" value="yes" ${typed['texts'] === 'yes' && html`checked`} />
                                <span>Also text those with a phone number</span></label
                              ><label class="field"
                                ><span>Your text</span
                                ><input name="textWords" maxlength="${mostTextLetters}" value="${typed['textWords'] ?? ''}" /><small
                                  >Your name comes before it and their link after it: two segments at most.</small
                                ></label
                              >`
                          : html`<p class="small soft">${quiet}</p>`)
                      }
                      <div><button class="primary">Write to the selected</button></div>`
                  }
                </form>`
        }
      </section>`,
  )
}

/** Enter in a field presses a form's first button: that must tick nobody, and write to nobody. */
const keepsTyped = html`<button
  class="hidden-text"
  name="show"
  value="yes"
  tabindex="-1"
  aria-hidden="true"
  formnovalidate
>
  Keep what is typed
</button>`

const donePart = ({
  sentence,
  undo,
}: {
  readonly sentence: string
  readonly undo: number | undefined
}): Html =>
  html`<p class="small" role="status">
    ${sentence}
    ${undo !== undefined && html`<button formaction="${path}/spoken" name="back" value="${undo}" formnovalidate>Undo</button>`}
  </p>`

const strandedRow = (row: StrandedRow, canReach: boolean, isTicked: boolean): Html => {
  const name = row.guest_name ?? 'No name'
  return html`<li>
    ${
      row.written_at === null &&
      canReach &&
      html`<label class="check"
        ><input type="checkbox" name="booking" value="${pairOf(row)}" ${isTicked && html`checked`} /><span
          class="hidden-text"
          >Write to ${name}</span
        ></label
      >`
    }
    <div class="grow">
      <a class="strong breaks" href="/office/bookings/${row.id}">${name}</a>,
      ${guestsInWords(row.party_size)}<br /><span class="small soft"
        >${dayAndYearInWords(row.date)}, ${timeInWords(row.time)}</span
      >
    </div>
    ${row.phone !== null && phoneLink(row.phone)} ${stateOf(row)}
    <button formaction="${path}/spoken" name="spoken" value="${row.id}" formnovalidate>
      Spoken to<span class="hidden-text"> ${name}</span>
    </button>
  </li>`
}

const stateOf = ({
  written_at,
  written_before: isBefore,
  mail_state,
  text_state,
  email,
  phone,
}: StrandedRow): Html => {
  if (written_at === null && isBefore) return html`<span class="tag">Written to before</span>`
  if (written_at === null)
    return email === null && phone === null
      ? html`<span class="tag bad">No phone, no email</span>`
      : email === null
        ? html`<span class="tag">No email</span>`
        : html`<span class="tag">Not written to</span>`
  const states = [mail_state, text_state].filter((state) => state !== null)
  if (states.some((state) => state === 'sent' || state === 'delivered'))
    return html`<span class="tag good">Written to</span>`
  if (states.some((state) => state === 'waiting' || state === 'sending'))
    return html`<span class="tag">On its way</span>`
  return html`<span class="tag bad">Not delivered: call</span>`
}
