import { createHash } from 'node:crypto'
import { floorStages } from '@venue-data/contract/records/reservation.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { bookedReservation } from '../../../book/day/book-row.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { ownParties } from '../../../book/servers/own-parties.ts'
import type { OwnPartyRow } from '../../../book/servers/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, nothing, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { idOf, versionField, versionIn } from '../parts/forms/fields.ts'
import { icon } from '../parts/icon.ts'
import { live } from '../parts/live.ts'
import { counted } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import { nextStage, stageDone, stageNames, stagePresses } from '../parts/stages.ts'
import { leftUndo } from '../parts/undo.ts'
import { occasionChip, vipChip } from '../service/chips.ts'

/*
 * The one page of somebody who serves: whom they have, what to know at the table, and how far each party is. Made for a
 * phone in one hand.
 */

export const ownPartiesPath = '/office/parties'

export const ownPartiesPages: readonly VenuePage[] = [
  { method: 'GET', path: ownPartiesPath, role: 'server', answer: (work, asked) => answer(work, asked) },
  {
    method: 'POST',
    path: `${ownPartiesPath}/:id`,
    role: 'server',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'booking')
      const stage = stages.find((known) => known === form.text('stage'))
      if (!stage) throw badRequest('Choose a stage from the list.')
      const party = (await ownParties(work, work.me.staff.id))?.find((one) => one.id === id)
      if (!party) {
        const row = await bookedReservation(work.db, work.venue.id, id)
        if (row?.status === 'Seated') throw new Refusal(403, 'This party is not yours.')
        return go(ownPartiesPath, warning('This party has left.'))
      }
      const outcome = await moveReservation(work, actorOf(work.me), {
        id,
        move: 'setFloorStage',
        stage,
        seenVersion: versionIn(form),
      })
      if (outcome.kind === 'refused') return go(ownPartiesPath, warning(outcome.sentence))
      if (outcome.kind !== 'done') return go(ownPartiesPath)
      const before = party.floor_stage ?? 'Seated'
      const undo = { to: `${ownPartiesPath}/${id}`, hidden: { version: outcome.version, stage: before } }
      return go(
        ownPartiesPath,
        `${nameOf(party)}: ${stageDone[stage]}.`,
        form.has('undone') ? undefined : leftUndo({ ...undo, press: ['undone', 'yes'] }),
      )
    },
  },
]

/** Those of a party that sits. */
const stages = floorStages.slice(floorStages.indexOf('Seated'))

const answer = async (work: OfficeWork, { query, partOnly }: OfficeRequest): Promise<PageAnswer> => {
  const parties = await ownParties(work, work.me.staff.id)
  const mark = createHash('sha256')
    .update(JSON.stringify(parties ?? null))
    .digest('base64url')
    .slice(0, 16)
  if (partOnly && query.get('seen') === mark) return nothing
  const list = html`<section ${live({ id: 'mine', address: ownPartiesPath, mark, every: '1400ms' })} class="own-parties" aria-label="Your parties">
    ${
      parties === undefined
        ? html`<p class="card empty">You’re not on the line-up right now. Your parties show up here an hour before your shift.</p>`
        : parties.length === 0
          ? html`<p class="card empty">No one is seated at your tables.</p>`
          : html`<ul>
              ${parties.map(partyCard)}
            </ul>`
    }
  </section>`
  if (partOnly) return part(list)
  return page('Your parties', html`<div class="page-head"><h1>Your parties</h1></div>${list}`)
}

const nameOf = ({ guest_name: name }: Pick<OwnPartyRow, 'guest_name'>): string => name ?? 'A party'

const partyCard = (party: OwnPartyRow): Html => {
  const { id, version, tables, party_size: size, floor_stage: stage, allergies, occasion, vip, notes } = party
  const name = nameOf(party)
  const now = stages.find((known) => known === stage) ?? 'Seated'
  const next = nextStage(party)
  const others = stages.filter((one) => one !== now && one !== next)
  return html`<li class="card" id="p${id}">
    <h2><span class="own-table">${tables.length === 0 ? 'No table' : joinedLabels(tables)}</span> <span class="breaks">${name}</span></h2>
    <p class="inline"><span class="strong">${size === null ? 'Size not known' : counted(size, 'guest')}</span><span class="tag">${stageNames[now]}</span>${vip && vipChip}${occasion !== null && occasionChip(occasion)}</p>
    ${allergies !== null && html`<p class="own-allergies">${icon('triangle-alert')}<span><b>Allergies:</b> <span class="breaks">${allergies}</span></span></p>`}
    ${notes !== null && html`<p class="breaks"><span class="soft">Request:</span> ${notes}</p>`}
    <form method="post" action="${ownPartiesPath}/${id}">
      ${versionField(version)}
      ${next && html`<button class="primary" name="stage" value="${next}">${stagePresses[next]}<span class="hidden-text"> for ${name}</span></button>`}
      <details id="s${id}">
        <summary>Another stage<span class="hidden-text"> for ${name}</span></summary>
        <div class="inline">
          ${others.map((one) => html`<button name="stage" value="${one}">${stageNames[one]}</button>`)}
        </div>
      </details>
    </form>
  </li>`
}
