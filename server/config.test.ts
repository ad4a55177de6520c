import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { readConfig, settingNames } from './config.ts'

const secrets = `first:${Buffer.alloc(32, 7).toString('base64')}`

/** A mistake by itself, and what the sentence says of it. */
const mistakes: readonly [settings: Record<string, string>, says: string][] = [
  [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535'],
  [{ PORT: '65536' }, 'PORT must be a whole number from 1 to 65535'],
  [{ PORT: '8e3' }, 'PORT must be a whole number from 1 to 65535'],
  [{ PORT: '-1' }, 'PORT must be a whole number from 1 to 65535'],
  [{ DATABASE_URL: 'localhost:5432', SECRETS: secrets }, 'DATABASE_URL must be an address such as'],
  [{ DATABASE_URL: 'mysql://localhost/x', SECRETS: secrets }, 'DATABASE_URL must be an address such as'],
  [{ DATABASE_URL: 'postgres://localhost/x' }, 'SECRETS must be set together with DATABASE_URL'],
  [{ ROLE: 'ALL' }, 'ROLE must be all or web or worker'],
  [{ SECRETS: 'first:c2hvcnQ=' }, 'SECRETS must be entries id:base64 of 32 bytes'],
  [{ PUBLIC_URL: 'data.example.com' }, 'PUBLIC_URL must be an address such as https://data.example.com'],
  [{ SMTP_URL: 'http://mail.example.com' }, 'SMTP_URL must be an address such as smtps://'],
  [{ MAIL_FROM: 'The Blue Door' }, 'MAIL_FROM must be a sender such as The Blue Door <hello@example.com>'],
  [{ MAIL_BOUNCE_DOMAIN: 'https://bounces.example.com' }, 'MAIL_BOUNCE_DOMAIN must be a host name'],
  [
    { MAIL_DKIM_DOMAIN: 'example.com', MAIL_DKIM_SELECTOR: 'mail2026' },
    'MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY_FILE must be set together',
  ],
  [{ MAIL_DKIM_SELECTOR: 'mail 2026' }, 'MAIL_DKIM_SELECTOR must be the name of a DKIM key'],
  [{ MAIL_PER_SECOND: '0' }, 'MAIL_PER_SECOND must be a whole number from 1 to 100000'],
  [{ RATE_LIMIT_PER_MINUTE: '0' }, 'RATE_LIMIT_PER_MINUTE must be a whole number from 1 to 1000000'],
  [{ RATE_LIMIT_PER_MINUTE: '1.5' }, 'RATE_LIMIT_PER_MINUTE must be a whole number'],
  [{ AUTOMATION_HOOK_HOST: 'https://hooks.example.com' }, 'AUTOMATION_HOOK_HOST must be a host name'],
  [{ DEMO: 'yes' }, 'DEMO must be on or off'],
  [{ PRACTICE: '1' }, 'PRACTICE must be on or off'],
  [{ PRACTICE: 'on', PRACTICE_CLOCK: '2026-10-06' }, 'PRACTICE_CLOCK must be a date and time with a zone'],
  [
    { PRACTICE: 'on', PRACTICE_CLOCK: '2026-10-06T15:00' },
    'PRACTICE_CLOCK must be a date and time with a zone',
  ],
  [{ PRACTICE_CLOCK: '2026-10-06T15:00:00Z' }, 'PRACTICE_CLOCK needs PRACTICE=on'],
  [{ PRACTICE_KEYS: `service_sk_${'a'.repeat(40)}:read` }, 'PRACTICE_KEYS needs PRACTICE=on'],
  [{ PRACTICE: 'on', PRACTICE_KEYS: `service_sk_${'a'.repeat(40)}` }, 'PRACTICE_KEYS must be different keys'],
  [{ PRACTICE: 'on', PRACTICE_KEYS: 'sk_live_1:read' }, 'PRACTICE_KEYS must be different keys'],
  [
    { PRACTICE: 'on', PRACTICE_KEYS: `service_sk_${'a'.repeat(40)}:admin` },
    'PRACTICE_KEYS must be different keys',
  ],
  [
    {
      PRACTICE: 'on',
      PRACTICE_KEYS: Array(2)
        .fill(`service_sk_${'a'.repeat(40)}:read`)
        .join(),
    },
    'PRACTICE_KEYS must be different keys',
  ],
  [
    { PRACTICE: 'on', DATABASE_URL: 'postgres://db.example.com/x', SECRETS: secrets },
    'PRACTICE cannot be on with a DATABASE_URL on another machine',
  ],
  [
    { PRACTICE: 'on', DATABASE_URL: 'postgres://localhost/x?host=db.example.com', SECRETS: secrets },
    'PRACTICE cannot be on with a DATABASE_URL on another machine',
  ],
  [{ METRICS_PORT: '8080' }, 'METRICS_PORT must differ from PORT'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be off, a number of proxies from 0 to 9, or addresses'],
  [{ TRUST_PROXY: '-1' }, 'TRUST_PROXY must be off'],
  [{ TRUST_PROXY: '10' }, 'TRUST_PROXY must be off'],
  [{ TRUST_PROXY: '10.0.0.256' }, 'TRUST_PROXY must be off'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY must be off'],
  [{ TRUST_PROXY: '10.0.0.0/0' }, 'TRUST_PROXY must be off'],
  [{ TRUST_PROXY: 'fd00::/129' }, 'TRUST_PROXY must be off'],
  [{ TRUST_PROXY: '10.0.0.1,' }, 'TRUST_PROXY must be off'],
  [{ TRUST_PROXY: 'proxy.example.com' }, 'TRUST_PROXY must be off'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be debug or info or warn or error or silent'],
  [{ DRAIN_SECONDS: '301' }, 'DRAIN_SECONDS must be a whole number from 0 to 300'],
  [{ POOL_SIZE: '1' }, 'POOL_SIZE must be a whole number from 2 to 200'],
]

describe('settings', () => {
  it('are all optional', () => {
    const config = readConfig({})
    assert.equal(config.port, 8080)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.publicUrl, 'http://127.0.0.1:8080')
    assert.equal(config.databaseUrl, undefined)
    assert.equal(config.rateLimitPerMinute, 120)
    assert.equal(config.automationHookHost, 'hooks.zapier.com')
    assert.equal(config.demo, true)
    assert.equal(config.practice, false)
  })

  it('open fewer connections on a machine with less than 1 GB of memory, unless told how many', () => {
    const sizes = (memory: number): number[] =>
      [{}, { POOL_SIZE: '16' }].map((settings) => readConfig(settings, memory).poolSize)
    assert.deepEqual(sizes(2 ** 29), [6, 16])
    assert.deepEqual(sizes(2 ** 30), [16, 16])
  })

  for (const [settings, says] of mistakes) {
    it(`refuses ${Object.entries(settings)
      .map(([name, value]) => `${name}=${value.slice(0, 44)}`)
      .join(' ')}`, () => {
      assert.throws(
        () => readConfig(settings),
        ({ message }: Error) => message.startsWith('The settings are wrong: ') && message.includes(says),
      )
    })
  }

  it('names every mistake in one sentence, and never a secret', () => {
    assert.throws(
      () =>
        readConfig({
          PORT: 'x',
          ROLE: 'y',
          SECRETS: 'top-secret',
          DATABASE_URL: 'postgres://u:p4ss@h/d',
          POOL_SIZE: '',
        }),
      {
        message:
          'The settings are wrong: PORT must be a whole number from 1 to 65535; ROLE must be all or web or worker; ' +
          'SECRETS must be entries id:base64 of 32 bytes, separated by commas.',
      },
    )
  })

  it('an empty one counts as absent, blanks around one do not count', () => {
    const config = readConfig({
      PORT: ' 8090 ',
      HOST: '',
      SMTP_URL: ' ',
      PUBLIC_URL: 'https://data.example.com/',
    })
    assert.equal(config.port, 8090)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.smtpUrl, undefined)
    assert.equal(config.publicUrl, 'https://data.example.com')
  })

  it('PRACTICE takes a DATABASE_URL on this machine', () => {
    for (const url of [
      'postgres://localhost/x',
      'postgres://127.0.0.1:5432/x',
      'postgres://[::1]/x',
      'postgres://u@localhost/x?host=/run/postgresql',
    ]) {
      assert.equal(readConfig({ PRACTICE: 'on', DATABASE_URL: url, SECRETS: secrets }).practice, true, url)
    }
  })

  it('PRACTICE stays on loopback, unless a second setting says that others may reach it', () => {
    const on = { PRACTICE: 'on', DATABASE_URL: '' }
    for (const HOST of ['127.0.0.1', 'localhost', '::1'])
      assert.equal(readConfig({ ...on, HOST }).practice, true)
    for (const HOST of ['0.0.0.0', '::', '10.0.0.5', 'venue.example.com']) {
      assert.throws(() => readConfig({ ...on, HOST }), /PRACTICE cannot be on with a HOST that others reach/)
      assert.equal(readConfig({ ...on, HOST, PRACTICE_ANYWHERE: 'on' }).practice, true)
    }
  })

  it('METRICS_HOST is loopback for any HOST', () => {
    assert.equal(readConfig({ HOST: '0.0.0.0', METRICS_PORT: '9464' }).metricsHost, '127.0.0.1')
    assert.equal(readConfig({ METRICS_HOST: '10.0.0.5' }).metricsHost, '10.0.0.5')
  })

  it('TRUST_PROXY believes nobody by default', () => {
    for (const [text, is] of [
      ['', undefined],
      ['off', undefined],
      ['0', undefined],
      ['2', 2],
      ['10.0.0.2', ['10.0.0.2']],
      ['10.1.0.0/16, fd00::/8 ,loopback', ['10.1.0.0/16', 'fd00::/8', 'loopback']],
    ] as const)
      assert.deepEqual(readConfig({ TRUST_PROXY: text }).trustProxy, is, text)
  })

  it('.env.example documents exactly these', async () => {
    const text = await readFile(new URL('../.env.example', import.meta.url), 'utf8')
    const named = new Set([...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name))
    assert.deepEqual(named, new Set(settingNames))
  })
})
