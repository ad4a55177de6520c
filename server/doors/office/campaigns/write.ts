import { limits } from '@venue-data/contract/limits.ts'
import { type CampaignRow, campaign } from '../../../marketing/campaigns/reads.ts'
import { contentOf } from '../../../marketing/campaigns/content-of.ts'
import { beginCampaign, copyCampaign, editWords } from '../../../marketing/campaigns/staff-edits.ts'
import { seriesOf } from '../../../marketing/campaigns/staff-reads.ts'
import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { eventsPage } from '../../../tickets/event-reads.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page, part } from '../frame/page.ts'
import {
  type FormSeen,
  idOf,
  lineField,
  mistakePart,
  tokenField,
  typedIn,
  versionIn,
} from '../parts/forms/fields.ts'
import { once } from '../parts/once.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { campaignList } from './list.ts'
import { editor, previewFrame, typedOf, wordsIn } from './editor.ts'
import { segmentOfTyped, typedInSegment } from './segment-fields.ts'
import { campaignHead } from './steps.ts'
import { checkedPart, contentIn, documentOf, unsavedPart } from './shown-mail.ts'
import { home } from './words.ts'

/** A whole email and its plain text as a browser encodes them: a character may take three bytes or six. */
const mailFormBytes = 4 * limits.campaignBodyBytes

