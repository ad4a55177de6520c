import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Context } from '../../server/context.ts'
import { startTestRelay } from '../../server/mail/test/relay.ts'
import { eventually } from '../../server/test/eventually.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { makeVenue } from '../ground.ts'
import type { Book } from './book.ts'
import { ask, startProcesses } from './scene.ts'

const people = 500
const tester = 'tester@example.com'

/** A campaign through a relay on this machine, and the mails that the relay received: one per person. */
export const tryMailing = async (
  book: Book,
  context: Context,
  settings: Readonly<Record<string, string>>,
): Promise<void> => {
  const relay = await startTestRelay()
  const processes = await startProcesses({
    ...settings,
    SMTP_URL: relay.url,
    MAIL_FROM: 'hello@venue-data.test',
    PUBLIC_URL: 'https://venue-data.test',
    // The sender's domain is made up: without a name server, its records cannot be checked.
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'without-dns.ts')}`,
  })
  try {
    await book.step('the processes restart, with a mail relay', processes.ready)
    await book.step('a campaign is sent through a relay', async () => {
      const { url } = processes
      const { id, keys } = await makeVenue(context, 'mailing', 1)
      const call = { key: keys[0] as string }
      const addresses = Array.from({ length: people }, (_, n) => `person.${n}@example.com`)
      await context.db.session((client) =>
        client.query(
          `update venue set postal_address = '1 Blue Street, New York', test_addresses = array[$2] where id = $1`,
          [id, tester],
        ),
      )
      for (const email of addresses)
        await ask(url, 'POST', '/subscribers', 201, {
          ...call,
          body: {
            email,
            firstName: 'Maya',
            consent: { source: 'Checkout page', statement: 'Send me news.' },
          },
        })
      const words = {
        name: 'Oyster week',
        subject: 'Oysters, {{firstName|friends}}',
        bodyHtml: '<p>Six.</p>',
      }
      const made = await ask(url, 'POST', '/campaigns', 200, { ...call, body: words })
      const campaign = made.body.campaign.id as number
      const post = (step: string, body: object) =>
        ask(url, 'POST', `/campaigns/${step}`, 200, { ...call, body: { id: campaign, ...body } })
      assert.deepEqual((await post('test', {})).body.to, tester)
      assert.equal((await post('compose', {})).body.recipientsTotal, people)
      assert.equal((await post('send', { confirmCount: people })).body.pending, people)
      // A send normally waits ten minutes so that it can be cancelled; skip that.
      await context.db.session((client) =>
        client.query(
          `update campaign set scheduled_at = now(), send_hold_until = null where venue_id = $1 and id = $2`,
          [id, campaign],
        ),
      )
      const asked = 'select status, sent_count from campaign where venue_id = $1 and id = $2'
      await eventually(async () => {
        const [row] = await rowsOf<{ status: string }>(context, asked, [id, campaign])
        return row?.status === 'sent'
      })
      assert.deepEqual(await rowsOf(context, asked, [id, campaign]), [{ status: 'sent', sent_count: people }])
      const got = relay.received.map(({ to }) => to)
      assert.deepEqual(got.toSorted(), [...addresses, tester].toSorted())
      assert.match(relay.received.at(-1)?.bytes.toString() ?? '', /^Subject: Oysters, Maya\r$/m)
      return `${people} mails, each person's once, and the test before it`
    })
    await book.step('these processes end in order, too', processes.judge)
  } finally {
    await processes.stop()
    await relay.stop()
  }
}
