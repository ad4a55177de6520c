import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { makeLinkToken } from '../../mail/link-token.ts'
import { bounceMailbox, messageIdOf, unsubscribeMailbox } from '../../mail/copy-address.ts'
import { allCommands } from '../../doors/operator/commands.ts'
import { readCommandLine } from '../../doors/operator/read-command-line.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import type { Report } from './report.ts'
import { takeReport } from './take-report.ts'
import { autoReply, deliveryStatus, feedbackReport, leavingMail } from './test/mails.ts'

const commands = await allCommands()

describe('mail that comes back', () => {
  let service: TestService
  let venue: TestVenue
  let folder: string
  let people = 0
  let reports = 0
  before(async () => {
    service = await startService()
    venue = await service.venue()
    folder = await mkdtemp(join(tmpdir(), 'venue-bounces-'))
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  const subscriber = async (): Promise<number> => {
    const { body } = await service.call('POST', '/api/v1/subscribers', {
      key: venue.key,
      body: { email: `guest${++people}@mail.example.com`, consent: { source: 'form' } },
    })
    return body.subscriber.id
  }
  /** A campaign that went to these people. */
  const campaignTo = async (
    ids: readonly number[],
    state = 'sent',
    why: string | null = null,
  ): Promise<number> => {
    const [row] = await rowsOf<{ id: string }>(
      service,
      `insert into campaign (venue_id, name, subject, status, finished_at, row_count, sent_count, failed_count, created_at, updated_at)
       values ($1, 'Oysters', 'Oysters', 'sent', now(), $2, $3, $4, now(), now()) returning id`,
      [venue.id, ids.length, state === 'sent' ? ids.length : 0, state === 'failed' ? ids.length : 0],
    )
    for (const id of ids) {
      await rowsOf(
        service,
        `insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, why, due_at, ended_at)
         select venue_id, $2, id, email_key, $3, $4, now(), clock_timestamp() from subscriber where venue_id = $1 and id = $5`,
        [venue.id, Number(row?.id), state, why, id],
      )
    }
    return Number(row?.id)
  }
  const tokenOf = (id: number, campaign = 0): string =>
    makeLinkToken(service.context.secrets, 'bounce', { venue: venue.id, subscriber: id, campaign })
  const reportOf = (id: number, campaign: number, more: Partial<Report> = {}): Report => ({
    kind: 'hard',
    source: 'ses',
    tokens: [tokenOf(id, campaign)],
    statusCode: null,
    key: `test/${++reports}`,
    ...more,
  })
  const stateOf = async (id: number) =>
    (
      await rowsOf<{ status: string; reason: string | null; bounces: number }>(
        service,
        `select s.status, d.reason,
                (select count(*)::int from mail_bounce b where b.subscriber_id = s.id) as bounces
           from subscriber s left join suppression d on d.venue_id = s.venue_id and d.email_key = s.email_key
          where s.id = $1`,
        [id],
      )
    )[0]

  describe('what follows from a report', () => {
    it('a hard bounce: on the do-not-email list; consent stays as it is', async () => {
      const id = await subscriber()
      assert.equal(await takeReport(service.context, reportOf(id, await campaignTo([id]))), true)
      assert.deepEqual(await stateOf(id), { status: 'subscribed', reason: 'bounced', bounces: 1 })
    })

    it('a complaint: on the do-not-email list and off the mail list, at the first one', async () => {
      const id = await subscriber()
      await takeReport(service.context, reportOf(id, await campaignTo([id]), { kind: 'complaint' }))
      assert.deepEqual(await stateOf(id), { status: 'unsubscribed', reason: 'spam_report', bounces: 1 })
      const told = await rowsOf(
        service,
        `select from event where name = 'subscriber.unsubscribed' and (data::json->>'id')::bigint = ${id}`,
      )
      assert.equal(told.length, 1)
    })

    it('soft bounces: at 3 of the last 5 mails, not before', async () => {
      const id = await subscriber()
      const soft = async () =>
        takeReport(service.context, reportOf(id, await campaignTo([id]), { kind: 'soft' }))
      await soft()
      await soft()
      for (let i = 0; i < 3; i++) await campaignTo([id])
      await soft()
      assert.equal((await stateOf(id))?.reason, null, '2 of the last 5')
      await soft()
      assert.equal((await stateOf(id))?.reason, null, '2 of the last 5')
      await soft()
      assert.equal((await stateOf(id))?.reason, 'bounced', '3 of the last 5')
    })

    it('the same report again counts once', async () => {
      const id = await subscriber()
      const report = reportOf(id, await campaignTo([id]), { kind: 'soft' })
      await Promise.all(Array.from({ length: 5 }, () => takeReport(service.context, report)))
      assert.equal((await stateOf(id))?.bounces, 1)
    })

    it('somebody who asked the mail service to stop is off the list', async () => {
      const id = await subscriber()
      const campaign = await campaignTo([id])
      await takeReport(service.context, reportOf(id, campaign, { kind: 'unsubscribed' }))
      assert.deepEqual(await stateOf(id), { status: 'unsubscribed', reason: null, bounces: 0 })
      const [row] = await rowsOf(service, `select left_at from recipient where campaign_id = ${campaign}`)
      assert.notEqual(row?.['left_at'], null, 'and the campaign knows')
    })

    it('a copy with an unknown outcome of which somebody heard was sent', async () => {
      const [one, other] = [await subscriber(), await subscriber()]
      const campaign = await campaignTo([one, other], 'failed', 'unknown')
      const told = async () =>
        (
          await rowsOf(
            service,
            `select sent_count, failed_count, last_error from campaign where id = ${campaign}`,
          )
        )[0]
      for (let i = 0; i < 2; i++) {
        await takeReport(service.context, reportOf(one, campaign, { kind: 'delivered', key: 'delivered' }))
      }
      const last_error = '1 person may not have received it: 1 has an unknown outcome.'
      assert.deepEqual(await told(), { sent_count: 1, failed_count: 1, last_error })
      await takeReport(service.context, reportOf(other, campaign, { kind: 'hard' }))
      assert.deepEqual(await told(), { sent_count: 2, failed_count: 0, last_error: '' })
    })

    it('a later bounce does not lower what was sent', async () => {
      const id = await subscriber()
      const campaign = await campaignTo([id])
      await takeReport(service.context, reportOf(id, campaign))
      const [row] = await rowsOf(
        service,
        `select sent_count, failed_count from campaign where id = ${campaign}`,
      )
      assert.deepEqual(row, { sent_count: 1, failed_count: 0 })
    })

    it('of nobody of ours, of somebody erased, of a forged token: nothing', async () => {
      const id = await subscriber()
      for (const tokens of [
        [],
        ['x'],
        [tokenOf(id).slice(0, -2)],
        [
          makeLinkToken(service.context.secrets, 'unsubscribe', {
            venue: venue.id,
            subscriber: id,
            campaign: 0,
          }),
        ],
      ]) {
        assert.equal(await takeReport(service.context, { ...reportOf(id, 0), tokens }), false)
      }
      assert.equal(await takeReport(service.context, reportOf(987_654, 0)), true)
      assert.deepEqual(await stateOf(id), { status: 'subscribed', reason: null, bounces: 0 })
    })
  })

  describe('venue bounces read', () => {
    const read = async (...mails: readonly Buffer[]) => {
      const file = join(folder, 'mailbox')
      const mailbox = mails.map((mail) =>
        Buffer.concat([
          Buffer.from('From MAILER-DAEMON  Tue Oct  6 15:04:05 2026\n'),
          mail,
          Buffer.from('\n'),
        ]),
      )
      await writeFile(file, Buffer.concat(mailbox))
      const line = readCommandLine(['bounces', 'read', '--file', file], commands)
      if (line.kind !== 'command') throw new Error(line.text)
      return (await line.command.run(service.context, line.given)).json
    }

    it('takes a delivery status notification by its envelope address, or by the Message-ID it quotes', async () => {
      const [one, other] = [await subscriber(), await subscriber()]
      const strange = messageIdOf('x'.repeat(40), 'example.com')
      const counts = await read(
        deliveryStatus({ to: bounceMailbox(tokenOf(one), 'bounce.example.com'), messageId: strange }),
        deliveryStatus({ to: 'news@example.com', messageId: messageIdOf(tokenOf(other), 'example.com') }),
        deliveryStatus({ to: 'news@example.com', messageId: strange }),
      )
      assert.deepEqual(counts, { read: 3, taken: 2, ignored: 1 })
      assert.equal((await stateOf(one))?.reason, 'bounced')
      assert.equal((await stateOf(other))?.reason, 'bounced')
    })

    it('a full mailbox, a 4.x.x and what is said of the sender are soft; a delay and an auto-reply are nothing', async () => {
      const id = await subscriber()
      const to = bounceMailbox(tokenOf(id), 'bounce.example.com')
      const messageId = messageIdOf(tokenOf(id), 'example.com')
      await read(
        deliveryStatus({ to, messageId, status: '5.2.2' }),
        deliveryStatus({ to, messageId, status: '4.4.1' }),
        deliveryStatus({ to, messageId, status: '5.1.8' }),
        deliveryStatus({ to, messageId, status: '4.4.1', action: 'delayed' }),
        autoReply({ to, messageId }),
      )
      const kinds = await rowsOf(
        service,
        `select kind, status_code from mail_bounce where subscriber_id = ${id} order by id`,
      )
      assert.deepEqual(kinds, [
        { kind: 'soft', status_code: '5.2.2' },
        { kind: 'soft', status_code: '4.4.1' },
        { kind: 'soft', status_code: '5.1.8' },
      ])
      assert.equal((await stateOf(id))?.reason, null)
    })

    it('a feedback report is a complaint, unless it says that it is no spam', async () => {
      const id = await subscriber()
      const messageId = messageIdOf(tokenOf(id), 'example.com')
      await read(feedbackReport({ messageId, type: 'not-spam' }))
      assert.equal((await stateOf(id))?.status, 'subscribed')
      await read(feedbackReport({ messageId }))
      assert.deepEqual(await stateOf(id), { status: 'unsubscribed', reason: 'spam_report', bounces: 1 })
    })

    it('a feedback report whose Message-ID was taken out names the copy by its envelope sender', async () => {
      const id = await subscriber()
      const mailFrom = bounceMailbox(tokenOf(id), 'bounce.example.com')
      await read(feedbackReport({ messageId: '<redacted>', mailFrom }))
      assert.equal((await stateOf(id))?.reason, 'spam_report')
    })

    it('a mail to the unsubscribe mailbox takes its writer off the list', async () => {
      const id = await subscriber()
      const token = makeLinkToken(service.context.secrets, 'unsubscribe', {
        venue: venue.id,
        subscriber: id,
        campaign: 0,
      })
      const counts = await read(leavingMail({ to: unsubscribeMailbox(token, 'bounce.example.com') }))
      assert.deepEqual(counts, { read: 1, taken: 1, ignored: 0 })
      assert.equal((await stateOf(id))?.status, 'unsubscribed')
    })

    it('read twice, a mailbox counts once', async () => {
      const id = await subscriber()
      const mail = deliveryStatus({
        to: bounceMailbox(tokenOf(id), 'b.example.com'),
        messageId: '<x@y>',
        status: '4.2.1',
      })
      await read(mail)
      await read(mail)
      assert.equal((await stateOf(id))?.bounces, 1)
    })
  })

  it('nothing of a person stays with a bounce but their address key', async () => {
    const columns = await rowsOf<{ column_name: string }>(
      service,
      `select column_name from information_schema.columns where table_name = 'mail_bounce' order by 1`,
    )
    assert.deepEqual(
      columns.map(({ column_name }) => column_name),
      [
        'at',
        'campaign_id',
        'email_key',
        'id',
        'kind',
        'report_key',
        'source',
        'status_code',
        'subscriber_id',
        'venue_id',
      ],
    )
  })
})
