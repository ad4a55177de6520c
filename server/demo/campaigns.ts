import { sentenceOfFailures } from '../marketing/campaigns/sending/due.ts'
import { sql } from '../platform/db/sql.ts'
import { addDays } from '../platform/kernel/time/calendar.ts'
import { type Tables, insertAll, momentText } from './write/bulk.ts'
import { dayMs, minuteMs, momentAt, wallAt } from './venue-time.ts'

/*
 * Campaigns of the demo: sent ones whose people and figures fit the mail list, one that was stopped, and drafts. None is
 * scheduled or being sent: a demo with a real relay must not mail anybody by itself.
 */

type DemoCampaign = {
  readonly name: string
  readonly subject: string
  readonly preheader: string
  readonly body: string
  /** When it was sent or stopped; null: a draft. */
  readonly daysAgo: number | null
  readonly stopped?: true
  readonly tag?: string
  readonly series?: readonly [key: string, step: number, total: number]
  readonly event?: string
}

const campaigns: readonly DemoCampaign[] = [
  {
    name: 'Spring menu',
    subject: 'Asparagus is here, {{firstName|friends}}',
    preheader: 'The spring menu, from Tuesday.',
    body: '<h1>The spring menu</h1><p>Hello {{firstName|there}},</p><p>Green and white asparagus, morels and the first peas: the spring menu begins on Tuesday.</p>',
    daysAgo: 172,
  },
  {
    name: 'Terrace opening',
    subject: 'The terrace is open',
    preheader: 'Twelve tables under the linden tree.',
    body: '<h1>The terrace is open</h1><p>Twelve tables under the linden tree, from five o’clock, whenever it does not rain.</p>',
    daysAgo: 118,
  },
  {
    name: 'Burgundy evenings, announcement',
    subject: 'Two evenings of Burgundy',
    preheader: 'Six wines, four courses, 24 seats.',
    body: '<h1>Burgundy Night</h1><p>Hello {{firstName|there}},</p><p>Six growers, four courses and a table of 24. Seats go fast.</p>',
    daysAgo: 33,
    tag: 'Wine evenings',
    series: ['Burgundy evenings', 1, 2],
    event: 'Burgundy Night',
  },
  {
    name: 'Summer closing party',
    subject: 'One last evening outside',
    preheader: '',
    body: '<h1>One last evening outside</h1><p>Stopped: the forecast says rain.</p>',
    daysAgo: 24,
    stopped: true,
  },
  {
    name: 'Burgundy evenings, last seats',
    subject: 'The last seats for Burgundy, {{firstName|friends}}',
    preheader: 'Five seats are left on Monday.',
    body: '<h1>Five seats are left</h1><p>Hello {{firstName|there}},</p><p>Burgundy Night is nearly full. Who wants to come should come now.</p>',
    daysAgo: 12,
    tag: 'Wine evenings',
    series: ['Burgundy evenings', 2, 2],
    event: 'Burgundy Night',
  },
  {
    name: 'October newsletter',
    subject: 'Mushrooms, game and a new oven',
    preheader: 'What October brings to the table.',
    body: '<h1>October at The Blue Door</h1><p>Hello {{firstName|there}},</p><p>Chanterelles from Vermont, venison from upstate, and bread from an oven of our own.</p>',
    daysAgo: 4,
  },
  {
    name: 'November oyster week',
    subject: 'Oysters all week, {{firstName|friends}}',
    preheader: 'Six kinds, a dozen for $24.',
    body: '<h1>Oyster week</h1><p>Hello {{firstName|there}},</p><p>Six kinds of oysters, from <strong>Tuesday</strong> to Sunday. A dozen is $24.</p><h2>What there is</h2><ul><li>Belon, from Maine</li><li>Wellfleet</li><li>Kumamoto</li></ul>',
    daysAgo: null,
  },
]

/** Tags that guests may choose. */
const topics = ['Wine evenings', 'Brunch', 'Jazz nights']

