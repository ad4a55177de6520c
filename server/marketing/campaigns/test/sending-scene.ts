import { type TestRelay, startTestRelay } from '../../../mail/test/relay.ts'
import { eventually } from '../../../test/eventually.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { type Sending, type SendingOptions, startSending } from '../sending/engine.ts'

/** A relay, the service and processes that send, as the tests of sending need them. */
export type SendingScene = {
  readonly service: TestService
  readonly relay: TestRelay
  /** A campaign with a list, due now; people are made for it unless they are given. */
  readonly campaign: (venue: TestVenue, made?: Partial<CampaignMade>) => Promise<SceneCampaign>
  /** Starts a process that sends; two are two. */
  readonly process: (options?: SendingOptions) => Sending
  readonly stopProcesses: () => Promise<void>
  readonly query: <Row = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>
  readonly pass: (milliseconds: number) => void
  /** Until the campaign is in that state, or fails after some seconds. */
  readonly until: (campaign: SceneCampaign, status: string) => Promise<CampaignState>
  /** Until it says why nothing is sent. */
  readonly untilTroubled: (campaign: SceneCampaign) => Promise<CampaignState>
  readonly state: (campaign: SceneCampaign) => Promise<CampaignState>
  readonly copies: (campaign: SceneCampaign) => Promise<CopyRow[]>
  readonly stop: () => Promise<void>
}

export type CampaignMade = {
  readonly people: number
  readonly names: readonly string[]
  readonly emails: readonly string[]
  readonly subject: string
  readonly bodyHtml: string
  readonly eventId: number | null
  /** Seconds from now on. */
  readonly dueIn: number
}

export type SceneCampaign = {
  readonly venue: TestVenue
  readonly id: number
  readonly emails: readonly string[]
}
export type CampaignState = {
  readonly status: string
  readonly sent_count: number
  readonly failed_count: number
  readonly skipped_count: number
  readonly row_count: number
  readonly last_error: string
  readonly send_hold_until: string | null
  readonly started_at: string | null
  readonly finished_at: string | null
}
export type CopyRow = {
  readonly subscriber_id: number
  readonly email: string | null
  readonly state: string
  readonly why: string | null
  readonly tries: number
  readonly due_at: string
  readonly answer: string | null
  readonly message_id: string | null
}

/** Quick looks, so that a test takes no longer than its mail. */
const quick = { lookMs: 20, beatMs: 50, goneAfterMs: 60_000 } as const

export const startSendingScene = async (settings: Record<string, string> = {}): Promise<SendingScene> => {
  const relay = await startTestRelay()
  const service = await startService({ SMTP_URL: relay.url, ...settings })
  const sendings: Sending[] = []
  let people = 0

  const query: SendingScene['query'] = async <Row>(text: string, values: unknown[] = []) =>
    (await service.db.session((client) => client.query(text, values))).rows as Row[]

  const campaign: SendingScene['campaign'] = async (venue, made = {}) => {
    const start = people
    const emails =
      made.emails ?? Array.from({ length: made.people ?? 5 }, () => `guest${++people}@example.com`)
    const names = made.names ?? emails.map((_, n) => `Guest ${start + n + 1}`)
    const now = service.context.clock()
    const due = now.add({ seconds: made.dueIn ?? 0 })
    await query(
      `insert into subscriber (venue_id, email, email_key, first_name, status, source, consent_at, created_at, updated_at)
       select $1, email, lower(email), name, 'subscribed', 'import', $4, $4, $4 from unnest($2::text[], $3::text[]) as p (email, name)
       on conflict (venue_id, email_key) do nothing`,
      [venue.id, emails, names, now.toString()],
    )
    // In one statement: an engine that looked in between would find nobody to mail, and end the campaign.
    const [row] = await query<{ id: string }>(
      `with made as (
         insert into campaign (venue_id, name, subject, body_html, status, event_id, scheduled_at, send_hold_until, row_count, created_at, updated_at)
         values ($1, 'test', $2, $3, 'scheduled', $4, $5, $5, $6, $7, $7) returning id),
       listed as (
         insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, due_at)
         select $1, made.id, s.id, s.email_key, 'waiting', $7
           from made, subscriber s where s.venue_id = $1 and s.email_key = any($8::text[]))
       select id from made`,
      [
        venue.id,
        made.subject ?? 'Oysters all week, {{firstName|friend}}',
        made.bodyHtml ?? '<h1>Oyster week</h1><p>Hello {{firstName|friend}}.</p>',
        made.eventId ?? null,
        due.toString(),
        emails.length,
        now.toString(),
        emails.map((email) => email.toLowerCase()),
      ],
    )
    const id = Number(row?.id)
    return { venue, id, emails }
  }

  const state = async ({ venue, id }: SceneCampaign): Promise<CampaignState> =>
    (
      await query<CampaignState>(
        `select status, sent_count, failed_count, skipped_count, row_count, last_error, send_hold_until, started_at, finished_at
           from campaign where venue_id = $1 and id = $2`,
        [venue.id, id],
      )
    )[0] as CampaignState

  const stopProcesses = async (): Promise<void> => {
    await Promise.all(sendings.splice(0).map((one) => one.stop()))
  }

  return {
    service,
    relay,
    campaign,
    process: (options = {}) => {
      const sending = startSending(
        { ...service.context, db: service.context.workerDb },
        { ...quick, ...options },
      )
      sendings.push(sending)
      return sending
    },
    stopProcesses,
    query,
    state,
    copies: ({ venue, id }) =>
      query(
        `select r.subscriber_id, s.email, r.state, r.why, r.tries, r.due_at, r.answer, r.message_id
           from recipient r left join subscriber s on s.venue_id = r.venue_id and s.id = r.subscriber_id
          where r.venue_id = $1 and r.campaign_id = $2 order by r.subscriber_id`,
        [venue.id, id],
      ),
    pass: (milliseconds) => service.setClock(service.context.clock().add({ milliseconds }).toString()),
    until: (one, status) =>
      eventually(async () => {
        const now = await state(one)
        if (now.status !== status) throw new Error(JSON.stringify(now))
        return now
      }),
    untilTroubled: (one) =>
      eventually(async () => {
        const now = await state(one)
        if (now.last_error === '') {
          throw new Error(
            JSON.stringify([
              now,
              await query('select state from mail_relay'),
              sendings.map((s) => s.counts()),
            ]),
          )
        }
        return now
      }),
    stop: async () => {
      await stopProcesses()
      await service.stop()
      await relay.stop()
    },
  }
}
