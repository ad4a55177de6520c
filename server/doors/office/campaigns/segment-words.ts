import type { Segment, SegmentPart } from '@venue-data/contract/records/segment.ts'
import { partsOf } from '../../../marketing/campaigns/audience/segments.ts'
import { listInWords, months } from '../../../platform/kernel/time/calendar.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'
import { counted } from '../parts/pager.ts'

/** A segment in plain sentences: who is included, and who of them is left out. */
export const segmentWords = (segment: Segment, eventName: (id: number) => string): string[] => {
  const parts = partsOf(segment).filter(({ type }) => type !== 'all')
  const { ticketHoldersOf, tags, mailedWithinDays, campaigns } = segment.exclude ?? {}
  return [
    parts.length === 0
      ? 'Everybody who is subscribed'
      : `Subscribers ${listInWords(parts.map((part) => partWords(part, eventName)))}`,
    typeof ticketHoldersOf === 'number' && `Excluding ticket holders for ${eventName(ticketHoldersOf)}`,
    ticketHoldersOf === false && 'Including people who already have a ticket for the event',
    tags && `Excluding those with ${orList(tags)}`,
    mailedWithinDays !== undefined && `Excluding those emailed in the last ${days(mailedWithinDays)}`,
    campaigns && `Excluding those who got ${counted(campaigns.length, 'other campaign')}`,
  ]
    .filter((sentence) => sentence !== undefined && sentence !== false)
    .map(endSentence)
}

const partWords = (part: SegmentPart, eventName: (id: number) => string): string => {
  switch (part.type) {
    case 'all':
      return 'of every kind'
    case 'tag':
      return listInWords(
        [
          part.anyOf &&
            `with ${part.anyOf.length === 1 ? 'the tag' : 'one of the tags'} ${orList(part.anyOf)}`,
          part.allOf &&
            `with ${part.allOf.length === 1 ? 'the tag' : 'all of the tags'} ${listInWords(part.allOf)}`,
          part.noneOf && `without ${orList(part.noneOf)}`,
        ].filter((words) => words !== undefined),
      )
    case 'birthday':
      return part.month === undefined
        ? 'with a birthday this month'
        : `with a birthday in ${months[part.month - 1] ?? part.month}`
    case 'visited':
      return `who came at least ${times(part.minVisits ?? 1)}${part.withinDays === undefined ? '' : ` in the last ${days(part.withinDays)}`}`
    case 'lapsed':
      return `who came at least ${times(part.minVisits ?? 1)} but not in the last ${days(part.notSinceDays)}`
    case 'ticketBuyers':
      return `who bought a ticket for ${eventName(part.eventId)}`
    default:
      return part satisfies never
  }
}

/** Behind "in the last". */
const days = (count: number): string => (count === 1 ? 'day' : counted(count, 'day'))

const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`)

const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
