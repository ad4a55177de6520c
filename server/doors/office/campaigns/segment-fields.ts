import { limits } from '@venue-data/contract/limits.ts'
import type { SegmentExclusions, Segment, SegmentPart } from '@venue-data/contract/records/segment.ts'
import { partsOf, readSegment, ifGiven } from '../../../marketing/campaigns/audience/segments.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { wholeNumber } from '../../../platform/kernel/typed-fields.ts'
import type { Form } from '../frame/page.ts'
import { wholeNumberIn } from '../parts/forms/fields.ts'
import { idIn } from '../parts/time-words.ts'

/*
 * Who gets a campaign, between the form and the segment. Each condition of the form applies as soon as it is filled
 * in; all that apply must match. Empty ones are ignored, and an empty form means everybody.
 */

/** What is in the form. Lists are of tags by name, or of ids. */
export type SegmentTyped = {
  readonly anyTags: readonly string[]
  readonly allTags: readonly string[]
  readonly noTags: readonly string[]
  /** '' any, `now` the month at the venue, or 1 to 12. */
  readonly birthday: string
  readonly minVisits: string
  readonly withinDays: string
  readonly notSinceDays: string
  readonly lapsedVisits: string
  readonly buyersOf: string
  /** '' the campaign's own event, `nobody`, or an event. */
  readonly holdersOf: string
  readonly outTags: readonly string[]
  readonly mailedDays: string
  readonly outCampaigns: readonly string[]
}

const empty: SegmentTyped = {
  anyTags: [],
  allTags: [],
  noTags: [],
  birthday: '',
  minVisits: '',
  withinDays: '',
  notSinceDays: '',
  lapsedVisits: '',
  buyersOf: '',
  holdersOf: '',
  outTags: [],
  mailedDays: '',
  outCampaigns: [],
}

/**
 * A segment as the form shows it. Undefined: it has two conditions of one kind, which connected software can make.
 */
export const typedOfSegment = (segment: Segment): SegmentTyped | undefined => {
  let typed: SegmentTyped = { ...empty, ...typedExclusions(segment.exclude ?? {}) }
  const seen = new Set<string>()
  for (const part of partsOf(segment)) {
    if (part.type === 'all') continue
    if (seen.has(part.type)) return undefined
    seen.add(part.type)
    typed = { ...typed, ...typedPart(part) }
  }
  return typed
}

const typedPart = (part: Exclude<SegmentPart, { type: 'all' }>): Partial<SegmentTyped> => {
  const text = (number: number | undefined, otherwise = '') =>
    number === undefined ? otherwise : String(number)
  switch (part.type) {
    case 'tag':
      return { anyTags: part.anyOf ?? [], allTags: part.allOf ?? [], noTags: part.noneOf ?? [] }
    case 'birthday':
      return { birthday: text(part.month, 'now') }
    case 'visited':
      return { minVisits: text(part.minVisits, '1'), withinDays: text(part.withinDays) }
    case 'lapsed':
      return { notSinceDays: text(part.notSinceDays), lapsedVisits: text(part.minVisits) }
    case 'ticketBuyers':
      return { buyersOf: text(part.eventId) }
    default:
      return part satisfies never
  }
}

const typedExclusions = ({
  ticketHoldersOf,
  tags,
  mailedWithinDays,
  campaigns,
}: SegmentExclusions): Partial<SegmentTyped> => ({
  holdersOf:
    ticketHoldersOf === false ? 'nobody' : typeof ticketHoldersOf === 'number' ? String(ticketHoldersOf) : '',
  outTags: tags ?? [],
  mailedDays: mailedWithinDays === undefined ? '' : String(mailedWithinDays),
  outCampaigns: (campaigns ?? []).map(String),
})

