import { type BodyFormat, bodyFormats } from '@venue-data/contract/records/campaign.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Segment } from '@venue-data/contract/records/segment.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { Refusal, badRequest, notFound } from '../../platform/kernel/refusal.ts'
import { asSeen } from '../../platform/kernel/running/seen-version.ts'
import { needed, typedWord, typedLine } from '../../platform/kernel/typed-fields.ts'
import { eventById } from '../../tickets/event-reads.ts'
import { cleaned, createCampaign } from './actions.ts'
import { recordCampaign } from './activity.ts'
import { type CampaignRow, campaign, campaignForUpdate } from './reads.ts'
import { campaignClosed } from './rules.ts'
import { everyone, readSegment } from './audience/segments.ts'
import { type DraftText, writeDraft } from './staff-writes.ts'
import { bodyFromTyped } from './typed-body.ts'

/* What staff write: a new draft, its text, who it goes to; each checked as the API checks it. */

/** A draft's text as typed. */
export type TypedWords = {
  readonly name: string
  readonly subject: string
  readonly preheader: string
  readonly bodyHtml: string
  readonly bodyText: string
  readonly bodyFormat: string
  readonly eventId: number | null
  readonly seriesKey: string
  readonly seriesStep: number | null
  readonly seriesTotal: number | null
}

/** Starts a campaign: a name and a subject; the rest comes in the editor. */
export const beginCampaign = (
  work: Work,
  actor: Actor,
  { name, subject }: Pick<TypedWords, 'name' | 'subject'>,
  segment: Segment = everyone,
): Promise<CampaignRow> =>
  createCampaign(work, actor, {
    name: needed('The name', typedLine('The name', name, limits.nameCharacters)),
    subject: needed('The subject', typedLine('The subject', subject, limits.subjectCharacters)),
    preheader: '',
    bodyHtml: '',
    bodyText: '',
    bodyFormat: 'guided',
    segment,
  })

/** Starts a campaign with the text and people of another. */
export const copyCampaign = async (work: Work, actor: Actor, id: number): Promise<CampaignRow> => {
  const from = await campaign(work.db, work.venue.id, id)
  if (!from) throw notFound('campaign')
  const text = draftTextOf(from)
  const name = Array.from(`Copy of ${from.name}`).slice(0, limits.nameCharacters).join('')
  return createCampaign(work, actor, { ...text, name })
}

/** Saves a draft's text. Refuses a stale page, text that cannot be stored, and a campaign that is not a draft. */
export const editWords = async (
  work: Work,
  actor: Actor,
  {
    id,
    seenVersion,
    words,
  }: { readonly id: number; readonly seenVersion: number; readonly words: TypedWords },
): Promise<CampaignRow> => {
  const read = readWords(words)
  if (read.eventId !== null && !(await eventById(work.db, work.venue.id, read.eventId)))
    throw notFound('event')
  return edit(work, actor, { id, seenVersion }, (row) => ({ ...read, segment: draftTextOf(row).segment }))
}

/** Saves who a draft goes to. Its list must be built after that. */
export const editPeople = (
  work: Work,
  actor: Actor,
  {
    id,
    seenVersion,
    segment,
  }: { readonly id: number; readonly seenVersion: number; readonly segment: Segment },
): Promise<CampaignRow> => edit(work, actor, { id, seenVersion }, (row) => ({ ...draftTextOf(row), segment }))

const edit = async (
  work: Work,
  actor: Actor,
  { id, seenVersion }: { readonly id: number; readonly seenVersion: number },
  change: (row: CampaignRow) => DraftText,
): Promise<CampaignRow> => {
  const { db, venue } = work
  const held = await campaignForUpdate(db, venue.id, id)
  if (held?.status === 'sent' || held?.status === 'cancelled') throw campaignClosed(held)
  if (held && held.status !== 'draft') {
    throw new Refusal(409, 'This campaign is already on its way: its content and list can no longer change.')
  }
  const before = asSeen('campaign', held, seenVersion)
  const draft = await cleaned(venue.id, change(before))
  const now = work.now()
  const after = await writeDraft(
    db,
    venue.id,
    id,
    {
      ...draft,
      keepsTest:
        draft.subject === before.subject &&
        draft.bodyHtml === before.body_html &&
        draft.bodyText === before.body_text &&
        draft.bodyFormat === before.body_format,
      keepsList:
        JSON.stringify(draft.segment) === JSON.stringify(readSegment(before.segment)) &&
        draft.eventId === before.event_id &&
        draft.seriesKey === before.series_key,
    },
    now,
  )
  await recordCampaign(work, actor, 'edit', before, after, now)
  return after
}

const draftTextOf = (row: CampaignRow): DraftText => ({
  name: row.name,
  subject: row.subject,
  preheader: row.preheader,
  bodyHtml: row.body_html,
  bodyText: row.body_text,
  bodyFormat: row.body_format as BodyFormat,
  segment: readSegment(row.segment),
  eventId: row.event_id,
  seriesKey: row.series_key,
  seriesStep: row.series_step,
  seriesTotal: row.series_total,
})

/** More emails than anybody sends about one thing. */
export const seriesMost = 20

const readWords = (words: TypedWords): Omit<DraftText, 'segment'> => {
  const seriesKey = typedLine('The series name', words.seriesKey, limits.shortTextCharacters) ?? ''
  const bodyFormat = typedWord('The format', words.bodyFormat, bodyFormats)
  return {
    name: needed('The name', typedLine('The name', words.name, limits.nameCharacters)),
    subject: needed('The subject', typedLine('The subject', words.subject, limits.subjectCharacters)),
    preheader: typedLine('The preview line', words.preheader, limits.shortTextCharacters) ?? '',
    bodyHtml: bodyIn('The body', bodyFromTyped(bodyFormat, words.bodyHtml)),
    bodyText: bodyIn('The plain text', words.bodyText),
    bodyFormat,
    eventId: words.eventId,
    seriesKey,
    ...placeIn(seriesKey, words),
  }
}

const placeIn = (
  key: string,
  { seriesStep, seriesTotal }: TypedWords,
): Pick<DraftText, 'seriesStep' | 'seriesTotal'> => {
  if (key === '') return { seriesStep: null, seriesTotal: null }
  const isPlace = (number: number | null): number is number =>
    number !== null && Number.isInteger(number) && number >= 1 && number <= seriesMost
  if (!isPlace(seriesStep) || !isPlace(seriesTotal) || seriesStep > seriesTotal) {
    throw badRequest(
      `For a series, enter which email this is and of how many, such as 2 of 3; at most ${seriesMost}.`,
    )
  }
  return { seriesStep, seriesTotal }
}

const bodyIn = (what: string, text: string): string => {
  const kept = text.replaceAll(/\r\n?/g, '\n')
  if (
    Array.from(kept).length > limits.campaignBodyCharacters ||
    Buffer.byteLength(kept) > limits.campaignBodyBytes
  ) {
    throw badRequest(`${what} is too long: 1 MiB at most.`)
  }
  if (kept.includes('\0') || !kept.isWellFormed())
    throw badRequest(`${what} contains a character that cannot be stored.`)
  return kept.trim() === '' ? '' : kept
}
