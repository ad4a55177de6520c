import { type Html, html } from '../../../../platform/html/html.ts'
import { type TimedBooking, momentInWords } from '../../../../messages/guest-mail/booking-facts.ts'
import { addDays } from '../../../../platform/kernel/time/calendar.ts'
import { toInstant, toMoment } from '../../../../platform/kernel/time/moment.ts'
import { badRequest } from '../../../../platform/kernel/refusal.ts'
import { readDate } from '../../../../platform/kernel/time/written-time.ts'
import { timesOfDays } from '../../../../book/reservations/availability/availability.ts'
import { isTakenAtOnce, offeredTo } from '../../../../book/reservations/change/change-by-guest.ts'
import { ifCancelled, ifResizedInWords } from '../../../../messages/guest-mail/guarantee-facts.ts'
import { freeAfter } from '../../../../book/reservations/guarantee/follow-edit.ts'
import type { When } from '../../../../book/day/when.ts'
import { bookingRulesAround } from '../../../../book/rules/rules-store.ts'
import { callLink, card, mistakeSummary } from '../../frame/parts.ts'
import { type ShownPage, type Visit, typed } from '../../frame/visit.ts'
import { type SizeAsked, askSize, readSlot, sizePart, sizesOf, slip, timesPart } from '../booking-parts.ts'
import { type Mine, slipOf } from './mine.ts'

/* How a guest changes their booking: size and time, what that means, and where they have to call. */

/** What was asked for and cannot be had. */
const refusedTitle = ({ visit, row }: Mine): string =>
  visit.words.book.takenTitle(visit.formats.time(whenIn(visit, row).time))

/** The size that is asked for: one that is taken now, or the one the booking has. */
export const sizeIn = async ({ work, visit, row, today }: Mine): Promise<SizeAsked> =>
  askSize(
    visit,
    sizesOf(await bookingRulesAround(work.db, work.venue, today)),
    typed(visit, 'size') || (visit.query.get('size')?.trim() ?? ''),
    row.party_size,
  )

/** Size and time in place of those the booking has; other days by the arrows. */
export const changePage = async (mine: Mine, isRefused = false): Promise<ShownPage> => {
  const { work, visit, row, today } = mine
  const { words, formats, query, link, path } = visit
  const { book } = words
  const { size, mistake } = await sizeIn(mine)
  // Of one that was refused, its own day.
  const asked = query.get('date') ?? typed(visit, 'slot').split(' ')[0] ?? ''
  const date = readDate(asked) ?? row.service_date
  const rules = await bookingRulesAround(work.db, work.venue, date)
  const { days } = await timesOfDays(work, {
    from: date,
    days: 1,
    partySize: size,
    own: { reservation: row.id },
  })
  const [found] = days
  const isOffered = offeredTo(rules, row, size)
  const day = found && { ...found, slots: found.slots.filter(isOffered) }
  const to = (more: Readonly<Record<string, string | number>>): string =>
    link(
      `${path}?${new URLSearchParams({ do: 'change', size: String(size), date, ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])) }).toString()}`,
    )
  return {
    title: book.changeTitle,
    body: html`<div class="page wide">
      <div class="card">
        ${
          isRefused &&
          html`<div class="note wait" role="alert" tabindex="-1" autofocus>
            <h2>${refusedTitle(mine)}</h2>
            <p>${book.changeKept}</p>
          </div>`
        }
        ${mistake !== undefined && mistakeSummary(words, { size: mistake })} ${slipOf(mine)}
        <div class="stack">
          <h1>${book.changeTitle}</h1>
          <p class="soft">${book.changeText}</p>
        </div>
        <div class="stack">
          <h2>${book.guests}</h2>
          ${sizePart(visit, sizesOf(rules), size, (one) => to({ size: one }), mistake)}
        </div>
        <form class="fields" method="get" action="${path}">
          <input type="hidden" name="do" value="change" />
          <input type="hidden" name="size" value="${size}" />
          ${visit.query.has('lang') && html`<input type="hidden" name="lang" value="${visit.language}" />`}
          <div class="field">
            <label for="f-date">${book.date}</label>
            <input
              id="f-date"
              type="date"
              name="date"
              value="${date}"
              min="${today}"
              ${rules.maxDaysAhead !== null && html`max="${addDays(today, rules.maxDaysAhead)}"`}
            />
          </div>
          <button class="btn line">${book.anotherDay}</button>
        </form>
        <form class="fields" method="post" action="${link(path)}">
          <input type="hidden" name="do" value="ask" />
          <input type="hidden" name="size" value="${size}" />
          <h2>${book.timesOn(formats.day(date))}</h2>
          ${
            day && day.slots.length > 0
              ? timesPart(
                  visit,
                  day,
                  (slot) =>
                    html`<button
                      name="slot"
                      value="${slot.date} ${slot.time}"
                      ${slot.date === row.date && slot.time === row.time && html`aria-current="true"`}
                    >
                      ${formats.time(slot.time)}
                    </button>`,
                )
              : html`<p>${book.noTimes}</p>`
          }
        </form>
        <p><a class="tap" href="${link(path)}">${book.keepAsIs}</a></p>
      </div>
    </div>`,
  }
}

