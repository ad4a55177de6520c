import type { Notice } from '../../../core/staff/sessions.ts'
import { type Content, type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords, endMinute } from '../../../platform/kernel/time/in-words.ts'
import { minutesUntil } from '../../../book/day/short-stays.ts'
import type { EveningParty } from '../../../book/tables/reads.ts'
import { byLabel } from '../../../book/rules/floor/written-floor.ts'
import { icon } from '../parts/icon.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { live } from '../parts/live.ts'
import { leftSaid } from '../parts/press-message.ts'
import { comingState, seatedState } from '../parts/party-state.ts'
import { serverChip } from '../parts/server-chip.ts'
import { knownMarks } from '../service/known-marks.ts'
import { seatsOf, whyOff } from '../parts/table-words.ts'
import { leftInWords, minutesInWords, nearDay } from '../parts/time-words.ts'
import type { GridSeen, OffShown } from './read-grid.ts'
import { stepMinutes, stepsOf } from './steps.ts'

/*
 * The evening as a grid: a row for each table, the hours as columns. Places are classes, `f` for the step a block begins at
 * and `n` for how many it takes, so that nothing is styled in place. A block is a link to the booking's sheet, where
 * everything can be changed without script; with it, a block is dragged to another time or table, or longer.
 */

export const gridPage = (seen: GridSeen, notices: readonly Notice[], hint?: Html): Html =>
  html`<div class="service-page grid-page">
    ${hint} ${gridHead(seen)} ${gridPart(seen)}
    <div class="last">${leftSaid(notices, gridAddress(seen))}</div>
  </div>`

export const gridAddress = ({ date, today }: Pick<GridSeen, 'date' | 'today'>): string =>
  date === today ? '/office/grid' : `/office/grid?date=${date}`

const gridHead = (seen: GridSeen): Html => {
  const { date, today } = seen
  const to = (other: string) => gridAddress({ date: other, today })
  return html`<header class="legend">
    <h1>Grid <span class="soft">${[nearDay(date, today), dayAndYearInWords(date)].filter(Boolean).join(', ')}</span></h1>
    ${[
      ['done', 'Done'],
      ['seated', 'Seated'],
      ['over', 'Over'],
      ['late', 'Late'],
      ['', 'Booked'],
      ['held', 'Here, waiting'],
    ].map(([state, words]) => html`<span class="g-key"><i class="blk ${state}"></i>${words}</span>`)}
    <span class="inline"
      ><a class="button" href="${to(addDays(date, -1))}" aria-label="Previous day">‹</a
      ><a class="button" href="${to(today)}" ${date === today && html`aria-current="date"`}>Today</a
      ><a class="button" href="${to(addDays(date, 1))}" aria-label="Next day">›</a
      >${date === today && html`<button type="button" class="button" data-grid-now hidden>${icon('clock', 'small')}Now</button>`}</span
    >
  </header>`
}

/** What renews itself while anything changes. */
export const gridPart = (seen: GridSeen): Html => {
  const address = gridAddress(seen)
  const { evening, rooms } = seen
  return html`<section
    ${live({ id: 'book', address, mark: seen.mark, now: seen.now })}
    class="g"
    tabindex="0"
    aria-label="Tables by time"
    data-back="${address}"
  >
    <div class="g-in">
      <div class="g-head">
        <div class="g-t"><small>Table</small><small>Seats</small></div>
        <div class="g-track">
          ${hours(seen)}${seen.nowStep !== undefined && html`<span class="now-flag f${seen.nowStep}">${eachMinute(seen.now, seen.timeOf)}</span>`}
        </div>
      </div>
      ${seen.nowStep !== undefined && html`<div class="g-now" aria-hidden="true"><div class="g-track"><i class="f${seen.nowStep}"></i></div></div>`}
      ${
        evening.withoutTable.length > 0 &&
        html`<h2 class="g-room"><span>Without a table</span></h2>
          <ul>
            <li class="g-row without"><div class="g-t"><b>–</b></div>${track(seen, evening.withoutTable, [], undefined)}</li>
          </ul>`
      }
      ${
        evening.tables.length === 0 &&
        html`<p class="empty">No tables yet. A manager enters them under Settings, Tables.</p>`
      }
      ${rooms.map(
        ({ name, tables }) =>
          html`<h2 class="g-room"><span>${name}</span></h2>
            <ul>
              ${tables
                .toSorted((a, b) => byLabel(a.label, b.label))
                .map(
                  (table) =>
                    html`<li class="g-row" data-table="${table.id}" data-label="${table.label}">
                      <div class="g-t"><b>${table.label}</b><small>${seatsOf(table)}${serverOf(seen, table.id)}</small></div>
                      ${track(seen, table.parties, seen.off.get(table.id) ?? [], table.label)}
                    </li>`,
                )}
            </ul>`,
      )}
    </div>
  </section>`
}

/** Whose table it is. */
const serverOf = ({ servers }: GridSeen, table: number): Html | undefined => {
  const server = servers?.at([table])
  return server && html` ${serverChip(server)}`
}

