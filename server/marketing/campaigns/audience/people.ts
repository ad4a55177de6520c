import type { Segment, SegmentPart } from '@venue-data/contract/records/segment.ts'
import { type Fragment, fragment, joined, part } from '../../../platform/db/sql.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { partsOf } from './segments.ts'
import { type Sources, tagKey } from './sources.ts'

/**
 * Whether somebody of that query (`p`) has no address that mail can go to: none at all, or one with letters beyond
 * ASCII before the @, which hardly any relay takes (`wireAddress`).
 */
export const noUsableAddress = fragment(
  `(position('@' in p.person) = 0
    or octet_length(p.person) > char_length(p.person) and split_part(p.person, '@', 1) ~ '[^ -~]')`,
)

/**
 * Whether an order (`o`) means a ticket: one that is paid, or counts as paid. Buyers and holders are the same people.
 */
export const isTicket = fragment(`o.status in ('paid', 'paid_unconfirmed', 'partially_refunded')`)

/**
 * A segment as a query with one row for each person, merged by lower-cased address: `person` (the address, or a name
 * for a record without one, which holds no @), and what is known of them as a subscriber, null for who never was one.
 * Its text depends only on which types of conditions there are, so there are few.
 */
export const peopleOf = (
  venue: VenueId,
  segment: Segment,
  sources: Sources,
  wall: { readonly today: LocalDate; readonly month: number },
): Fragment => {
  const daysAgo = (days: number): Fragment =>
    part`${Temporal.PlainDate.from(wall.today).subtract({ days }).toString()}::date`

  // In the order of their types, so that there are few texts.
  const conditions = partsOf(segment).toSorted((a, b) => a.type.localeCompare(b.type))
  const ofSubscribers: Fragment[] = [part`s.venue_id = ${venue}`]
  const ofGuests: Fragment[] = []
  const others: Fragment[] = []
  for (const one of conditions) {
    switch (one.type) {
      case 'all':
        break
      case 'tag':
        ofSubscribers.push(...tagConditions(venue, one, sources))
        break
      case 'birthday':
        ofSubscribers.push(part`s.birth_month = ${one.month ?? wall.month}::integer`)
        break
      case 'visited':
        ofGuests.push(
          one.withinDays === undefined
            ? part`g.visit_count >= ${one.minVisits ?? 1}::integer`
            : visitsSince(venue, daysAgo(one.withinDays), one.minVisits ?? 1),
        )
        break
      case 'lapsed':
        ofGuests.push(
          part`g.last_visit_date < ${daysAgo(one.notSinceDays)} and g.visit_count >= ${one.minVisits ?? 1}::integer`,
        )
        break
      case 'ticketBuyers':
        others.push(buyers(venue, one.eventId))
        break
      default:
        one satisfies never
    }
  }
  if (ofGuests.length > 0) {
    others.unshift(part`
      select coalesce(g.email_key, 'guest ' || g.id) from guest g
       where g.venue_id = ${venue} and ${joined(ofGuests, ' and ')}`)
  }
  const subscribers = part`subscriber s where ${joined(ofSubscribers, ' and ')}`
  if (others.length === 0) return part`select s.email_key as person, ${known} from ${subscribers}`

  const isOfSubscribers = conditions.some(
    ({ type }) => type === 'all' || type === 'tag' || type === 'birthday',
  )
  const found = isOfSubscribers ? [...others, part`select s.email_key from ${subscribers}`] : others
  return part`
    select p.person, ${known} from (${joined(found, ' intersect ')}) p (person)
      left join subscriber s on s.venue_id = ${venue} and s.email_key = p.person`
}

const known = fragment(`s.venue_id, s.id as subscriber_id, s.status, s.mail_paused_until, s.birthday_mails,
  coalesce(btrim(s.first_name), '') = '' as is_nameless`)

/** Somebody who turned a topic off on their preferences page does not have its tag. */
const tagConditions = (
  venue: VenueId,
  { anyOf, allOf, noneOf }: Extract<SegmentPart, { type: 'tag' }>,
  { tagIds }: Sources,
): Fragment[] => {
  const ids = (names: readonly string[]): Fragment => part`
    any(${[...new Set(names.flatMap((name) => tagIds.get(tagKey(name)) ?? []))]}::bigint[])`
  const carriers = (names: readonly string[]): Fragment => part`
    select t.subscriber_id from subscriber_tag t
     where t.venue_id = ${venue} and t.tag_id = ${ids(names)}
       and not exists (
         select from topic_off o
          where o.venue_id = ${venue} and o.subscriber_id = t.subscriber_id and o.tag_id = t.tag_id)`
  const conditions: Fragment[] = []
  if (anyOf) conditions.push(part`s.id in (${carriers(anyOf)})`)
  if (allOf) {
    const wanted = new Set(allOf.map(tagKey)).size
    conditions.push(
      part`s.id in (${carriers(allOf)} group by t.subscriber_id having count(*) = ${wanted}::integer)`,
    )
  }
  if (noneOf) {
    conditions.push(part`
      not exists (
        select from subscriber_tag t
         where t.venue_id = ${venue} and t.subscriber_id = s.id and t.tag_id = ${ids(noneOf)})`)
  }
  return conditions
}

/** Visits count from seating on; of imported ones only the last has a date. */
const visitsSince = (venue: VenueId, day: Fragment, least: number): Fragment => part`
  g.last_visit_date >= ${day} and (
    select count(*) from reservation r
     where r.venue_id = ${venue} and r.guest_id = g.id and r.status in ('Seated', 'Completed')
       and r.service_date >= ${day}
  ) + case when g.imported_last_visit_date >= ${day} then 1 else 0 end >= ${least}::integer`

const buyers = (venue: VenueId, event: number): Fragment => part`
  select distinct coalesce(o.buyer_email_key, 'order ' || o.id)
    from ticket_order o join occurrence c on c.venue_id = ${venue} and c.id = o.occurrence_id
   where o.venue_id = ${venue} and c.event_id = ${event}::bigint and ${isTicket}`