/** Their network took much of that day, and nobody has answered for this booking yet: it grows by phone. */
export const callPage = (mine: Mine): ShownPage => {
  const { venue, words, link, path } = mine.visit
  const { book, page } = words
  return {
    title: book.callTitle,
    look: 'narrow',
    status: 409,
    body: card(html`<div class="stack">
          <h1 tabindex="-1" autofocus>${book.callTitle}</h1>
          <p role="alert">${book.callText}</p>
        </div>
        ${slipOf(mine)}
        <div class="acts">
          ${callLink(venue, 'btn', page.call)}
          <a class="btn line" href="${link(path)}">${book.keepAsIs}</a>
        </div>`),
  }
}

export const whenIn = (visit: Visit, row: TimedBooking): When => {
  const [date = '', time = ''] = typed(visit, 'slot').split(' ')
  // The time it has keeps its own moment, even on a night on which it happens twice.
  if (date === row.date && time === row.time) return { date, time, startsAt: toInstant(row.starts_at) }
  const when = readSlot(visit, date, time)
  if (!when) throw badRequest(visit.words.gone.text)
  return when
}

/** As a guest moves it by the press. */
const movedTo = ({ row, visit }: Mine, { startsAt }: When) => ({
  ...{ from: toMoment(toInstant(row.starts_at)), to: toMoment(startsAt) },
  ...{ askedAt: visit.now, by: 'guest' as const },
})

/** What stays is said before what changes. */
export const askPage = async (
  mine: Mine,
  { when, size }: { readonly when: When; readonly size: number },
): Promise<ShownPage> => {
  const { work, visit, row } = mine
  const { words, formats, venue, settings, link, path } = visit
  const { book } = words
  const sameTime = when.date === row.date && when.time === row.time
  const isApplied =
    row.status === 'Requested' ||
    (sameTime && size <= (row.party_size ?? 0)) ||
    (await isTakenAtOnce(work, settings, row, { when, partySize: size, country: venue.country }))
  const free = mine.guarantee && freeAfter(mine.guarantee, movedTo(mine, when))
  const resized = { from: row.party_size, to: size, askedAt: visit.now }
  const sums = ifResizedInWords(mine.guarantee, visit, resized)
  // Past the limit another time changes nothing about it: that is said before the press, too.
  const isLate = free !== undefined && Temporal.Instant.compare(visit.now, free) >= 0
  const late =
    isLate && !sameTime && row.status !== 'Requested'
      ? ifCancelled(mine.guarantee, visit, { now: visit.now, status: row.status })
      : undefined
  const title = isApplied ? book.askNow : book.askTitle
  const time = formats.time(when.time)
  const old = (before: string, after: string): Html =>
    before === after ? html`${after}` : html`<del>${before}</del> ${after}`
  return {
    title,
    look: 'narrow',
    body: card(html`<div class="stack"><h1>${title}</h1></div>
        ${slip(book.slipDone, [
          { label: book.guests, value: old(formats.number(row.party_size ?? 0), formats.number(size)) },
          { label: book.date, value: old(formats.shortDay(row.date), formats.shortDay(when.date)) },
          { label: book.time, value: old(formats.time(row.time), time) },
        ])}
        <div class="note ${isApplied ? '' : 'wait'}">
          <h2>${isApplied ? book.appliesTitle : book.staysTitle(formats.time(row.time))}</h2>
          <p>${isApplied ? book.applies : book.stays(venue.name)}</p>
          ${sums !== undefined && html`<p>${sums}</p>`}
          ${late !== undefined && late !== sums && html`<p>${late}</p>`}
          ${free && Temporal.Instant.compare(visit.now, free) < 0 && html`<p>${words.secure.freeUntil(momentInWords(free, visit))}</p>`}
        </div>
        <form class="acts" method="post" action="${link(path)}">
          <input type="hidden" name="size" value="${size}" />
          <input type="hidden" name="slot" value="${when.date} ${when.time}" />
          <button class="btn" name="do" value="change">${isApplied ? book.apply : book.ask}</button>
          <a class="btn line" href="${link(path)}">${book.keepAsIs}</a>
        </form>`),
  }
}