/** The hours by the venue's clocks: one that comes twice is shown twice. */
const hours = ({ from, steps, timeOf }: GridSeen): Html[] => {
  const perHour = 60 / stepMinutes
  return Array.from({ length: Math.ceil(steps / perHour) }, (_, hour) => {
    const at = from.add({ hours: hour })
    return html`<span class="f${hour * perHour} n${Math.min(perHour, steps - hour * perHour)}">${timeOf(at)}</span>`
  })
}

type Span = { readonly from: Temporal.Instant; readonly until: Temporal.Instant }

type Block = {
  readonly from: number
  readonly count: number
  readonly span: Span
  readonly lane: number
  readonly show: (at: string) => Html
}

/** A table's evening: who has it, when it is off, and what is free between them from now on. */
const track = (
  seen: GridSeen,
  parties: readonly EveningParty[],
  off: readonly OffShown[],
  label: string | undefined,
): Html => {
  const blocks = inLanes([
    ...off.map((span) => ({
      ...stepsOf(seen, span),
      span,
      show: (at: string) =>
        html`<span class="blk off ${at}"><span class="blk-in"><b></b><span>Off</span><small>${whyOff(span)}</small></span></span>`,
    })),
    ...parties.map((party) => ({
      ...stepsOf(seen, party),
      span: party,
      show: (at: string) => partyBlock(seen, party, at, label),
    })),
  ])
  return html`<div class="g-track">
    ${blocks.map(({ from, count, lane, show }) => show(`f${from} n${count} ${lane > 0 && `lane${Math.min(lane, 5)}`}`.replace(' false', '')))}
    ${label !== undefined && gaps(seen, blocks)}
  </div>`
}

/** Two at one table at once are shown one below the other. */
const inLanes = (blocks: readonly Omit<Block, 'lane'>[]): Block[] => {
  const ends: number[] = []
  return blocks
    .toSorted((a, b) => a.from - b.from)
    .map((block) => {
      const found = ends.findIndex((end) => end <= block.from)
      const lane = found === -1 ? ends.length : found
      ends[lane] = block.from + block.count
      return { ...block, lane }
    })
}

/** Shorter ones are of no use to anybody. */
const leastGapMinutes = 15

/** Drawn in steps, but counted to the minute, as the pad counts a stay: from now it would say more than there is. */
const gaps = ({ from: start, steps, nowStep, now }: GridSeen, blocks: readonly Block[]): Html[] => {
  const found: Html[] = []
  const end = start.add({ minutes: steps * stepMinutes })
  let free = nowStep === undefined ? { step: 0, at: start } : { step: nowStep, at: now }
  for (const { from, count, span } of [
    ...blocks,
    { from: steps, count: 0, span: { from: end, until: end } },
  ]) {
    const minutes = minutesUntil(free.at, span.from)
    if (minutes >= leastGapMinutes)
      found.push(
        html`<span class="gap f${free.step} n${from - free.step}"><i>${minutes < 30 ? minutes : minutesInWords(minutes)}${minutes < 30 && html`<span class="hidden-text"> min</span>`}</i></span>`,
      )
    const isLater = Temporal.Instant.compare(span.until, free.at) > 0
    free = { step: Math.max(free.step, from + count), at: isLater ? span.until : free.at }
  }
  return found
}

const partyBlock = (seen: GridSeen, party: EveningParty, at: string, label: string | undefined): Html => {
  const { state, words } = stateOf(seen, party)
  const { timeOf: time } = seen
  const known = seen.mustSee.get(party.id)
  const moves = party.status === 'Confirmed' || party.status === 'Seated'
  return html`<a
    class="blk ${state} ${at} ${party.pinned && 'pinned'}"
    href="/office/bookings/${party.id}#change"
    data-sheet
    ${moves && html`data-id="${party.id}" data-version="${party.version}" data-tables="${party.tables.join(' ')}"`}
    ${party.status === 'Seated' && html`data-seated`}
    ><span class="blk-in"><b>${party.partySize}</b><span>${known && knownMarks(known)}${party.guestName ?? 'No name'}</span
    ><small>${words}<span class="hidden-text">, party of ${party.partySize}, ${label === undefined ? 'without a table' : `table ${label}`}, ${time(party.from)} to ${time(party.status === 'Completed' ? party.until : endMinute(party.until))}</span></small></span></a
  >`
}

/** The class of a party's block, and what it says. */
const stateOf = (
  { now, timeOf: time }: GridSeen,
  party: EveningParty,
): { readonly state: string; readonly words: Content } => {
  if (party.status === 'Completed') return { state: 'done', words: `left ${time(party.until)}` }
  if (party.status === 'Seated') {
    const { state } = seatedState(party, now)
    if (state === 'paid') return { state, words: 'paid' }
    const words = ({ left }: { left: number }) =>
      left <= 0 ? leftInWords(left) : `${minutesInWords(left)} left`
    return { state, words: eachMinute(now, (at) => words(seatedState(party, at))) }
  }
  const { state } = comingState(party, now)
  if (state === 'here') return { state: 'held', words: 'here' }
  return state === 'late'
    ? { state, words: eachMinute(now, (at) => `${comingState(party, at).late} late`) }
    : { state: '', words: time(party.from) }
}