/** What was typed, as it was. */
export const typedInSegment = (form: Form): SegmentTyped => {
  const tags = (name: string): string[] => [
    ...new Set(
      [...form.all(name), ...form.text(`${name}More`).split('\n')]
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ]
  return {
    anyTags: tags('anyTags'),
    allTags: tags('allTags'),
    noTags: tags('noTags'),
    birthday: form.text('birthday'),
    minVisits: form.text('minVisits').trim(),
    withinDays: form.text('withinDays').trim(),
    notSinceDays: form.text('notSinceDays').trim(),
    lapsedVisits: form.text('lapsedVisits').trim(),
    buyersOf: form.text('buyersOf'),
    holdersOf: form.text('holdersOf'),
    outTags: tags('outTags'),
    mailedDays: form.text('mailedDays').trim(),
    outCampaigns: form.all('outCampaigns'),
  }
}

/** The segment a form describes. Refuses 400 with a sentence for staff. */
export const segmentOfTyped = (typed: SegmentTyped): Segment => {
  const parts: SegmentPart[] = []
  const { anyTags, allTags, noTags } = typed
  if (anyTags.length + allTags.length + noTags.length > 0) {
    parts.push({
      type: 'tag',
      ...(anyTags.length > 0 && { anyOf: tagsIn(anyTags) }),
      ...(allTags.length > 0 && { allOf: tagsIn(allTags) }),
      ...(noTags.length > 0 && { noneOf: tagsIn(noTags) }),
    })
  }
  if (typed.birthday === 'now') parts.push({ type: 'birthday' })
  else if (typed.birthday !== '') {
    parts.push({
      type: 'birthday',
      ...ifGiven('month', numberIn(typed.birthday, 'The birthday month', 12)),
    })
  }
  const withinDays = numberIn(typed.withinDays, 'The number of days they came within', limits.segmentDays)
  const minVisits = numberIn(typed.minVisits, 'The number of visits', limits.segmentVisits)
  if (withinDays !== undefined || minVisits !== undefined) {
    parts.push({ type: 'visited', ...ifGiven('withinDays', withinDays), ...ifGiven('minVisits', minVisits) })
  }
  const notSinceDays = numberIn(
    typed.notSinceDays,
    'The number of days since they last came',
    limits.segmentDays,
  )
  const lapsedVisits = numberIn(
    typed.lapsedVisits,
    'The number of visits before they stopped coming',
    limits.segmentVisits,
  )
  if (notSinceDays !== undefined)
    parts.push({ type: 'lapsed', notSinceDays, ...ifGiven('minVisits', lapsedVisits) })
  else if (lapsedVisits !== undefined) {
    throw badRequest('Enter how many days they have been away, or leave the visits before that empty, too.')
  }
  if (typed.buyersOf !== '') parts.push({ type: 'ticketBuyers', eventId: chosen(typed.buyersOf, 'event') })

  const exclude = exclusionsOf(typed)
  const [one = { type: 'all' } as const, ...others] = parts
  const described = others.length === 0 ? one : ({ type: 'and', of: parts } as const)
  // Read like any other segment, so that nothing gets past their limits.
  return readSegment({ ...described, ...(Object.keys(exclude).length > 0 && { exclude }) })
}

const exclusionsOf = (typed: SegmentTyped): SegmentExclusions => {
  const { holdersOf, outTags, mailedDays, outCampaigns } = typed
  if (outCampaigns.length > limits.segmentEntries) throw tooMany('campaigns')
  return {
    ...(holdersOf !== '' && { ticketHoldersOf: holdersOf === 'nobody' ? false : chosen(holdersOf, 'event') }),
    ...(outTags.length > 0 && { tags: tagsIn(outTags) }),
    ...ifGiven(
      'mailedWithinDays',
      numberIn(mailedDays, 'The number of days since the last email', limits.segmentDays),
    ),
    ...(outCampaigns.length > 0 && { campaigns: outCampaigns.map((id) => chosen(id, 'campaign')) }),
  }
}

const numberIn = (text: string, what: string, most: number): number | undefined =>
  text === '' ? undefined : wholeNumber(what, wholeNumberIn(text), 1, most)

const tagsIn = (tags: readonly string[]): readonly string[] => {
  if (tags.length > limits.segmentEntries) throw tooMany('tags')
  const long = tags.find((tag) => Array.from(tag).length > limits.tagCharacters)
  if (long !== undefined) throw badRequest(`A tag can have at most ${limits.tagCharacters} characters.`)
  return tags
}

const tooMany = (what: string) => badRequest(`Choose at most ${limits.segmentEntries} ${what} at once.`)

const chosen = (text: string, what: string): number => {
  const id = idIn(text)
  if (id === undefined) throw badRequest(`Choose from the ${what}s offered.`)
  return id
}
