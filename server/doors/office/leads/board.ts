import { type Html, html } from '../../../platform/html/html.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { dateInWords, momentInWords, numberInWords } from '../../../platform/kernel/time/in-words.ts'
import { leadBoard } from '../../../crm/leads/board.ts'
import { pipelineOf } from '../../../crm/leads/pipeline.ts'
import type { LeadRow } from '../../../crm/leads/lead.ts'
import { leadsOfStage } from '../../../crm/leads/reads.ts'
import { versionField } from '../parts/forms/fields.ts'
import { addressOf, listFoot, pageRows } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'
import type { OfficeWork } from '../frame/serve-page.ts'

const home = '/office/leads'

/** Cards a column shows; the rest is a page of its own. */
const perStage = 12

/** A column for each stage, newest first in each; a press moves a card one stage on or back. */
export const boardPage = async ({ db, venue }: OfficeWork): Promise<Html> => {
  const columns = await leadBoard(db, venue.id, perStage)
  const stages = columns.filter(({ listed }) => listed).map(({ stage }) => stage)
  const all = columns.reduce((sum, { count }) => sum + count, 0)
  return html`<div class="page-head">
      <div>
        <h1>Leads</h1>
        <p class="soft small">Inquiries for private events.</p>
      </div>
      <div class="inline">
        <a class="button" href="${home}/pipeline">Stages</a>
        <a class="button primary" href="${home}/new">Add a lead</a>
      </div>
    </div>
    ${
      all === 0 &&
      html`<section class="card"><p class="empty">No inquiries yet. They come from your website, or you add them here.</p></section>`
    }
    <div class="board" tabindex="0" role="region" aria-label="Leads by stage">
      ${columns.map(
        ({ stage, count, rows, listed, next }) =>
          html`<section class="lead-stage" aria-label="${stage}">
            <header>
              <h2 class="breaks">${stage}</h2>
              <span class="count">${numberInWords(count)}</span>
              ${!listed && tag('not on the list', 'warn')}
            </header>
            ${rows.length === 0 && html`<p class="soft small empty-stage">Nobody here.</p>`}
            <ul>
              ${rows.map((lead) => html`<li class="lead">${card(lead)}${moveButtons(lead, stages, home)}</li>`)}
            </ul>
            ${next !== null && html`<a class="button" href="${addressOf(`${home}/stage`, { stage })}">All ${numberInWords(count)}</a>`}
          </section>`,
      )}
    </div>`
}

/** All leads of one stage. */
export const stagePage = async ({ db, venue }: OfficeWork, query: URLSearchParams): Promise<Html> => {
  const stage = (query.get('stage') ?? '').replaceAll('\0', '')
  const after = query.get('after')
  const [{ stages }, list] = await Promise.all([
    pipelineOf(db, venue.id),
    leadsOfStage(db, venue.id, stage, { limit: pageRows, after }),
  ])
  const back = addressOf(`${home}/stage`, { stage })
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Leads</a></p>
        <h1 class="breaks">${stage === '' ? 'No stage' : stage}</h1>
      </div>
    </div>
    <section class="card list-card">
      ${
        list.rows.length === 0
          ? html`<p class="empty">Nobody is at this stage.</p>`
          : html`<ul class="rows">
              ${list.rows.map(
                (lead) =>
                  html`<li>
                    <div class="grow">${card(lead)}<span class="small soft">${momentInWords(lead.created_at, venue.timezone)}</span></div>
                    ${moveButtons(lead, stages, back)}
                  </li>`,
              )}
            </ul>`
      }
      ${listFoot({ path: `${home}/stage`, query: { stage }, after, next: list.next })}
    </section>`
}

const card = (lead: LeadRow): Html => {
  const facts = [
    dateOf(lead),
    lead.guest_count && `${lead.guest_count} ${lead.guest_count === '1' ? 'guest' : 'guests'}`,
    budgetOf(lead),
  ]
  return html`<div class="lead-words">
    <a class="row-link breaks" href="${home}/${lead.id}">${lead.contact_name ?? 'No name'}</a>
    ${lead.priority === 'High' && tag('High', 'warn')}
    <span class="breaks">${titleOf(lead)}</span>
    <span class="small soft breaks">${facts.filter(Boolean).join(' · ')}</span>
  </div>`
}

/** The budget as it was written; a figure alone is said to be one. */
const budgetOf = ({ budget_per_person: budget }: LeadRow): string | null =>
  budget !== null && /^[\d.,–-]+$/.test(budget.trim()) ? `budget ${budget.trim()} per person` : budget

/** What the event is called, or what is celebrated. */
export const titleOf = ({ event_name, occasion }: Pick<LeadRow, 'event_name' | 'occasion'>): string =>
  event_name !== null && event_name !== 'TBD' ? event_name : (occasion ?? 'A private event')

/** The date as given; a real one in words. */
export const dateOf = ({ event_date }: Pick<LeadRow, 'event_date'>): string | null => {
  const date = event_date === null ? undefined : readDate(event_date)
  return date === undefined ? event_date : dateInWords(date)
}

/** One stage back, one on. */
const moveButtons = (lead: LeadRow, stages: readonly string[], back: string): Html => {
  const at = stages.indexOf(lead.stage)
  const before = at > 0 ? stages[at - 1] : undefined
  const behind = stages[at + 1]
  const button = (stage: string | undefined, words: (stage: string) => string) =>
    stage !== undefined &&
    html`<button name="stage" value="${stage}" aria-label="Move ${lead.contact_name ?? 'the lead'} to ${stage}">
      ${words(stage)}
    </button>`
  return html`<form class="stage-moves" method="post" action="${home}/${lead.id}/stage">
    ${versionField(lead.version)}<input type="hidden" name="back" value="${back}" />
    ${button(before, (stage) => `‹ ${stage}`)} ${button(behind, (stage) => `${stage} ›`)}
  </form>`
}
