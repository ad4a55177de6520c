import type { Composed } from '@venue-data/contract/records/campaign.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Segment } from '@venue-data/contract/records/segment.ts'
import { composeCampaign } from '../../../marketing/campaigns/audience/compose.ts'
import { type Counted, countPeople } from '../../../marketing/campaigns/audience/count.ts'
import { type CampaignRow, recipientsOf } from '../../../marketing/campaigns/reads.ts'
import { readSegment } from '../../../marketing/campaigns/audience/segments.ts'
import { editPeople } from '../../../marketing/campaigns/staff-edits.ts'
import { newestCampaigns } from '../../../marketing/campaigns/staff-reads.ts'
import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { tagsOfVenue } from '../../../marketing/subscribers/staff-reads.ts'
import { eventsPage } from '../../../tickets/event-reads.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page, part } from '../frame/page.ts'
import { mistakePart, versionField, versionIn } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import { idIn } from '../parts/time-words.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { countersPart, peopleWords } from './counters.ts'
import { campaignHead } from './steps.ts'
import { type SegmentTyped, segmentOfTyped, typedInSegment, typedOfSegment } from './segment-fields.ts'
import { type SegmentChoices, segmentFields } from './segment-form.ts'
import { segmentWords } from './segment-words.ts'
import { home } from './words.ts'
import { campaignOf } from './write.ts'

/** Who a campaign goes to: the conditions with live counts, and the list built from them. For managers. */
export const peoplePages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: `${home}/:id/people`,
    role: 'manager',
    answer: async (work, { params }) => peoplePage(work, await campaignOf(work, params.id)),
  },
  {
    method: 'POST',
    path: `${home}/:id/people/count`,
    role: 'manager',
    apart: true,
    answerWithinSeconds: limits.composeSeconds,
    answer: async (work, { params, form, partOnly }) => {
      const row = await campaignOf(work, params.id)
      const typed = typedInSegment(form)
      const count = await countOf(context, work, row, typed)
      if (partOnly) return part(count.part)
      return peoplePage(work, row, { typed, part: count.part })
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/people`,
    role: 'manager',
    apart: true,
    answerWithinSeconds: limits.composeSeconds,
    answer: async (work, { params, form }) => {
      const row = await campaignOf(work, params.id)
      const segment = segmentOfTyped(typedInSegment(form))
      await context.db.transaction((db) =>
        editPeople({ ...work, db: db.within(work.venue.id) }, actorOf(work.me), {
          id: row.id,
          seenVersion: versionIn(form),
          segment,
        }),
      )
      return builtPage(
        work,
        row.id,
        await composeCampaign(context, work.venue, { id: row.id, segment: undefined }),
      )
    },
    again: async (work, { params, form }, { message }) => {
      const row = await campaignOf(work, params.id)
      if (row.status !== 'draft') return go(`${home}/${row.id}/people`, warning(message))
      const isStale = form.text('version') !== String(row.version)
      return peoplePage(work, row, {
        typed: typedInSegment(form),
        mistake: message,
        isStale,
      })
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/compose`,
    role: 'manager',
    apart: true,
    answerWithinSeconds: limits.composeSeconds,
    answer: async (work, { params }) => {
      const { id } = await campaignOf(work, params.id)
      return builtPage(work, id, await composeCampaign(context, work.venue, { id, segment: undefined }))
    },
    again: async (work, { params }, { message }) => {
      const row = await campaignOf(work, params.id)
      return go(`${home}/${row.id}/people`, warning(message))
    },
  },
]

type Sent = {
  readonly typed: SegmentTyped
  readonly mistake?: string
  readonly isStale?: boolean
  readonly part?: Html
}

/** Counts for what is in the form; a form that cannot be read gives its sentence. */
const countOf = async (
  context: Context,
  { venue }: OfficeWork,
  row: CampaignRow,
  typed: SegmentTyped,
): Promise<{ readonly part: Html; readonly count?: Counted }> => {
  try {
    const count = await countPeople(context, venue, row, segmentOfTyped(typed))
    return { part: countersPart(count), count }
  } catch (error) {
    if (error instanceof Refusal && error.status === 400)
      return { part: html`<p class="hint" role="status">${error.message}</p>` }
    throw error
  }
}

const peoplePage = async (work: OfficeWork, row: CampaignRow, sent?: Sent): Promise<PageAnswer> => {
  const { db, venue } = work
  const segment = readSegment(row.segment)
  const [{ rows: events }, tags, campaigns] = await Promise.all([
    eventsPage(db, venue.id, { limit: 200, after: null }),
    tagsOfVenue(db, venue.id),
    newestCampaigns(db, venue.id, 21),
  ])
  const eventName = (id: number): string => events.find((event) => event.id === id)?.name ?? `event ${id}`
  const choices: SegmentChoices = {
    events,
    tags: tags.map(({ name }) => name),
    campaigns: withChosen(
      campaigns.filter(({ id, status }) => id !== row.id && status !== 'draft'),
      [
        ...(segment.exclude?.campaigns ?? []),
        ...(sent?.typed.outCampaigns ?? []).flatMap((id) => idIn(id) ?? []),
      ],
    ),
    ownEvent: row.event_id === null ? undefined : eventName(row.event_id),
  }
  return page(
    row.name,
    html`${campaignHead(row, 'people', venue.timezone)}
    ${row.status === 'draft' ? draftPeople(row, segment, choices, eventName, sent) : settledPeople(work, row, segment, eventName)}`,
  )
}

