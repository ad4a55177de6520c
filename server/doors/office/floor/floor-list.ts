import { type Content, type Html, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { ClockTime } from '../../../platform/kernel/time/written-time.ts'
import type { FloorStage } from '@venue-data/contract/records/reservation.ts'
import type { AtDoor, Reach } from '../../../book/tables/offered/at-door.ts'
import type { EveningFloor, EveningParty, EveningTable } from '../../../book/tables/reads.ts'
import type { DrawnPart } from '../../../book/rules/floor/floor.ts'
import { byLabel } from '../../../book/rules/floor/written-floor.ts'
import { comingState, seatedState } from '../parts/party-state.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { plainTime } from '../parts/plain-time.ts'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import { serverChip } from '../parts/server-chip.ts'
import type { MustSee } from '../../../book/reservations/day-book.ts'
import { knownMarks } from '../service/known-marks.ts'
import { surnameOf } from '../parts/open-words.ts'
import { seatsOf } from '../parts/table-words.ts'
import { leftInWords } from '../parts/time-words.ts'
import { stageNames } from '../parts/stages.ts'
import { planOf } from './plan.ts'

/*
 * The rooms with their tables: who sits where, for how long yet and at what, and who comes next. The drawing is a list, in
 * the order of labels; where there is no room for a drawing, or no style, that is how it reads.
 */

export type FloorPlace = {
  readonly now: Temporal.Instant
  readonly timezone: string
  readonly back: string
  /** Who serves whom and where, where the service has a line-up. */
  readonly servers?: ServersSeen | undefined
  /** Whose tables alone are shown, by the id of the server. */
  readonly onlyServer?: number | undefined
  /** How long a party could sit down at a free table: the head counts by it, and so does its tile. */
  readonly reachOf?: AtDoor['reachOf'] | undefined
  /** Who has no table yet and would get such a one, by the same. */
  readonly neededAt?: AtDoor['neededAt'] | undefined
  /** What must be seen of the parties of tonight, by the ids of bookings. */
  readonly mustSee?: ReadonlyMap<number, MustSee> | undefined
}

/** A place with what tiles say of others. */
type TilePlace = Pick<FloorPlace, 'now' | 'timezone' | 'reachOf' | 'mustSee'> & {
  /** "for Howard 4": who is to have a table that nobody has. */
  readonly neededFor?: ((table: EveningTable) => string | undefined) | undefined
}

type TableState = 'free' | 'due' | 'late' | 'here' | 'seated' | 'over' | 'paid' | 'off'

export const roomsPart = (evening: EveningFloor, place: FloorPlace): Html => {
  const { reachOf } = place
  const tilePlace = { ...place, neededFor: neededForIn(evening, place) }
  const rooms = evening.rooms
    .map((room) => ({
      ...room,
      tables: evening.tables
        .filter((table) => table.room === room.id)
        .toSorted((a, b) => byLabel(a.label, b.label)),
    }))
    .filter(({ tables }) => tables.length > 0)
  const labels = new Map(evening.tables.map(({ id, label }) => [id, label]))
  return html`<div class="rooms" role="group" aria-label="Room">
      ${rooms.map(
        ({ id, name, tables }) =>
          html`<a class="button" href="#room-${id}" data-room="${id}"
            >${name} <span class="soft">${tables.filter((table) => isFree(table) && (reachOf?.(table) ?? 'whole') === 'whole').length} free</span></a
          >`,
      )}
      ${serversPart(place)}
    </div>
    <div class="list-rows">
      ${rooms.map(({ id, name, tables }) => {
        const plan = planOf(
          tables,
          evening.drawn.filter(({ room }) => room === id),
        )
        return html`<section class="room" id="room-${id}" aria-labelledby="room-${id}-head">
          <h3 id="room-${id}-head">${name}</h3>
          <ul class="${plan ? 'plan' : 'tiles'}">
            ${plan?.drawn.map(({ part, at }) => drawnPart(part, at))}
            ${tables.map((table) => tile(table, labels, plan?.tables.get(table.id) ?? '', tilePlace))}
          </ul>
        </section>`
      })}
    </div>`
}

/** To the eye alone: nothing can be done with it. */
const drawnPart = ({ what, wide, high }: DrawnPart, at: string): Html =>
  html`<li class="drawn part-${what} ${high > wide ? 'upright' : ''} ${at}" aria-hidden="true">${what === 'bar' && html`<span>Bar</span>`}</li>`

/** A press on somebody of the line-up shows their tables alone; another press all of them again. */
const serversPart = ({ servers, onlyServer }: FloorPlace): Html | undefined =>
  servers &&
  html`<span class="only-servers" role="group" aria-label="Tables of one server"
    >${servers.lineUp.map(({ server_id: id }) => {
      const server = servers.all.get(id)
      const isShown = id === onlyServer
      return (
        server &&
        html`<a class="button" href="/office/floor${!isShown && `?server=${id}`}" ${isShown && html`aria-current="true"`}>${serverChip(server)}</a>`
      )
    })}</span
  >`

/** Nobody sits there, and nobody is kept from sitting. */
export const isFree = ({ now, off, heldFor }: EveningTable): boolean =>
  now.length === 0 && off === undefined && heldFor === undefined

/** What a tile says: its state, in words and as the form of its border; who; and who comes after. */
export const tileOf = (
  table: EveningTable,
  { now, timezone, reachOf, mustSee, neededFor }: TilePlace,
  /** How a time is written: among the tiles of an evening its half of the day is plain. */
  written: (time: ClockTime) => Content = plainTime,
): {
  readonly state: TableState
  readonly party?: EveningParty | undefined
  readonly words: Html
  /** The stage of the meal of who sits there. */
  readonly stage?: string
  readonly after?: Html | undefined
} => {
  const clock = (at: Temporal.Instant): Content => written(wallTimeOf(at, timezone).time)
  const [sits, second] = table.now
  const { next } = table
  const known = (party: EveningParty): Html => html`${marksOf(party, mustSee)}${nameOf(party)}`
  /** Nobody sits down after them while the table is off; who was to, is to be moved. */
  const afterThem = (): Html | undefined => {
    const off = table.off ?? next?.off
    const who = next && html`${known(next)} ${clock(next.from)}`
    if (off)
      return html`then off${off.until && html` to ${clock(off.until)}`}${next?.off && html`, move ${who}`}`
    return who && html`then ${who}`
  }
  if (sits) {
    const stage = stageNames[sits.floorStage as FloorStage] ?? 'Seated'
    return {
      state: seatedState(sits, now).state,
      party: sits,
      words: eachMinute(now, (at) => leftInWords(seatedState(sits, at).left)),
      stage,
      after: second ? html`and ${known(second)} ${second.partySize}` : afterThem(),
    }
  }
  if (table.off) {
    const { until } = table.off
    return {
      state: 'off',
      words: until ? html`Off until ${clock(until)}` : html`Room closed`,
      after: next?.off && html`move ${known(next)} ${clock(next.from)}`,
    }
  }
  if (table.heldFor) {
    const { guestName, partySize, until } = table.heldFor
    return {
      state: 'here',
      words: html`Held to ${clock(until)}`,
      after: html`for ${nameOf({ guestName })} ${partySize}`,
    }
  }
  // Nobody has it, but somebody without a table yet, such as a request, is laid there.
  if (!next) {
    const reach = reachOf?.(table) ?? 'whole'
    const who = reach === 'less' ? neededFor?.(table) : undefined
    return {
      state: 'free',
      words: html`${freeWords[reach]}`,
      after: who === undefined ? undefined : html`${who}`,
    }
  }
  const { state } = comingState(next, now)
  const time = clock(next.from)
  if (next.off)
    return { state: 'off', party: next, words: html`Off at ${time}`, after: html`move ${nameOf(next)}` }
  if (state === 'expected')
    return { state: 'free', words: html`Free to ${time}`, after: html`${known(next)} ${time}` }
  const words = {
    here: html`Here, for ${time}`,
    late: eachMinute(now, (at) => `${comingState(next, at).late} late`),
    due: html`Due ${time}`,
  }[state]
  const others = state === 'late' ? alsoLate(table, next, now) : []
  return {
    state,
    party: next,
    words,
    ...(others.length > 0 && { after: html`and ${others.map(nameOf).join(', ')}, late` }),
  }
}

/** Who else is late for the table of a party that is: it is kept for each of them. */
const alsoLate = ({ parties }: EveningTable, party: EveningParty, now: Temporal.Instant): EveningParty[] =>
  parties.filter(
    (one) => one !== party && one.status === 'Confirmed' && comingState(one, now).state === 'late',
  )

/** Of a party that is in the evening as it was read. */
const neededForIn = (
  { withoutTable, requested, tables }: EveningFloor,
  { neededAt }: Pick<FloorPlace, 'neededAt'>,
): TilePlace['neededFor'] => {
  if (!neededAt) return undefined
  const all = [...withoutTable, ...requested, ...tables.flatMap(({ parties }) => parties)]
  const byId = new Map(all.map((party) => [party.id, party]))
  return (table) => {
    const needed = neededAt(table)
    const party = needed?.reservation === undefined ? undefined : byId.get(needed.reservation)
    return needed && `for ${party ? nameOf(party) : 'a party of'} ${needed.size}`
  }
}

const freeWords: Readonly<Record<Reach, string>> = {
  whole: 'Free tonight',
  'a while': 'Free for a while',
  less: 'Needed soon',
}

const marksOf = (party: EveningParty, mustSee: FloorPlace['mustSee']): Html | undefined => {
  const seen = mustSee?.get(party.id)
  return seen && knownMarks(seen)
}

const nameOf = ({ guestName }: Pick<EveningParty, 'guestName'>): string => surnameOf(guestName) ?? 'Walk-in'

const tile = (
  table: EveningTable,
  labels: ReadonlyMap<number, string>,
  at: string,
  place: FloorPlace & TilePlace,
): Html => {
  const { state, party, words, stage, after } = tileOf(table, place)
  const others = (party?.tables ?? []).filter((id) => id !== table.id).flatMap((id) => labels.get(id) ?? [])
  const to = `/office/tables/${table.id}?back=${encodeURIComponent(place.back)}`
  const sits = table.now[0]
  const server = sits ? place.servers?.of(sits.id) : place.servers?.at([table.id])
  if (place.onlyServer !== undefined && server?.id !== place.onlyServer)
    return html`<li id="tt${table.id}" class="tt ${shapeClass(table)} away ${at}" data-table="${table.id}">
      <a class="cover" href="${to}" hx-get="${to}" hx-target="#pick" hx-swap="innerHTML"
        ><b><span class="hidden-text">Table </span>${table.label}</b></a
      >
    </li>`
  return html`<li
    id="tt${table.id}"
    class="tt ${shapeClass(table)} ${state} ${at}"
    data-table="${table.id}"
    ${party && html`data-booking="${party.id}" data-seen="${party.tables.join(' ')}"`}
    ${sits && html`data-sits="${sits.id}"`}
  >
    <a class="cover" href="${to}" hx-get="${to}" hx-target="#pick" hx-swap="innerHTML"
      ><b><span class="hidden-text">Table </span>${table.label}${others.length > 0 && html`<small>+${others.join('+')}</small>`}</b>
      <span class="seats"><span class="hidden-text">seats </span>${seatsOf(table)}${server && serverChip(server)}</span>
      ${party && html`<span class="p">${marksOf(party, place.mustSee)}${nameOf(party)} ${party.partySize}</span>`}
      <span class="s">${words}</span> ${stage && html`<span class="g">${stage}</span>`}
      ${after && html`<span class="nx">${after}</span>`}</a
    >${sits && run(sits, place.now)}
  </li>`
}

const shapeClass = ({ shape, features }: EveningTable): string =>
  features.includes('booth') ? 'booth' : shape === 'round' || shape === 'bar' ? shape : ''

/** The share of the stay that is used. */
const run = ({ from, planned }: EveningParty, now: Temporal.Instant): Html => {
  const whole = Math.max(1, planned.epochMilliseconds - from.epochMilliseconds)
  const share = Math.round(
    Math.min(1, Math.max(0, (now.epochMilliseconds - from.epochMilliseconds) / whole)) * 100,
  )
  return html`<svg class="run" viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true">
    <rect class="bg" width="100" height="5" /><rect class="on" width="${share}" height="5" /></svg
  >`
}
