import type { Work } from '../../../context.ts'
import { choicesOf } from '../../../messages/guest-words/choices.ts'
import { roomsToWish } from '../../../book/tables/rooms-to-wish.ts'
import { momentInWords } from '../../../messages/guest-mail/booking-facts.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { isConfirmedAtOnce } from '../../../book/reservations/guest/book-by-guest.ts'
import { holdById, isHoldId } from '../../../book/reservations/holds/hold-reads.ts'
import { whenHeld } from '../../../book/reservations/holds/holds.ts'
import { resolveService } from '../../../book/rules/resolve-service.ts'
import type { When } from '../../../book/day/when.ts'
import { guestText } from '../../../core/venue/guest-settings-rules.ts'
import {
  type Mistakes,
  areaField,
  choiceField,
  lineField,
  mistakeSummary,
  tickField,
} from '../frame/parts.ts'
import { newsTick } from './news.ts'
import { originPart } from '../frame/origin.ts'
import { trapPart } from '../frame/trap.ts'
import { type ShownPage, doorPath, typed } from '../frame/visit.ts'
import { asideOf, slip } from './booking-parts.ts'
import { here } from './book-asked.ts'
import { choiceOf, choicePage, chosenPart } from './book-experience.ts'
import { askedOf, securedButton, securedPart } from './book-secured.ts'
import type { TakingVisit } from './taking.ts'

/* Step three of `/v/{slug}/book`: the details, and for how long the time is held. */

type Chosen = { readonly size: number; readonly when: When }

export const detailsPage = async (
  work: Work,
  visit: TakingVisit,
  { size, when }: Chosen,
  mistakes: Mistakes = {},
  taken?: Html,
): Promise<ShownPage> => {
  const { words, formats, venue, settings } = visit
  const { book, form, page } = words
  const choice = await choiceOf(work, visit, { size, when })
  if (choice.kind === 'ask') return choicePage(visit, { size, when }, choice.offers)
  const rules = visit.rules.around(when.date)
  const place = resolveService(rules, when)
  const id = typed(visit, 'hold') || (visit.query.get('hold') ?? '')
  const held = isHoldId(id) ? await holdById(work.db, venue.id, id) : undefined
  const until = held && toInstant(held.expires_at)
  const isHeld =
    until !== undefined &&
    Temporal.Instant.compare(until, visit.now) > 0 &&
    Temporal.Instant.compare(whenHeld(held as NonNullable<typeof held>).startsAt, when.startsAt) === 0
  const atOnce = isConfirmedAtOnce(settings, size, place.period?.name ?? null)
  const policy = guestText(settings, 'policy', visit.language)
  const terms = await askedOf(work, visit, choice, { size, when })
  const limit = when.startsAt.subtract({ minutes: settings.cancelMinutes })
  const line = (name: string, label: string, more: object = {}): Html =>
    lineField({ name, label, value: typed(visit, name), mistake: mistakes[name], ...more })
  // Another time gives up the one that is held.
  const otherTime = here(visit, { size, date: place.serviceDate, hold: id })
  const rooms = roomsToWish(rules, {
    serviceDate: place.serviceDate,
    startsAt: when.startsAt,
    partySize: size,
  })
  const seats = rooms
    ? [['', book.seatings[0] ?? ''] as const, ...rooms.map((room) => [room, room] as const)]
    : choicesOf(words, 'seatings')
  // With one room there is nothing to choose.
  const askSeating = settings.askSeating && seats.length > 2
  const isTicked = (name: string): boolean => visit.form.has(name)
  return {
    title: `${book.details} · ${venue.name}`,
    ...(terms && !visit.framed && { leadsOut: true }),
    body: html`<div class="page wide">
      <div class="card">
        ${mistakeSummary(words, mistakes)} ${taken}
        <div class="stack">
          ${slip(book.slip, [
            { label: book.guests, value: formats.number(size), to: otherTime },
            { label: book.date, value: formats.shortDay(when.date), to: otherTime },
            {
              label: book.time,
              value: taken ? html`<del>${formats.time(when.time)}</del>` : formats.time(when.time),
              to: otherTime,
            },
          ])}
          ${isHeld && !taken && html`<p class="held"><span>${book.held(formats.timeAt(until))}</span></p>`}
        </div>
        ${
          held !== undefined &&
          !isHeld &&
          !taken &&
          html`<div class="note wait" role="status">
            <h2>${book.endedTitle}</h2>
            <p>${book.ended}</p>
          </div>`
        }
        <h1>${book.details}</h1>
        <form class="fields" id="details" method="post" action="${visit.link(doorPath(venue, 'book'))}" novalidate>
          ${trapPart(visit, mistakes)} ${originPart(visit, 'book')}
          <input type="hidden" name="size" value="${size}" />
          <input type="hidden" name="day" value="${when.date}" />
          <input type="hidden" name="time" value="${when.time}" />
          <input type="hidden" name="hold" value="${id}" />
          ${chosenPart(visit, choice, here(visit, { size, day: when.date, time: when.time, hold: id }))}
          ${line('name', form.name, { autocomplete: 'name', required: true })}
          <div class="two">
            ${line('email', form.email, {
              type: 'email',
              inputmode: 'email',
              autocomplete: 'email',
              required: true,
              hint: book.emailHint,
              most: 254,
            })}
            ${
              settings.askPhone !== 'no' &&
              line('tel', form.phone, {
                type: 'tel',
                autocomplete: 'tel',
                hint: book.phoneHint,
                ...(settings.askPhone === 'optional' && { optional: page.optional }),
              })
            }
          </div>
          ${
            (settings.askOccasion || askSeating) &&
            html`<div class="two">
              ${
                settings.askOccasion &&
                choiceField({
                  name: 'occasion',
                  label: book.occasion,
                  optional: page.optional,
                  value: typed(visit, 'occasion'),
                  choices: choicesOf(words, 'occasions'),
                })
              }
              ${
                askSeating &&
                choiceField({
                  name: 'seat',
                  label: book.seating,
                  value: typed(visit, 'seat'),
                  choices: seats,
                })
              }
            </div>`
          }
          ${areaField({
            name: 'note',
            label: book.note,
            optional: page.optional,
            hint: book.noteHint,
            value: typed(visit, 'note'),
            mistake: mistakes['note'],
          })}
          <div>
            ${settings.questions.map((question, at) => tickField(`q${at}`, 'yes', question, isTicked(`q${at}`)))}
            ${newsTick(visit, isTicked('news'))}
          </div>
          <hr />
          <div class="stack tight">
            <h2>${book.before}</h2>
            ${policy !== null && html`<p>${policy}</p>`}
            ${
              // Where canceling stays free for longer, the sentence about the card or the deposit says until when.
              !(terms && Temporal.Instant.compare(terms.freeUntil, limit) > 0) &&
              html`<p>${book.limit(momentInWords(limit, visit))}</p>`
            }
          </div>
          ${terms && securedPart(visit, terms, size)}
          ${
            taken === undefined &&
            html`<div class="stack">
              ${terms ? securedButton(visit, terms) : html`<button class="btn">${atOnce ? book.book : book.request}</button>`}
              ${!atOnce && html`<p class="hint">${book.requestHint(venue.name)}</p>`}
              ${
                isHeld &&
                held?.extended === false &&
                html`<button class="btn line" name="do" value="extend">${book.extend}</button>`
              }
            </div>`
          }
        </form>
      </div>
      ${asideOf(visit, null)}
    </div>`,
  }
}
