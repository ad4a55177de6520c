import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { answerUnknown, httpServer } from '../../platform/http/server.ts'
import { bounceMailbox, messageIdOf } from '../../mail/copy-address.ts'
import { makeLinkToken } from '../../mail/link-token.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { makeAuthority } from '../../integrations/webhooks/test/certificate.ts'
import { serveCallbacks } from './serve-callbacks.ts'

const topic = 'arn:aws:sns:eu-west-1:123456789012:mail'
const certificateAddress = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem'

describe('callbacks of mail services', () => {
  let service: TestService
  let venue: TestVenue
  let app: FastifyInstance
  let url: string
  let people = 0
  const fetched: string[] = []
  const amazon = makeAuthority().sign(['sns.amazonaws.com'])
  const sendgrid = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  before(async () => {
    service = await startService({
      SES_TOPICS: topic,
      POSTMARK_CALLBACK: 'a-secret-part-of-it:caller:pass:word',
      SENDGRID_KEY: sendgrid.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    })
    venue = await service.venue()
    // Only what goes out to Amazon is replaced; the rest is the service's own.
    app = httpServer(service.context.log)
    const served = serveCallbacks(app, {
      context: service.context,
      fetchText: async (address) => {
        fetched.push(address)
        return address === certificateAddress ? amazon.cert : 'confirmed'
      },
    })
    answerUnknown(app, served)
    await app.listen({ host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  })
  after(async () => {
    await app.close()
    await service.stop()
  })

  const subscriber = async () => {
    const { body } = await service.call('POST', '/api/v1/subscribers', {
      key: venue.key,
      body: { email: `guest${++people}@mail.example.com`, consent: { source: 'form' } },
    })
    const id = body.subscriber.id as number
    return {
      id,
      token: makeLinkToken(service.context.secrets, 'bounce', {
        venue: venue.id,
        subscriber: id,
        campaign: 0,
      }),
    }
  }
  const stateOf = async (id: number) =>
    (
      await rowsOf(
        service,
        `select s.status, d.reason from subscriber s
           left join suppression d on d.venue_id = s.venue_id and d.email_key = s.email_key where s.id = $1`,
        [id],
      )
    )[0]
  const untouched = { status: 'subscribed', reason: null }
  const bounced = { status: 'subscribed', reason: 'bounced' }
  const complained = { status: 'unsubscribed', reason: 'spam_report' }
  const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<number> =>
    (await fetch(url + path, { method: 'POST', body, headers })).status

  describe('Amazon SES by SNS', () => {
    const envelope = (message: object | string, more: Record<string, string> = {}) => {
      const fields: Record<string, string> = {
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: topic,
        Message: typeof message === 'string' ? message : JSON.stringify(message),
        Timestamp: '2026-10-06T19:00:00.000Z',
        SignatureVersion: '2',
        SigningCertURL: certificateAddress,
        ...more,
      }
      const signed = (
        fields['Type'] === 'Notification'
          ? ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']
          : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
      )
        .map((name) => `${name}\n${fields[name]}\n`)
        .join('')
      const algorithm = fields['SignatureVersion'] === '1' ? 'sha1' : 'sha256'
      const signature = sign(algorithm, Buffer.from(signed), createPrivateKey(amazon.key)).toString('base64')
      return { ...fields, Signature: signature } as Record<string, string>
    }
    const bounce = (token: string, bounceType = 'Permanent') => ({
      notificationType: 'Bounce',
      bounce: { bounceType, bouncedRecipients: [{ emailAddress: 'x@example.com', status: '5.1.1' }] },
      mail: { source: bounceMailbox(token, 'bounce.example.com') },
    })
    const send = (body: object) => post('/mail/ses', JSON.stringify(body), { 'content-type': 'text/plain' })

    it('a permanent bounce, a complaint, with signatures of both versions', async () => {
      const [one, other] = [await subscriber(), await subscriber()]
      assert.equal(await send(envelope(bounce(one.token), { SignatureVersion: '1' })), 200)
      assert.deepEqual(await stateOf(one.id), bounced)
      const complaint = {
        eventType: 'Complaint',
        complaint: { complaintFeedbackType: 'abuse' },
        mail: {
          source: 'x@example.com',
          headers: [{ name: 'Message-ID', value: messageIdOf(other.token, 'example.com') }],
        },
      }
      assert.equal(await send(envelope(complaint)), 200)
      assert.deepEqual(await stateOf(other.id), complained)
    })

    it('the certificate is fetched once, from Amazon and nowhere else', async () => {
      const { id, token } = await subscriber()
      assert.equal(fetched.filter((address) => address === certificateAddress).length, 1)
      const before = fetched.length
      for (const address of [
        'https://evil.example.com/x.pem',
        'http://sns.eu-west-1.amazonaws.com/x.pem',
        'https://sns.eu-west-1.amazonaws.com.evil.example/x.pem',
        'https://sns.eu-west-1.amazonaws.com@evil.example/x.pem',
        'https://sns.eu-west-1.amazonaws.com:8443/x.pem',
        'https://s3.amazonaws.com/x.pem',
        // Another region than the topic's, and a name that only looks like one.
        'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-1.pem',
        'https://sns.eu-west-1.amazonaws.com.cn/SimpleNotificationService-1.pem',
        'https://sns.eu-west-1.amazonaws.com/?Action=GetTopicAttributes&x=/SimpleNotificationService-1.pem',
      ]) {
        assert.equal(await send(envelope(bounce(token), { SigningCertURL: address })), 403, address)
      }
      assert.equal(fetched.length, before)
      assert.deepEqual(await stateOf(id), untouched)
    })

    it('another topic, a changed message, a missing signature, what is no JSON: refused, nothing changed', async () => {
      const { id, token } = await subscriber()
      const good = envelope(bounce(token))
      assert.equal(await send(envelope(bounce(token), { TopicArn: `${topic}-other` })), 403)
      assert.equal(await send({ ...good, Message: good['Message']?.replace('Permanent', 'Transient') }), 403)
      assert.equal(await send({ ...good, Signature: '' }), 403)
      assert.equal(await send({ ...good, Type: 'Other' }), 403)
      assert.equal(await post('/mail/ses', 'x'), 400)
      assert.equal(await post('/mail/ses', '[]'), 403)
      assert.deepEqual(await stateOf(id), untouched)
    })

    it('a new subscription of our topic is confirmed, at an address of Amazon only', async () => {
      const confirm = (address: string) =>
        send(
          envelope('You have chosen to subscribe.', {
            Type: 'SubscriptionConfirmation',
            Token: 't',
            SubscribeURL: address,
          }),
        )
      const good = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
      assert.equal(await confirm(good), 200)
      assert.equal(fetched.at(-1), good)
      assert.equal(await confirm('https://evil.example.com/'), 403)
      assert.equal(
        await confirm('https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'),
        403,
      )
      assert.equal(fetched.at(-1), good)
    })

    it('names with U+0000, and names beyond measure, are taken like others and count once', async () => {
      for (const MessageId of ['a\0b', 'x'.repeat(20_000)]) {
        const { id, token } = await subscriber()
        assert.equal(await send(envelope(bounce(token), { MessageId })), 200)
        assert.equal(await send(envelope(bounce(token), { MessageId })), 200)
        assert.deepEqual(await stateOf(id), bounced)
      }
    })

    it('events it does not know are taken and left alone', async () => {
      assert.equal(await send(envelope({ eventType: 'Rendering Failure' })), 200)
      assert.equal(await send(envelope('null')), 200)
    })
  })

  describe('Postmark', () => {
    const path = '/mail/postmark/a-secret-part-of-it'
    const authorization = `Basic ${Buffer.from('caller:pass:word').toString('base64')}`
    const send = (body: object) => post(path, JSON.stringify(body), { authorization })

    it('bounce, spam complaint and subscription change', async () => {
      const [one, other, third] = [await subscriber(), await subscriber(), await subscriber()]
      assert.equal(
        await send({ RecordType: 'Bounce', ID: 1, Type: 'HardBounce', Metadata: { copy: one.token } }),
        200,
      )
      assert.deepEqual(await stateOf(one.id), bounced)
      assert.equal(await send({ RecordType: 'SpamComplaint', ID: 2, Metadata: { copy: other.token } }), 200)
      assert.deepEqual(await stateOf(other.id), complained)
      const change = {
        RecordType: 'SubscriptionChange',
        MessageID: 'm',
        SuppressionReason: 'ManualSuppression',
        Metadata: { copy: third.token },
      }
      assert.equal(await send({ ...change, SuppressSending: false }), 200)
      assert.deepEqual(await stateOf(third.id), untouched)
      assert.equal(await send({ ...change, SuppressSending: true }), 200)
      assert.deepEqual(await stateOf(third.id), { status: 'unsubscribed', reason: null })
    })

    it('an auto-responder and an address change are no bounces', async () => {
      const { id, token } = await subscriber()
      for (const Type of ['AutoResponder', 'AddressChange', 'Something']) {
        assert.equal(await send({ RecordType: 'Bounce', ID: Type, Type, Metadata: { copy: token } }), 200)
      }
      assert.deepEqual(await stateOf(id), untouched)
    })

    it('needs the secret address and the password', async () => {
      const { id, token } = await subscriber()
      const body = JSON.stringify({
        RecordType: 'Bounce',
        ID: 3,
        Type: 'HardBounce',
        Metadata: { copy: token },
      })
      assert.equal(await post(path, body), 403)
      assert.equal(
        await post(path, body, { authorization: `Basic ${Buffer.from('caller:wrong').toString('base64')}` }),
        403,
      )
      assert.equal(await post('/mail/postmark/another-secret-part', body, { authorization }), 403)
      assert.deepEqual(await stateOf(id), untouched)
    })
  })

  describe('SendGrid', () => {
    const send = (body: string, timestamp = '1790000000', signed = `${timestamp}${body}`) =>
      post('/mail/sendgrid', body, {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': sign(
          'sha256',
          Buffer.from(signed),
          sendgrid.privateKey,
        ).toString('base64'),
      })
    const event = (token: string, more: object) => ({
      email: 'x@example.com',
      'smtp-id': messageIdOf(token, 'example.com'),
      sg_event_id: randomUUID(),
      ...more,
    })

    it('a list of events, of each kind', async () => {
      const [one, other, third, fourth] = [
        await subscriber(),
        await subscriber(),
        await subscriber(),
        await subscriber(),
      ]
      const body = JSON.stringify([
        event(one.token, { event: 'bounce', type: 'bounce', status: '5.1.1' }),
        event(other.token, { event: 'spamreport' }),
        event(third.token, { event: 'group_unsubscribe' }),
        event(fourth.token, { event: 'bounce', type: 'blocked', status: '4.0.0' }),
        event(fourth.token, { event: 'deferred' }),
        event(fourth.token, { event: 'open' }),
      ])
      assert.equal(await send(body), 200)
      assert.deepEqual(await stateOf(one.id), bounced)
      assert.deepEqual(await stateOf(other.id), complained)
      assert.deepEqual(await stateOf(third.id), { status: 'unsubscribed', reason: null })
      assert.deepEqual(await stateOf(fourth.id), untouched)
      assert.equal(
        (await rowsOf(service, `select from mail_bounce where subscriber_id = ${fourth.id}`)).length,
        1,
      )
    })

    it('a changed body, another time, no signature: refused, nothing changed', async () => {
      const { id, token } = await subscriber()
      const body = JSON.stringify([event(token, { event: 'bounce', type: 'bounce' })])
      assert.equal(await send(body, '1790000000', `1790000000${body} `), 403)
      assert.equal(await send(body, '1790000001', `1790000000${body}`), 403)
      assert.equal(await post('/mail/sendgrid', body), 403)
      assert.deepEqual(await stateOf(id), untouched)
    })
  })

  it('without its setting a service has no address here', async () => {
    const bare = await startService()
    for (const path of ['/mail/ses', '/mail/postmark/a-secret-part-of-it', '/mail/sendgrid']) {
      assert.equal((await bare.call('POST', path, { body: {} })).status, 404)
    }
    await bare.stop()
  })
})