export const writeCampaigns = async ({ db, venue }: Tables, nowMs: number): Promise<void> => {
  await db.run(sql()`update tag set topic = true where venue_id = ${venue} and name = any(${topics}::text[])`)
  const people = await readPeople({ db, venue })
  for (const campaign of campaigns) await writeCampaign({ db, venue }, campaign, people, nowMs)
}

type DemoPerson = {
  readonly id: number
  readonly email_key: string
  readonly first_name: string | null
  /** When they came onto the list, left it, and were put on the do-not-email list, in milliseconds. */
  readonly joined: number
  readonly left: number | null
  readonly suppressed: number | null
  readonly tags: ReadonlySet<string>
}

const readPeople = async ({ db, venue }: Tables): Promise<DemoPerson[]> => {
  const rows = await db.many(sql({
    id: 'int8',
    email_key: 'text',
    first_name: 'text?',
    joined: 'timestamptz',
    left_list: 'timestamptz?',
    suppressed: 'timestamptz?',
  })`
    select s.id, s.email_key, s.first_name, coalesce(s.confirmed_at, s.created_at) as joined,
           s.unsubscribed_at as left_list, x.created_at as suppressed
      from subscriber s left join suppression x on x.venue_id = ${venue} and x.email_key = s.email_key
     where s.venue_id = ${venue} and s.status <> 'pending' order by s.id`)
  const tagged = await db.many(sql({ id: 'int8', name: 'text' })`
    select g.subscriber_id as id, t.name
      from subscriber_tag g join tag t on t.venue_id = ${venue} and t.id = g.tag_id
     where g.venue_id = ${venue}`)
  const tags = Map.groupBy(tagged, ({ id }) => id)
  const ms = (moment: string | null) =>
    moment === null ? null : Temporal.Instant.from(moment).epochMilliseconds
  return rows.map(({ id, email_key, first_name, joined, left_list, suppressed }) => ({
    id,
    email_key,
    first_name,
    joined: ms(joined) ?? 0,
    left: ms(left_list),
    suppressed: ms(suppressed),
    tags: new Set((tags.get(id) ?? []).map(({ name }) => name)),
  }))
}

type Copy = {
  readonly person: DemoPerson
  readonly state: 'sent' | 'failed' | 'skipped'
  readonly why: 'permanent' | 'used-up' | 'unknown' | 'cancelled' | null
  readonly endedAt: number
  readonly leftAt: number | null
  readonly bounce: 'hard' | 'soft' | null
}

const writeCampaign = async (
  tables: Tables,
  campaign: DemoCampaign,
  people: readonly DemoPerson[],
  nowMs: number,
): Promise<void> => {
  const { db, venue } = tables
  const sentAt = campaign.daysAgo === null ? null : lateMorningOf(nowMs, campaign.daysAgo)
  const copies = sentAt === null ? [] : copiesOf(campaign, people, sentAt)
  const count = (state: Copy['state']) => copies.filter((copy) => copy.state === state).length
  const failed = count('failed')
  const createdAt = sentAt === null ? nowMs - dayMs : sentAt - 2 * dayMs
  const [key, step, total] = campaign.series ?? ['', null, null]
  const event =
    campaign.event === undefined
      ? undefined
      : await db.maybe(sql({ id: 'int8' })`
          select id from ticketed_event where venue_id = ${venue} and name = ${campaign.event} limit 1`)
  const status = sentAt === null ? 'draft' : campaign.stopped ? 'cancelled' : 'sent'
  const endedAt = sentAt === null ? null : momentText(sentAt + (campaign.stopped ? 0 : 4 * minuteMs))
  const { id } = await db.one(sql({ id: 'int8' })`
    insert into campaign (
      venue_id, name, subject, preheader, body_html, segment, status, event_id, series_key, series_step, series_total,
      scheduled_at, send_hold_until, test_sent_at, composed_at, started_at, finished_at, last_error, row_count,
      nameless_count, sent_count, failed_count, skipped_count, created_at, updated_at)
    values (
      ${venue}, ${campaign.name}, ${campaign.subject}, ${campaign.preheader}, ${campaign.body},
      ${JSON.stringify(campaign.tag === undefined ? { type: 'all' } : { type: 'tag', anyOf: [campaign.tag] })},
      ${status}, ${event?.id ?? null}, ${key}, ${step}, ${total},
      ${sentAt === null ? null : momentText(sentAt)}, ${sentAt === null ? null : momentText(sentAt)},
      ${sentAt === null ? null : momentText(sentAt - 30 * minuteMs)},
      ${sentAt === null ? null : momentText(sentAt - 20 * minuteMs)},
      ${sentAt === null || campaign.stopped ? null : momentText(sentAt)}, ${endedAt}, ${failureWords(copies)},
      ${copies.length}, ${copies.filter(({ person }) => person.first_name === null).length}, ${count('sent')},
      ${failed}, ${count('skipped')}, ${momentText(createdAt)}, ${endedAt ?? momentText(createdAt)})
    returning id`)
  await writeCopies(tables, id, copies)
}