/** The list, a new campaign, and its text with the preview. For managers. */
export const writePages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work, { query }) => page('Campaigns', await campaignList(work, query.get('after'))),
  },
  {
    method: 'GET',
    path: `${home}/new`,
    role: 'manager',
    answer: async (_work, { query }) =>
      page('New campaign', newForm({ typed: { notSinceDays: daysAwayIn(query) } })),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const words = { name: form.text('name'), subject: form.text('subject') }
      const segment = segmentOfTyped(typedInSegment(form))
      const id = await once(
        work,
        'campaign',
        form,
        async () => (await beginCampaign(work, actorOf(work.me), words, segment)).id,
      )
      return go(`${home}/${id}/write`, 'Draft saved. Nothing is sent until you say so.')
    },
    again: async (_work, { form }, { message }) =>
      page('New campaign', newForm({ typed: typedIn(form), mistake: message })),
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'manager',
    answer: async (work, { params }) => {
      const row = await campaignOf(work, params.id)
      return go(`${home}/${row.id}/${row.status === 'draft' ? 'write' : 'report'}`)
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/copy`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const from = idOf(params.id, 'campaign')
      const id = await once(
        work,
        'campaign',
        form,
        async () => (await copyCampaign(work, actorOf(work.me), from)).id,
      )
      return go(`${home}/${id}/write`, 'This is a new draft with the same text and people.')
    },
  },
  {
    method: 'GET',
    path: `${home}/:id/write`,
    role: 'manager',
    answer: async (work, { params }) => {
      const row = await campaignOf(work, params.id)
      return row.status === 'draft' ? editorPage(context, work, row) : mailPage(context, work, row)
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/write`,
    role: 'manager',
    formBytes: mailFormBytes,
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'campaign')
      const row = await editWords(work, actorOf(work.me), {
        id,
        seenVersion: versionIn(form),
        words: wordsIn(form),
      })
      return go(`${home}/${row.id}/write`, 'Email saved.')
    },
    again: async (work, { params, form }, { message }) => {
      const row = await campaignOf(work, params.id)
      if (row.status !== 'draft') return go(`${home}/${row.id}/write`, warning(message))
      const changed = form.text('version') !== String(row.version)
      return editorPage(context, work, row, {
        typed: { ...typedIn(form), version: String(row.version) },
        mistake: message,
        ...(changed && { meanwhile: typedOf(row) }),
      })
    },
  },
  {
    method: 'GET',
    path: `${home}/:id/preview`,
    role: 'manager',
    answer: async (work, { params }) => ({
      kind: 'mail',
      document: await documentOf(work, contentOf(await campaignOf(work, params.id))),
    }),
  },
  {
    method: 'POST',
    path: `${home}/:id/preview`,
    role: 'manager',
    apart: true,
    formBytes: mailFormBytes,
    answer: async (work, { params, form }) => {
      await campaignOf(work, params.id)
      return { kind: 'mail', document: await documentOf(work, contentIn(form)) }
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/check`,
    role: 'manager',
    apart: true,
    formBytes: mailFormBytes,
    answer: async (work, { params, form }) => {
      const row = await campaignOf(work, params.id)
      return part(await unsavedPart(context, work, row, contentIn(form)))
    },
  },
]

export const campaignOf = async ({ db, venue }: OfficeWork, id: string | undefined): Promise<CampaignRow> => {
  const row = await campaign(db, venue.id, idOf(id, 'campaign'))
  if (!row) throw notFound('campaign')
  return row
}

/** A page may lead here with who it is about: guests who have not visited for so many days. */
const daysAwayIn = (query: URLSearchParams): string => {
  const days = query.get('notSinceDays') ?? ''
  return /^[1-9]\d{0,3}$/.test(days) && Number(days) <= limits.segmentDays ? days : ''
}

/** Who it goes to, where the page before chose them; to be seen and changed at the next step. */
const chosenPart = ({ typed: { notSinceDays = '' } }: FormSeen): Html | false =>
  notSinceDays !== '' &&
  html`<p class="hint">It goes to subscribers who have not visited in ${notSinceDays} days. You can change that under People.</p>
    <input type="hidden" name="notSinceDays" value="${notSinceDays}" />`

const newForm = (seen: FormSeen): Html =>
  html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Campaigns</a></p>
        <h1>New campaign</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}">
        ${tokenField(seen.typed.token)} ${mistakePart(seen)} ${chosenPart(seen)}
        ${lineField(seen, { name: 'name', label: 'Campaign name', most: limits.nameCharacters, required: true, placeholder: 'October oyster week', hint: 'For staff only; guests never see it.' })}
        ${lineField(seen, { name: 'subject', label: 'Subject', most: limits.subjectCharacters, required: true, placeholder: 'Oysters all week, {{firstName|friends}}', hint: 'What people read first. You can change it until you send.' })}
        <div class="inline">
          <button class="primary">Start writing</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`

const editorPage = async (
  context: Context,
  work: OfficeWork,
  row: CampaignRow,
  sent?: FormSeen,
): Promise<PageAnswer> => {
  const { db, venue } = work
  const [{ rows: events }, series, checked] = await Promise.all([
    eventsPage(db, venue.id, { limit: 200, after: null }),
    seriesOf(db, venue.id, 50),
    sent
      ? unsavedPart(context, work, row, contentOfTyped(sent))
      : checkedPart(context, work, row, contentOf(row)),
  ])
  return page(
    row.name,
    html`${campaignHead(row, 'write', venue.timezone)}
    ${editor(row, sent ?? { typed: typedOf(row) }, { events, series }, checked)}`,
  )
}

const contentOfTyped = ({ typed }: FormSeen) =>
  contentIn({
    text: (name) => typed[name] ?? '',
    all: () => [],
    has: (name) => name in typed,
    names: () => Object.keys(typed),
  })

/** A campaign that is on its way, or was sent: its text is final. */
const mailPage = async (context: Context, work: OfficeWork, row: CampaignRow): Promise<PageAnswer> =>
  page(
    row.name,
    html`${campaignHead(row, 'write', work.venue.timezone, copyButton(row))}
      <div class="editor">
        <div class="stack">
          ${await checkedPart(context, work, row, contentOf(row), { onlyInbox: true })}
        </div>
        <div class="stack shown">${previewFrame(row.id)}</div>
      </div>`,
  )

export const copyButton = ({ id }: CampaignRow): Html =>
  html`<form class="plain" method="post" action="${home}/${id}/copy">${tokenField()}<button>Duplicate</button></form>`
