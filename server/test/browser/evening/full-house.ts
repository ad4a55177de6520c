import type { Page } from 'playwright-core'
import { runImports } from '../../../data/imports/run.ts'
import { type Demo, makeDemo } from '../../../demo/make-demo.ts'
import { makeLinkToken } from '../../../mail/link-token.ts'
import { keepLink } from '../../../mail/venue-sender-rows.ts'
import { addStaff } from '../../../core/staff/actions.ts'
import { startEngine } from '../../../integrations/webhooks/engine/engine.ts'
import { eventually } from '../../eventually.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { testPassword } from '../../office.ts'
import { type Receiver, startReceiver } from '../../receiver.ts'
import { type TestService, startService } from '../../service.ts'

/** The demo venue on a Friday evening, with what the demo does not have: deliveries, imports, requests for access. */
export type FullHouse = {
  readonly service: TestService
  readonly demo: Demo
  /** Campaigns in the states that the demo has none of: addresses of their pages. */
  readonly campaigns: readonly string[]
  /** Pages of a guest, by the links of a mail. */
  readonly guestPages: readonly string[]
  readonly signIn: (role: 'owner' | 'manager' | 'host') => {
    readonly email: string
    readonly password: string
  }
  stop: () => Promise<void>
}

/** Friday 9 October 2026, 19:35 in New York. */
export const fridayEvening = '2026-10-09T23:35:00Z'

export const reviewerEmail = 'reviewer@example.org'

export const openFullHouse = async (): Promise<FullHouse> => {
  const service = await startService({ PRACTICE: 'on' })
  service.setClock(fridayEvening)
  const demo = await makeDemo(service.context)
  const { context, db } = service
  await addStaff(context, db, null, { email: reviewerEmail, role: 'reviewer', password: testPassword })
  await otherVenues(service)
  const receivers = await Promise.all([startReceiver(), startReceiver()])
  await deliver(service, demo, receivers)
  const campaigns = await campaignsUnderWay(service, demo)
  return {
    service,
    demo,
    campaigns,
    guestPages: await guestPagesOf(service, demo),
    signIn: (role) => {
      const account = demo.signIns.find((one) => one.role === role)
      if (!account) throw new Error(`The demo has no ${role}.`)
      return account
    },
    stop: async () => {
      await Promise.all(receivers.map((receiver) => receiver.stop()))
      await service.stop()
    },
  }
}

/** Venues that wait for an answer, and one that was declined. */
const otherVenues = async ({ db, venue }: TestService): Promise<void> => {
  for (const [slug, access] of [
    ['harbour-light', 'requested'],
    ['old-mill', 'declined'],
  ]) {
    const { id } = await venue({ slug: slug as string, name: slug as string })
    await db.session((client) =>
      client.query(
        `update venue set access = $2, access_description = $3, access_answer = $4, access_changed_at = $5 where id = $1`,
        [id, access, 'Bookings from our own website.', 'Please say more.', '2026-10-08T15:00:00Z'],
      ),
    )
  }
}

/** One endpoint that takes what it is sent and one that fails, and a few guests to tell them of. */
const deliver = async (
  { call, context }: TestService,
  { keys }: Demo,
  receivers: readonly Receiver[],
): Promise<void> => {
  const key = keys.readWrite
  for (const { url } of receivers) {
    await call('POST', '/api/v1/webhooks', { key, body: { url: `${url}/hook`, events: ['guest.created'] } })
  }
  receivers[1]?.answer(500)
  const engine = startEngine({ ...context, db: context.workerDb })
  for (const name of ['Ada Moreno', 'Ben Castellanos-Featherstonehaugh']) {
    const body = { name, email: `${name.slice(0, 3).toLowerCase()}@example.com` }
    const { status, text } = await call('POST', '/api/v1/guests', { key, body })
    if (status !== 201) throw new Error(text)
  }
  context.bell.ring()
  await eventually(() => receivers.every(({ received }) => received.length >= 2))
  await engine.stop()
}