/** When restaurants write to people: eleven at the venue. */
const lateMorningOf = (nowMs: number, daysAgo: number): number =>
  momentAt(addDays(wallAt(nowMs).date, -daysAgo), 11 * 60)

/** Some part of a thousand people, always the same for the same two numbers. */
const drawOf = (person: number, about: number): number =>
  ((person * 7_919 + about * 104_729) % 100_003) % 1_000

const copiesOf = (
  { tag, stopped, daysAgo }: DemoCampaign,
  people: readonly DemoPerson[],
  sentAt: number,
): Copy[] =>
  people
    .filter(
      ({ joined, left, suppressed, tags }) =>
        joined < sentAt &&
        (left === null || left > sentAt) &&
        (suppressed === null || suppressed > sentAt) &&
        (tag === undefined || tags.has(tag)),
    )
    .map((person, place) => {
      const endedAt = sentAt + Math.floor((place / people.length) * 4 * minuteMs)
      const copy = { person, endedAt, leftAt: null, bounce: null } as const
      if (stopped) return { ...copy, state: 'skipped', why: 'cancelled' }
      const draw = drawOf(person.id, daysAgo ?? 0)
      const isDying = person.suppressed !== null && person.suppressed - sentAt < 30 * dayMs
      if (isDying && draw < 500) return { ...copy, state: 'failed', why: 'permanent' }
      if (draw < 3) return { ...copy, state: 'failed', why: draw === 0 ? 'unknown' : 'used-up' }
      const leaves = person.left !== null && person.left - sentAt < 6 * dayMs
      return {
        ...copy,
        state: 'sent',
        why: null,
        leftAt: leaves ? person.left : null,
        bounce: isDying ? 'hard' : draw > 993 ? 'soft' : null,
      }
    })

const failureWords = (copies: readonly Copy[]): string => {
  const failed = copies.filter(({ state }) => state === 'failed')
  return sentenceOfFailures(
    new Map(
      Map.groupBy(failed, ({ why }) => why ?? '')
        .entries()
        .map(([why, of]) => [why, of.length]),
    ),
  )
}

const writeCopies = async (tables: Tables, campaign: number, copies: readonly Copy[]): Promise<void> => {
  await insertAll(tables, 'recipient', copies, ({ person, state, why, endedAt, leftAt }) => ({
    campaign_id: campaign,
    subscriber_id: person.id,
    email_key: person.email_key,
    state,
    why,
    due_at: endedAt,
    tries: 1,
    ended_at: endedAt,
    left_at: leftAt,
  }))
  const bounced = copies.filter(({ bounce }) => bounce !== null)
  await insertAll(tables, 'mail_bounce', bounced, ({ person, bounce, endedAt }) => ({
    email_key: person.email_key,
    kind: bounce,
    source: 'dsn',
    status_code: bounce === 'hard' ? '5.1.1' : '4.2.2',
    campaign_id: campaign,
    subscriber_id: person.id,
    report_key: `demo:${campaign}:${person.id}`,
    at: endedAt + 2 * minuteMs,
  }))
}
