import assert from 'node:assert/strict'
import { type Server, type Socket, createServer } from 'node:net'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type TestContext, describe, it } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { eventually } from '../../test/eventually.ts'
import { patience } from '../../test/patience.ts'
import { makeAuthority } from '../../integrations/webhooks/test/certificate.ts'
import type { Mailer, Outcome } from '../mailer.ts'
import { type SmtpOptions, createSmtpMailer } from './smtp-mailer.ts'
import { type Judge, startTestRelay } from '../test/relay.ts'

const message = Buffer.from(
  'From: a@example.com\r\nSubject: x\r\n\r\n.a line with a dot\r\nand one without\r\n',
)
const mail = { from: 'a@example.com', to: 'maya@example.com', message }

/** For what never comes: nothing else meets it on this machine. In milliseconds. */
const shortMs = (): number => patience.ms() / 8

/** The parts of an outcome that do not hang on the relay's words. */
const brief = (outcome: Outcome) =>
  `${outcome.kind}${'phase' in outcome ? ` ${outcome.phase}` : ''}${'code' in outcome && outcome.code ? ` ${outcome.code}` : ''}`

describe('handing mail to a relay', () => {
  const start = async (
    t: TestContext,
    judge: Judge = {},
    options: SMTPServerOptions = {},
    more: Partial<SmtpOptions> = {},
  ) => {
    const relay = await startTestRelay(options)
    relay.judge = judge
    const mailer = createSmtpMailer({
      url: relay.url,
      limits: { closeMs: 50 },
      ...more,
    })
    t.after(async () => {
      await mailer.close()
      await relay.stop()
    })
    return { relay, mailer }
  }

  it('delivers the message byte for byte, whether it is a Buffer or a stream', async (t) => {
    const { relay, mailer } = await start(t)
    const plain = Buffer.from('From: a@example.com\r\n\r\nno dot\r\n')
    const dots = Buffer.from('.From: a@example.com\r\n\r\n.\r\n..\r\n.')
    for (const one of [
      message,
      plain,
      dots,
      Readable.from([message.subarray(0, 40), message.subarray(40)]),
    ]) {
      assert.equal(brief(await mailer.deliver({ ...mail, message: one })), 'accepted')
    }
    assert.deepEqual(
      relay.received.map(({ from, to, bytes }) => [from, to, bytes.toString()]),
      [message, plain, Buffer.concat([dots, Buffer.from('\r\n')]), message].map((bytes) => [
        mail.from,
        mail.to,
        bytes.toString(),
      ]),
    )
  })

  it('a lone line end cannot end the message for the relay', async (t) => {
    const { relay, mailer } = await start(t)
    for (const odd of ['\n.\n', '\r.\r', '\n.\r\n', '\r\n.\r\n']) {
      const smuggled = Buffer.from(`Subject: x\r\n\r\none${odd}MAIL FROM:<b@example.com>\r\n`)
      assert.equal(brief(await mailer.deliver({ ...mail, message: smuggled })), 'accepted')
    }
    assert.equal(relay.received.length, 4)
    assert.ok(relay.received.every(({ bytes }) => bytes.includes('MAIL FROM')))
  })

  const verdicts: [what: string, judge: Judge, brief: string, metBy?: 'envelopeMs' | 'finalMs'][] = [
    ['the sender is refused', { from: () => '550 5.7.1 Not you' }, 'refused sender 5.7.1'],
    ['the sender is put off', { from: () => '451 4.3.0 Later' }, 'later sender 4.3.0'],
    ['the recipient is refused', { to: () => '550 5.1.1 No maya@example.com' }, 'refused recipient 5.1.1'],
    ['the recipient is put off', { to: () => '450 4.2.0 Greylisted' }, 'later recipient 4.2.0'],
    ['the message is refused', { end: () => '554 5.6.0 No' }, 'refused message 5.6.0'],
    ['the message is put off', { end: () => '454 4.7.0 Throttling' }, 'later message 4.7.0'],
    ['an answer has no enhanced status', { to: () => '550 No' }, 'refused recipient'],
    ['the connection is lost before MAIL FROM is answered', { from: () => 'drop' }, 'relay-trouble session'],
    ['the connection is lost before RCPT TO is answered', { to: () => 'drop' }, 'relay-trouble session'],
    ['MAIL FROM is not answered in time', { from: () => 'hang' }, 'relay-trouble session', 'envelopeMs'],
    ['RCPT TO is not answered in time', { to: () => 'hang' }, 'relay-trouble session', 'envelopeMs'],
    ['the connection is lost before the final dot', { body: () => 'drop' }, 'unknown'],
    ['the connection is lost behind the final dot', { end: () => 'drop' }, 'unknown'],
    ['there is no final answer in time', { end: () => 'hang' }, 'unknown', 'finalMs'],
  ]
  for (const [what, judge, said, metBy] of verdicts) {
    it(`when ${what}: ${said}`, async (t) => {
      const limits = { closeMs: 50, ...(metBy && { [metBy]: shortMs() }) }
      const { mailer } = await start(t, judge, {}, { limits })
      const outcome = await mailer.deliver(mail)
      assert.equal(brief(outcome), said)
      assert.doesNotMatch(outcome.answer, /@|maya/i)
    })
  }

  it('a refused sender, recipient or message does not cost the connection', async (t) => {
    const { relay, mailer } = await start(t)
    const judges: Judge[] = [
      { from: () => '550 5.7.1 No' },
      { to: () => '550 5.1.1 No' },
      { end: () => '554 5.6.0 No' },
      {},
    ]
    for (const judge of judges) {
      relay.judge = judge
      await mailer.deliver(mail)
    }
    assert.equal(relay.received.length, 1)
    assert.equal(relay.connections(), 1)
  })

  it('uses no more connections than it may, and each again', async (t) => {
    const { relay, mailer } = await start(t, {}, {}, { connections: 3 })
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => mailer.deliver(mail)))
    assert.ok(outcomes.every(({ kind }) => kind === 'accepted'))
    assert.equal(relay.received.length, 40)
    assert.ok(relay.connections() <= 3, `${relay.connections()}`)
  })

  it('what may not wait for a connection any longer is given back, and nothing of it leaves', async (t) => {
    const { relay, mailer } = await start(t, { end: () => 'hang' }, {}, { connections: 1 })
    const first = mailer.deliver(mail)
    await eventually(() => relay.received.length === 1)
    const outcome = await mailer.deliver({ ...mail, placeMs: 1 })
    assert.equal(brief(outcome), 'relay-trouble connect')
    const patient = mailer.deliver(mail)
    relay.judge = {}
    await relay.stop()
    assert.equal(brief(await first), 'unknown')
    await relay.start()
    await patient
    assert.ok(relay.received.length <= 2)
  })

  it('when the relay closed a waiting connection: tries once on a new one', async (t) => {
    const { relay, mailer } = await start(t)
    await mailer.deliver(mail)
    await relay.stop()
    await relay.start()
    assert.equal(brief(await mailer.deliver(mail)), 'accepted')
    assert.equal(relay.received.length, 2)
  })

  it('an address that would break a command is refused here and never sent', async (t) => {
    const { relay, mailer } = await start(t)
    const outcome = await mailer.deliver({ ...mail, to: 'a@example.com>\r\nRCPT TO:<b@example.com' })
    assert.equal(brief(outcome), 'refused recipient 5.1.3')
    assert.equal(brief(await mailer.deliver(mail)), 'accepted')
    assert.equal(relay.received.length, 1)
  })

  it('when the relay never comes to the end of its final answer: unknown', async (t) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('220 relay.example.com\r\n')
      let hasBody = false
      socket.on('data', (data) => {
        const text = data.toString()
        if (text.startsWith('DATA')) socket.write('354 go on\r\n')
        else if (hasBody || text.includes('Subject')) {
          if (hasBody) return
          hasBody = true
          const more = setInterval(() => socket.write('250-one moment\r\n'), 5)
          socket.on('close', () => clearInterval(more))
        } else socket.write('250 fine\r\n')
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const limits = { envelopeMs: shortMs(), finalMs: shortMs(), closeMs: 50 }
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, limits })
    t.after(async () => {
      await mailer.close()
      server.close()
    })
    assert.equal(brief(await mailer.deliver(mail)), 'unknown')
  })

  describe('when the relay cannot be used, nothing left', () => {
    const troubled = async (t: TestContext, answer: (socket: Socket) => void): Promise<Mailer> => {
      const server: Server = createServer((socket) => {
        socket.on('error', () => undefined)
        answer(socket)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as { port: number }
      const limits = { greetingMs: shortMs(), readyMs: 2 * shortMs(), closeMs: 50 }
      const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, limits })
      t.after(async () => {
        await mailer.close()
        server.close()
      })
      return mailer
    }

    it('nobody listens', async (t) => {
      const { relay, mailer } = await start(t)
      await relay.stop()
      assert.equal(brief(await mailer.deliver(mail)), 'relay-trouble connect')
      await relay.start()
    })
    it('it never greets', async (t) => {
      const mailer = await troubled(t, () => undefined)
      assert.equal(brief(await mailer.deliver(mail)), 'relay-trouble greeting')
    })
    it('it greets, and is never ready', async (t) => {
      const mailer = await troubled(t, (socket) => socket.write('220 relay.example.com ESMTP\r\n'))
      assert.equal(brief(await mailer.deliver(mail)), 'relay-trouble session')
    })
    it('it is no mail relay', async (t) => {
      const mailer = await troubled(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
      assert.equal(brief(await mailer.deliver(mail)), 'relay-trouble greeting')
    })
    it('it greets with a refusal', async (t) => {
      const mailer = await troubled(t, (socket) => socket.end('421 4.3.2 Too many connections\r\n'))
      assert.equal(brief(await mailer.deliver(mail)), 'relay-trouble greeting')
    })
    it('it closes before greeting', async (t) => {
      const mailer = await troubled(t, (socket) => socket.destroy())
      assert.match(brief(await mailer.deliver(mail)), /^relay-trouble/)
    })
    it('it refuses the password', async (t) => {
      const { relay, mailer } = await start(
        t,
        {},
        {
          authOptional: false,
          allowInsecureAuth: true,
          onAuth: (_auth, _session, callback) => callback(new Error('No')),
        },
      )
      const asked = createSmtpMailer({ url: relay.url.replace('//', '//user:wrong@') })
      t.after(() => asked.close())
      assert.equal(brief(await asked.deliver(mail)), 'relay-trouble sign-in')
      assert.equal(brief(await mailer.deliver(mail)), 'refused sender', 'without any password')
    })
  })

  it('signs in with the user and password of the address', async (t) => {
    let seen: unknown
    const { relay } = await start(
      t,
      {},
      {
        authOptional: false,
        allowInsecureAuth: true,
        onAuth: ({ username, password }, _session, callback) => {
          seen = [username, password]
          callback(null, { user: 'x' })
        },
      },
    )
    const mailer = createSmtpMailer({ url: relay.url.replace('//', '//us%40er:p%3Aw@') })
    t.after(() => mailer.close())
    assert.equal(brief(await mailer.deliver(mail)), 'accepted')
    assert.deepEqual(seen, ['us@er', 'p:w'])
  })

  describe('TLS', () => {
    const authority = makeAuthority()
    const certificate = authority.sign(['localhost'])
    const local = (url: string) => url.replace('127.0.0.1', 'localhost')

    it('is used where the relay offers STARTTLS', async (t) => {
      let secure = false
      const { relay } = await start(
        t,
        {},
        {
          ...certificate,
          disabledCommands: [],
          onSecure: (_socket, _session, callback) => {
            secure = true
            callback()
          },
        },
      )
      const mailer = createSmtpMailer({ url: local(relay.url), ca: authority.cert })
      t.after(() => mailer.close())
      assert.equal(brief(await mailer.deliver(mail)), 'accepted')
      assert.ok(secure)
    })
    it('is used from the start with smtps', async (t) => {
      const { relay } = await start(t, {}, { ...certificate, secure: true })
      const mailer = createSmtpMailer({
        url: local(relay.url).replace('smtp:', 'smtps:'),
        ca: authority.cert,
      })
      t.after(() => mailer.close())
      assert.equal(brief(await mailer.deliver(mail)), 'accepted')
    })
    it('with a certificate that nobody vouches for: relay trouble', async (t) => {
      for (const options of [{ secure: true }, { disabledCommands: [] }]) {
        const { relay } = await start(t, {}, { ...certificate, ...options })
        const scheme = 'secure' in options ? 'smtps:' : 'smtp:'
        const mailer = createSmtpMailer({ url: local(relay.url).replace('smtp:', scheme) })
        t.after(() => mailer.close())
        assert.match(brief(await mailer.deliver(mail)), /^relay-trouble (tls|connect)$/)
        assert.equal(relay.received.length, 0)
      }
    })
  })

  it('closing does not wait for ever, and says of what was under way that nobody knows', async (t) => {
    const { relay, mailer } = await start(t, { end: () => 'hang' }, {}, { limits: { closeMs: 50 } })
    const delivered = mailer.deliver(mail)
    await eventually(() => relay.received.length === 1)
    await mailer.close()
    assert.equal(brief(await delivered), 'unknown')
  })

  it('closing lets what is under way end', async (t) => {
    const { relay } = await start(t, {}, {})
    const mailer = createSmtpMailer({ url: relay.url })
    const delivered = mailer.deliver(mail)
    await mailer.close()
    assert.equal(brief(await delivered), 'accepted')
  })
})
