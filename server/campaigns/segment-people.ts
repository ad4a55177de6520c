import type { Segment, SegmentPart } from '@venue-data/contract/segment.ts'
import { type Fragment, fragment } from '../db/sql.ts'
import type { LocalDate } from '../kernel/written-time.ts'
import { partsOf } from './segments.ts'
import { type Sources, tagKey } from './segment-sources.ts'

/**
 * A segment as a query of people. Nothing of the segment gets into its text: that depends only on which types of
 * conditions there are, and what they say travels in `words`, the statement's second value (its first is the venue).
 *
 * The query gives one row for each person, merged by lower-cased address: `person` (the address, or a name for a record
 * without one, which holds no @), and what is known of them as a subscriber, null for who never was one.
 */
export type People = { readonly people: Fragment; readonly words: readonly string[] }

/**
 * Whether somebody of that query (`p`) has no address that mail can go to: none at all, or one with letters beyond ASCII
 * before the @, which hardly any relay takes (`wireAddress`).
 */
export const noUsableAddress = fragment(
  `(position('@' in p.person) = 0
    or octet_length(p.person) > char_length(p.person) and split_part(p.person, '@', 1) ~ '[^ -~]')`,
)

/** Whether an order (`o`) means a ticket: one that is paid, or counts as such. Who bought and who holds one are the same. */
export const isTicket = fragment(`o.status in ('paid', 'paid_unconfirmed', 'partially_refunded')`)

export const peopleOf = (
  segment: Segment,
  sources: Sources,
  wall: { readonly today: LocalDate; readonly month: number },
): People => {
  const words: string[] = []
  const word = (value: string | number | readonly number[]): string => {
    words.push(Array.isArray(value) ? `{${value.join(',')}}` : String(value))
    return `($2::text[])[${words.length}]`
  }
  const daysAgo = (days: number): string =>
    `${word(Temporal.PlainDate.from(wall.today).subtract({ days }).toString())}::date`

  // In the order of their types, so that there are few texts.
  const parts = partsOf(segment).toSorted((a, b) => a.type.localeCompare(b.type))
  const ofSubscribers: string[] = []
  const ofGuests: string[] = []
  const others: string[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'all':
        break
      case 'tag':
        ofSubscribers.push(...tagConditions(part, sources, word))
        break
      case 'birthday':
        ofSubscribers.push(`s.birth_month = ${word(part.month ?? wall.month)}::integer`)
        break
      case 'visited':
        ofGuests.push(
          part.withinDays === undefined
            ? `g.visit_count >= ${word(part.minVisits ?? 1)}::integer`
            : visitsSince(daysAgo(part.withinDays), `${word(part.minVisits ?? 1)}::integer`),
        )
        break
      case 'lapsed':
        ofGuests.push(
          `g.last_visit_date < ${daysAgo(part.notSinceDays)} and g.visit_count >= ${word(part.minVisits ?? 1)}::integer`,
        )
        break
      case 'ticketBuyers':
        others.push(buyers(`${word(part.eventId)}::bigint`))
        break
      default:
        part satisfies never
    }
  }
  const subscribers = `subscriber s where s.venue_id = $1${ofSubscribers.map((one) => ` and ${one}`).join('')}`
  if (ofGuests.length > 0) {
    others.unshift(
      `select coalesce(g.email_key, 'guest ' || g.id) from guest g
        where g.venue_id = $1 and ${ofGuests.join(' and ')}`,
    )
  }
  const known = `s.venue_id, s.id as subscriber_id, s.status, s.mail_paused_until, s.birthday_mails,
    coalesce(btrim(s.first_name), '') = '' as is_nameless`
  if (others.length === 0) {
    return { people: fragment(`select s.email_key as person, ${known} from ${subscribers}`), words }
  }
  const isOfSubscribers = parts.some(({ type }) => type === 'all' || type === 'tag' || type === 'birthday')
  const found = [...others, ...(isOfSubscribers ? [`select s.email_key from ${subscribers}`] : [])]
  return {
    people: fragment(
      `select p.person, ${known} from (${found.join(' intersect ')}) p (person)
         left join subscriber s on s.venue_id = $1 and s.email_key = p.person`,
    ),
    words,
  }
}

type Word = (value: string | number | readonly number[]) => string

/** Somebody who switched a topic off on their preferences page does not carry its tag. */
const tagConditions = (
  { anyOf, allOf, noneOf }: Extract<SegmentPart, { type: 'tag' }>,
  { tagIds }: Sources,
  word: Word,
): string[] => {
  const known = (names: readonly string[]): number[] => [
    ...new Set(names.flatMap((name) => tagIds.get(tagKey(name)) ?? [])),
  ]
  const carriers = (list: string): string =>
    `select t.subscriber_id from subscriber_tag t
      where t.venue_id = $1 and t.tag_id = any(${list}::bigint[])
        and not exists (select from topic_off o where o.venue_id = $1 and o.subscriber_id = t.subscriber_id and o.tag_id = t.tag_id)`
  const conditions: string[] = []
  if (anyOf) conditions.push(`s.id in (${carriers(word(known(anyOf)))})`)
  if (allOf) {
    const wanted = new Set(allOf.map(tagKey)).size
    conditions.push(
      `s.id in (${carriers(word(known(allOf)))} group by t.subscriber_id having count(*) = ${word(wanted)}::integer)`,
    )
  }
  if (noneOf) {
    conditions.push(
      `not exists (select from subscriber_tag t
        where t.venue_id = $1 and t.subscriber_id = s.id and t.tag_id = any(${word(known(noneOf))}::bigint[]))`,
    )
  }
  return conditions
}

/** Visits count from the seating on; of those that were imported only the last one has a date. */
const visitsSince = (day: string, least: string): string =>
  `g.last_visit_date >= ${day} and (
     select count(*) from reservation r
      where r.venue_id = $1 and r.guest_id = g.id and r.status in ('Seated', 'Completed') and r.service_date >= ${day}
   ) + case when g.imported_last_visit_date >= ${day} then 1 else 0 end >= ${least}`

const buyers = (event: string): string =>
  `select distinct coalesce(o.buyer_email_key, 'order ' || o.id)
     from ticket_order o join occurrence c on c.venue_id = $1 and c.id = o.occurrence_id
    where o.venue_id = $1 and c.event_id = ${event}
      and ${isTicket.fragment}`