/** Those offered, plus those already chosen, however old they are. */
const withChosen = (
  offered: SegmentChoices['campaigns'],
  chosen: readonly number[],
): SegmentChoices['campaigns'] => [
  ...offered,
  ...[...new Set(chosen)]
    .filter((id) => !offered.some((one) => one.id === id))
    .map((id) => ({ id, name: `Campaign ${id}` })),
]

const draftPeople = (
  row: CampaignRow,
  segment: Segment,
  choices: SegmentChoices,
  eventName: (id: number) => string,
  sent?: Sent,
): Html => {
  const kept = typedOfSegment(segment)
  const here = `${home}/${row.id}/people`
  const typed = sent?.typed ?? kept ?? typedOfSegment({ type: 'all' })
  if (!typed) throw new Error('an empty segment fits the form')
  return html`<form id="people" class="with-side" method="post" action="${here}">
    <div class="stack">
      ${mistakePart(sent ?? {})} ${versionField(row.version)}
      ${sent?.isStale && html`<p class="hint">It now says: ${segmentWords(segment, eventName).join(' ')}</p>`}
      ${
        kept === undefined &&
        html`<p class="hint">
          Connected software set up an audience that this form cannot show: ${segmentWords(segment, eventName).join(' ')}
          Building the list here replaces it.
        </p>`
      }
      <section class="card form">
        <h2>Who gets it</h2>
        ${segmentFields(typed, choices)}
      </section>
    </div>
    <div class="stack shown">
      <section class="card form">
        <h2>Right now</h2>
        <div
          id="counted"
          hx-post="${here}/count"
          hx-trigger="load, input from:#people delay:500ms"
          hx-include="#people"
          hx-sync="this:replace"
        >
          ${sent?.part ?? html`<p class="soft small">Press “Count” to see how many people this reaches.</p>`}
        </div>
        <div class="inline">
          <button class="primary">Build the list</button>
          <button formaction="${here}/count" formnovalidate>Count</button>
        </div>
        ${builtWords(row)}
      </section>
    </div>
  </form>`
}

const builtWords = (row: CampaignRow): Html =>
  row.composed_at === null
    ? html`<p class="small soft">The list is empty until you build it. You can rebuild it until you send.</p>`
    : html`<p class="small soft">
        The last list you built has ${peopleWords(recipientsOf(row))}.
      </p>`

/** Once a campaign is on its way, people can only leave its list. */
const settledPeople = (
  { venue }: OfficeWork,
  row: CampaignRow,
  segment: Segment,
  eventName: (id: number) => string,
): Html =>
  html`<section class="card">
    <h2>Who ${row.status === 'sent' ? 'got' : 'gets'} it</h2>
    ${segmentWords(segment, eventName).map((sentence) => html`<p class="breaks">${sentence}</p>`)}
    <p class="soft">
      ${
        row.composed_at === null
          ? 'No list was built.'
          : `The list was built ${momentInWords(row.composed_at, venue.timezone)} with ${peopleWords(recipientsOf(row))}${row.held_count > 0 ? `, and ${peopleWords(row.held_count)} held back for comparison` : ''}.`
      }
    </p>
    ${
      (row.status === 'scheduled' || row.status === 'sending') &&
      html`<form class="form" method="post" action="${home}/${row.id}/compose">
        <p class="small soft">
          Its count was confirmed, so nobody else is added. Anyone who unsubscribes drops off automatically; checking the list again also removes people who no longer match.
        </p>
        <button>Remove people who no longer match</button>
      </form>`
    }
  </section>`

/** The result of building the list. A reload builds it again, which changes nothing. */
const builtPage = async (work: OfficeWork, id: number, composed: Composed): Promise<PageAnswer> => {
  const row = await campaignOf(work, String(id))
  const isDraft = row.status === 'draft'
  const changes = [
    composed.added > 0 && `${peopleWords(composed.added)} added`,
    composed.removed > 0 && `${peopleWords(composed.removed)} removed`,
    composed.alreadyPresent > 0 && `${peopleWords(composed.alreadyPresent)} unchanged`,
  ].filter((words) => words !== false)
  return page(
    row.name,
    html`${campaignHead(row, 'people', work.venue.timezone)}
      <section class="card narrow form">
        <h2>The list is built</h2>
        ${countersPart({ ...composed, recipientsTotal: composed.recipientsTotal })}
        ${changes.length > 0 && html`<p class="small soft">On the list: ${changes.join(', ')}.</p>`}
        ${composed.keptInFlight > 0 && html`<p class="small soft">${counted(composed.keptInFlight, 'copy is', 'copies are')} sent or on the way, and cannot be recalled.</p>`}
        <div class="inline">
          ${isDraft && html`<a class="button primary" href="${home}/${id}/send">Test and send ›</a>`}
          <a class="button" href="${home}/${id}/people">Back to people</a>
        </div>
      </section>`,
  )
}
