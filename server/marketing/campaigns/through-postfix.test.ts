import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { whyNoDkimVerifier, dkimVerdict } from '../../mail/test/dkim-verifier.ts'
import { type Postfix, startPostfix, whyNoPostfix } from '../../mail/test/postfix.ts'
import { eventually } from '../../test/eventually.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { startSending } from './sending/engine.ts'
import { campaignCalls, oysters, saveTestAddresses } from './test/list.ts'

/* The whole way of a campaign by the API, through a mail server that nobody here wrote, into a mailbox. */
describe('a campaign through Postfix', { skip: whyNoPostfix() ?? false }, () => {
  let postfix: Postfix
  let service: TestService
  let venue: TestVenue
  let folder: string
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-dkim-'))
    const keyFile = join(folder, 'key.pem')
    await writeFile(keyFile, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
    postfix = await startPostfix()
    service = await startService({
      SMTP_URL: `smtp://127.0.0.1:${postfix.port}`,
      MAIL_FROM: 'The Blue Door <news@door.test>',
      MAIL_BOUNCE_DOMAIN: 'bounce.door.test',
      MAIL_DKIM_DOMAIN: 'door.test',
      MAIL_DKIM_SELECTOR: 'mail',
      MAIL_DKIM_KEY_FILE: keyFile,
      PUBLIC_URL: 'https://data.door.test',
    })
    venue = await service.venue()
    await saveTestAddresses(service, venue, [`owner@${postfix.domain}`])
    const people = [
      { email: `maya@${postfix.domain}`, firstName: 'Maya' },
      { email: `zoe@${postfix.domain}`, firstName: 'Zoë 🦪 {{venueName}}\r\nBcc: x@inbox.test' },
      { email: `ann@${postfix.domain}`, firstName: '=HYPERLINK("x")<script>alert(1)</script>' },
      { email: 'gone@elsewhere.test', firstName: 'Gone' },
    ]
    for (const { email, firstName } of people) {
      const { status } = await service.call('POST', '/api/v1/subscribers', {
        key: venue.key,
        body: { email, firstName, consent: { source: 'form' } },
      })
      assert.equal(status, 201)
    }
  })
  after(async () => {
    await service.stop()
    await postfix.stop()
    await rm(folder, { recursive: true })
  })

  it('arrives once for each person, with their name, and signed', async () => {
    const { create, compose, test, send } = campaignCalls(service, venue)
    const { id } = (await create(oysters)).body.campaign
    assert.equal((await compose({ id })).body.recipientsTotal, 4)
    const tested = await test({ id })
    assert.equal(tested.status, 200, tested.text)
    assert.equal(tested.body.to, `owner@${postfix.domain}`)
    const sent = await send({ id, confirmCount: 4 })
    assert.equal(sent.status, 200, sent.text)

    service.setClock(service.context.clock().add({ minutes: 10 }).toString())
    const sending = startSending({ ...service.context, db: service.context.workerDb }, { lookMs: 20 })
    const [row] = await eventually(async () => {
      const rows = await rowsOf(
        service,
        `select status, sent_count, failed_count from campaign where venue_id = ${venue.id} and id = ${id} and status = 'sent'`,
      )
      assert.equal(rows.length, 1)
      return rows
    })
    await sending.stop()
    assert.deepEqual(row, { status: 'sent', sent_count: 3, failed_count: 1 })

    const mails = await eventually(async () => {
      const found = await postfix.mails()
      assert.equal(found.length, 4, 'three people and the test')
      return found
    })
    const read = await Promise.all(mails.map((mail) => PostalMime.parse(mail)))
    const recipients = read.map(({ to }) => to?.[0]?.address ?? '').toSorted((a, b) => a.localeCompare(b))
    assert.deepEqual(
      recipients,
      ['ann', 'maya', 'owner', 'zoe'].map((name) => `${name}@${postfix.domain}`),
    )
    assert.equal(new Set(read.map(({ messageId }) => messageId)).size, 4)
    const of = (name: string) => read.find(({ to }) => to?.[0]?.address?.startsWith(name))
    assert.equal(of('maya')?.subject, 'Oysters all week, Maya')
    assert.match(
      of('zoe')?.subject ?? '',
      /^Oysters all week, Zoë 🦪 \{\{venueName\}\}\s?Bcc: x@inbox\.test$/,
    )
    assert.equal(of('zoe')?.bcc, undefined)
    assert.doesNotMatch(of('ann')?.html ?? '', /<script/)
    for (const mail of read) assert.match(mail.text ?? '', /https:\/\/data\.door\.test\/u\//)

    const [gone] = await rowsOf(
      service,
      `select reason from suppression where venue_id = ${venue.id} and email_key = 'gone@elsewhere.test'`,
    )
    assert.equal(gone?.['reason'], 'bounced', 'Postfix said 5.1.1, so nothing goes there again')
  })

  it('carries a DKIM signature that another program verifies, over both List headers', async (t) => {
    const why = whyNoDkimVerifier()
    if (why !== undefined) return t.skip(why)
    const record = `v=DKIM1; k=rsa; p=${keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
    for (const mail of await postfix.mails()) {
      assert.equal(await dkimVerdict(mail, record), true)
      const signature =
        /^DKIM-Signature:(?:.*\r?\n)(?:[ \t].*\r?\n)*/im.exec(mail.toString('latin1'))?.[0] ?? ''
      const signed =
        /[;\s]h=([^;]+);/.exec(signature)?.[1]?.toLowerCase().replaceAll(/\s/g, '').split(':') ?? []
      for (const name of [
        'from',
        'to',
        'subject',
        'message-id',
        'list-unsubscribe',
        'list-unsubscribe-post',
      ]) {
        assert.ok(signed.includes(name), `${name} is signed: ${signed.join()}`)
      }
      const changed = Buffer.from(
        mail.toString('latin1').replace('List-Unsubscribe-Post: List', 'List-Unsubscribe-Post: Lost'),
        'latin1',
      )
      assert.notDeepEqual(changed, mail)
      assert.equal(await dkimVerdict(changed, record), false)
    }
  })
})