/** A campaign that is scheduled, one that is being sent and waits for the relay, and a draft with a list. */
const campaignsUnderWay = async ({ call, db }: TestService, { keys, venue }: Demo): Promise<string[]> => {
  const post = async (path: string, body: object): Promise<{ campaign: { id: number } }> => {
    const answer = await call('POST', `/api/v1/campaigns${path}`, { key: keys.readWrite, body })
    if (answer.status !== 200 && answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  const bodyHtml = '<h1>Thanksgiving</h1><p>Hello {{firstName|there}}, we cook, you sit.</p>'
  const ids: number[] = []
  for (const name of ['Thanksgiving table', 'Game week', 'Truffle evening']) {
    const { campaign } = await post('', { name, subject: name, bodyHtml })
    await post('/compose', { id: campaign.id })
    ids.push(campaign.id)
  }
  const [scheduled = 0, sending = 0, draft = 0] = ids
  for (const id of [scheduled, sending]) {
    await post('/test', { id })
    await post('/send', { id })
  }
  await db.session((client) =>
    client.query(
      `update campaign set status = 'sending', started_at = created_at, sent_count = 400, failed_count = 3,
              skipped_count = 2, send_hold_until = created_at + interval '12 minutes',
              last_error = 'The mail relay cannot be used (connect). Sending resumes by itself when it can.'
        where venue_id = $1 and id = $2`,
      [venue.id, sending],
    ),
  )
  return [
    ...['write', 'people', 'send'].map((page) => `/office/campaigns/${draft}/${page}`),
    ...['write', 'people', 'send', 'report'].map((page) => `/office/campaigns/${scheduled}/${page}`),
    `/office/campaigns/${sending}/report`,
  ]
}

/** What a mail links to, of somebody on the list. */
const guestPagesOf = async ({ context, db }: TestService, { venue }: Demo): Promise<string[]> => {
  const { rows } = await db.session((client) =>
    client.query(`select min(id)::int as id from subscriber where venue_id = $1 and status = 'subscribed'`, [
      venue.id,
    ]),
  )
  const about = { venue: venue.id, subscriber: (rows[0] as { id: number }).id, campaign: 0 }
  return [
    `/u/${makeLinkToken(context.secrets, 'unsubscribe', about)}`,
    `/p/${makeLinkToken(context.secrets, 'preferences', about)}`,
    await senderPageOf(context, db, venue.id),
  ]
}

/** The page that asks whether the venue may send from an address. */
const senderPageOf = async (
  { clock }: TestService['context'],
  db: TestService['db'],
  venue: VenueId,
): Promise<string> => {
  const [address, token, now] = ['hello@bluedoor.example', 'a-link-of-the-tests', clock()]
  await db.session((client) =>
    client.query('update venue set mail_from = $2 where id = $1', [venue, address]),
  )
  await keepLink(
    db,
    venue,
    { address, token, links: 1 },
    { now, expiresAt: now.add({ hours: 24 }), since: now },
  )
  return `/s/${token}`
}

/**
 * What the owner who is signed in adds by hand: a promo code, a file that was imported with a refused row, and one
 * that is not started. Answers the addresses of the two imports.
 */
export const addByHand = async (page: Page, { context }: TestService): Promise<string[]> => {
  await page.goto('/office/tickets/codes')
  await page.locator('input[name=code]').fill('CELLAR10')
  await page.getByLabel('Discount').fill('10')
  await page.getByRole('button', { name: 'Add code' }).click()
  const upload = async (name: string, text: string): Promise<string> => {
    await page.goto('/office/data')
    const form = page.locator('form[action$="/imports/guests"]')
    await form
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await form.locator('button').click()
    await page.waitForURL(/\/imports\/\d+$/)
    return new URL(page.url()).pathname
  }
  const done = await upload(
    'guests.csv',
    'Name,Email,Phone\nLena Fuchs,lena@example.com,+12125550100\nNobody,nobody@@,12\n',
  )
  await page.getByRole('button', { name: /^Import \d/ }).click()
  await page.getByText('You can leave this page').waitFor()
  await runImports(context)
  const ready = await upload(
    'more guests.csv',
    'Name,Email,Phone,Company,Opt-in\nOmar Haddad,omar@example.com,+12125550111,Haddad & Sons,yes\n',
  )
  return [done, ready]
}
