import { totalmem } from 'node:os'
import { readMoment } from './platform/kernel/time/written-time.ts'
import { isVerifyingKey, readKeyRing } from './platform/kernel/secrets.ts'
import { type Mailbox, readMailbox } from './platform/kernel/mailbox.ts'

/*
 * The settings, read once at startup. Two steps: every setting by itself, then what two of them say together. All
 * mistakes are named in one sentence, so that the operator can fix them in one go. This is the only file that knows
 * about the environment.
 */

const settings = {
  PORT: { fallback: '8080', read: portNumber },
  HOST: { fallback: '127.0.0.1', read: anyText },
  DATABASE_URL: {
    fallback: '',
    read: postgresAddress,
  },
  DATA_DIR: {
    fallback: '.data',
    read: anyText,
  },
  ROLE: { fallback: 'all', read: oneOf('all', 'web', 'worker') },
  SECRETS: {
    fallback: '',
    read: keyRingText,
  },
  PUBLIC_URL: {
    fallback: '',
    read: webAddress,
  },
  SMTP_URL: {
    fallback: '',
    read: smtpAddress,
  },
  MAIL_FROM: { fallback: '', read: mailbox },
  MAIL_BOUNCE_DOMAIN: { fallback: '', read: hostName },
  MAIL_DKIM_DOMAIN: { fallback: '', read: hostName },
  MAIL_DKIM_SELECTOR: { fallback: '', read: selector },
  MAIL_DKIM_KEY_FILE: { fallback: '', read: anyText },
  MAIL_PER_SECOND: { fallback: '', read: wholeNumber(1, 100_000) },
  MAIL_PER_HOUR: { fallback: '', read: wholeNumber(1, 100_000_000) },
  MAIL_PER_DAY: { fallback: '', read: wholeNumber(1, 999_999_999) },
  SES_TOPICS: { fallback: '', read: topicNames },
  POSTMARK_CALLBACK: { fallback: '', read: postmarkCallback },
  SENDGRID_KEY: { fallback: '', read: verifyingKey },
  TWILIO_URL: { fallback: '', read: webAddress },
  PAYMENTS_URL: { fallback: '', read: webAddress },
  RATE_LIMIT_PER_MINUTE: {
    fallback: '120',
    read: wholeNumber(1, 1_000_000),
  },
  RATE_LIMIT_MOST_PER_MINUTE: {
    fallback: '600',
    read: wholeNumber(1, 1_000_000),
  },
  OAUTH_CLIENT_HOSTS: { fallback: '', read: hostNames },
  AUTOMATION_HOOK_HOST: {
    fallback: 'hooks.zapier.com',
    read: hostName,
  },
  DEMO: {
    fallback: 'on',
    read: oneOf('on', 'off'),
  },
  PRACTICE: {
    fallback: 'off',
    read: oneOf('on', 'off'),
  },
  PRACTICE_ANYWHERE: {
    fallback: 'off',
    read: oneOf('on', 'off'),
  },
  PRACTICE_CLOCK: {
    fallback: '',
    read: moment,
  },
  PRACTICE_KEYS: {
    fallback: '',
    read: fixedKeys,
  },
  TRUST_PROXY: {
    fallback: '',
    read: trustedProxies,
  },
  METRICS_PORT: {
    fallback: '',
    read: portNumber,
  },
  METRICS_HOST: {
    fallback: '127.0.0.1',
    read: anyText,
  },
  LOG_LEVEL: {
    fallback: 'info',
    read: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  POOL_SIZE: { fallback: '', read: wholeNumber(2, 200) },
  DRAIN_SECONDS: { fallback: '', read: wholeNumber(0, 300) },
} as const

export type SettingName = keyof typeof settings
export const settingNames = Object.keys(settings) as SettingName[]

export type Config = {
  readonly port: number
  readonly host: string
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly role: 'all' | 'web' | 'worker'
  readonly secrets: string | undefined
  readonly publicUrl: string
  /** The same where it was set; otherwise `publicUrl` is a guess, good for this machine. */
  readonly namedUrl: string | undefined
  readonly smtpUrl: string | undefined
  /** Sender of mail where a venue has none of its own. */
  readonly mailFrom: Mailbox | undefined
  /** Where mail that could not be delivered comes back to; undefined: to the sender's own address. */
  readonly mailBounceDomain: string | undefined
  /** How the service signs mail; undefined: it leaves that to the relay. */
  readonly mailDkim:
    | { readonly domain: string; readonly selector: string; readonly keyFile: string }
    | undefined
  /** How much the relay takes, over all processes; undefined: as much as there is. */
  readonly mailLimits: {
    readonly perSecond: number | undefined
    readonly perHour: number | undefined
    readonly perDay: number | undefined
  }
  /** SNS topics whose word about mails sent by Amazon SES is taken. */
  readonly sesTopics: readonly string[]
  /** Secret part of the address Postmark calls, and its `user:password`. */
  readonly postmarkCallback: { readonly path: string; readonly credentials: string } | undefined
  /** Key that SendGrid signs its events with: base64 of its SPKI form. */
  readonly sendgridKey: string | undefined
  /** Where texts are handed over instead of to Twilio itself, such as a stub service for tests. */
  readonly twilioUrl: string | undefined
  /** Where a practice instance has its payments made instead of at Stripe itself: a stand-in. */
  readonly paymentsUrl: string | undefined
  readonly rateLimitPerMinute: number
  /** Up to how many an owner may choose for a key. */
  readonly rateLimitMostPerMinute: number
  /** Hosts whose documents register assistants by themselves; none unless set. */
  readonly oauthClientHosts: readonly string[]
  readonly automationHookHost: string
  readonly demo: boolean
  readonly practice: boolean
  readonly practiceClock: Temporal.Instant | undefined
  /** Keys that the demo venue of a practice instance has, by their text. */
  readonly practiceKeys: readonly FixedKey[]
  /** How many proxies are in front, or their addresses; undefined: none is believed. */
  readonly trustProxy: number | readonly string[] | undefined
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  readonly logLevel: string
  readonly poolSize: number
  /** With less than a gigabyte of memory: fewer connections and a smaller database, so that both fit. */
  readonly smallMachine: boolean
  /** How long a process that is stopping goes on listening; undefined: as fits where it runs. */
  readonly drainSeconds: number | undefined
}

export type FixedKey = {
  readonly text: string
  readonly kind: 'api' | 'automation'
  readonly scope: 'read' | 'read_write'
}

/** In bytes, or what a container may take of it. */
const memoryOfMachine = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

/** The settings of an environment; throws one Error whose message names every mistake. */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
  memory = memoryOfMachine(),
): Config => {
  const mistakes: string[] = []
  const value = <Name extends SettingName>(
    name: Name,
  ): Exclude<ReturnType<(typeof settings)[Name]['read']>, Mistake> | undefined => {
    const { fallback, read } = settings[name]
    // An empty setting is an absent one: compose files and shells cannot tell them apart either.
    const text = environment[name]?.trim() || fallback
    if (text === '') return undefined
    const result = read(text)
    if (isMistake(result)) {
      mistakes.push(`${name} must be ${result.mustBe}`)
      return undefined
    }
    return result as never
  }

  const smallMachine = memory < 2 ** 30
  const port = value('PORT') as number
  const host = value('HOST') as string
  const dkim = {
    domain: value('MAIL_DKIM_DOMAIN'),
    selector: value('MAIL_DKIM_SELECTOR'),
    keyFile: value('MAIL_DKIM_KEY_FILE'),
  }
  const config = {
    port,
    host,
    databaseUrl: value('DATABASE_URL'),
    dataDir: value('DATA_DIR') as string,
    role: value('ROLE') as Config['role'],
    secrets: value('SECRETS'),
    namedUrl: value('PUBLIC_URL'),
    publicUrl: value('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    smtpUrl: value('SMTP_URL'),
    mailFrom: value('MAIL_FROM'),
    mailBounceDomain: value('MAIL_BOUNCE_DOMAIN'),
    mailDkim: isWhole(dkim) ? dkim : undefined,
    mailLimits: {
      perSecond: value('MAIL_PER_SECOND'),
      perHour: value('MAIL_PER_HOUR'),
      perDay: value('MAIL_PER_DAY'),
    },
    sesTopics: value('SES_TOPICS') ?? [],
    postmarkCallback: value('POSTMARK_CALLBACK'),
    sendgridKey: value('SENDGRID_KEY'),
    twilioUrl: value('TWILIO_URL'),
    paymentsUrl: value('PAYMENTS_URL'),
    rateLimitPerMinute: value('RATE_LIMIT_PER_MINUTE') as number,
    rateLimitMostPerMinute: value('RATE_LIMIT_MOST_PER_MINUTE') as number,
    oauthClientHosts: (value('OAUTH_CLIENT_HOSTS') as string[] | undefined) ?? [],
    automationHookHost: value('AUTOMATION_HOOK_HOST') as string,
    demo: value('DEMO') === 'on',
    practice: value('PRACTICE') === 'on',
    practiceClock: value('PRACTICE_CLOCK'),
    practiceKeys: value('PRACTICE_KEYS') ?? [],
    trustProxy: value('TRUST_PROXY') || undefined,
    metricsPort: value('METRICS_PORT'),
    metricsHost: value('METRICS_HOST') as string,
    logLevel: value('LOG_LEVEL') as string,
    poolSize: value('POOL_SIZE') ?? (smallMachine ? 6 : 16),
    smallMachine,
    drainSeconds: value('DRAIN_SECONDS'),
  }

  if (
    config.databaseUrl !== undefined &&
    config.secrets === undefined &&
    !mistakes.some((one) => one.startsWith('SECRETS'))
  ) {
    mistakes.push('SECRETS must be set together with DATABASE_URL')
  }
  if (!isWhole(dkim) && Object.values(dkim).some((one) => one !== undefined)) {
    mistakes.push('MAIL_DKIM_DOMAIN, MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY_FILE must be set together')
  }
  if (config.practice && config.databaseUrl !== undefined && !isThisMachine(config.databaseUrl)) {
    mistakes.push('PRACTICE cannot be on with a DATABASE_URL on another machine')
  }
  if (config.practice && !isLoopback(config.host) && value('PRACTICE_ANYWHERE') !== 'on') {
    mistakes.push(
      'PRACTICE cannot be on with a HOST that others reach, unless PRACTICE_ANYWHERE is on (in a container)',
    )
  }
  if (config.practiceClock && !config.practice) mistakes.push('PRACTICE_CLOCK needs PRACTICE=on')
  if (config.paymentsUrl !== undefined && !config.practice) mistakes.push('PAYMENTS_URL needs PRACTICE=on')
  if (config.practiceKeys.length > 0 && !config.practice) mistakes.push('PRACTICE_KEYS needs PRACTICE=on')
  if (config.metricsPort !== undefined && config.metricsPort === config.port)
    mistakes.push('METRICS_PORT must differ from PORT')

  if (mistakes.length > 0) throw new Error(`The settings are wrong: ${mistakes.join('; ')}.`)
  return config
}

type Mistake = { readonly mustBe: string }
type Whole<Parts> = { readonly [Name in keyof Parts]: Exclude<Parts[Name], undefined> }

const isWhole = <Parts extends object>(parts: Parts): parts is Parts & Whole<Parts> =>
  Object.values(parts).every((one) => one !== undefined)

const isMistake = (result: unknown): result is Mistake =>
  typeof result === 'object' && result !== null && 'mustBe' in result

function anyText(text: string): string {
  return text
}

function wholeNumber(least: number, most: number): (text: string) => number | Mistake {
  return (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= least && number <= most ? number : { mustBe: `a whole number from ${least} to ${most}` }
  }
}

function portNumber(text: string): number | Mistake {
  return wholeNumber(1, 65_535)(text)
}

function oneOf<const Word extends string>(...words: Word[]): (text: string) => Word | Mistake {
  return (text) => words.find((word) => word === text) ?? { mustBe: words.join(' or ') }
}

function postgresAddress(text: string): string | Mistake {
  return addressOf(
    text,
    ['postgres:', 'postgresql:'],
    'an address such as postgres://user:password@host:5432/name',
  )
}

function smtpAddress(text: string): string | Mistake {
  return addressOf(text, ['smtp:', 'smtps:'], 'an address such as smtps://user:password@host:465')
}

function mailbox(text: string): Mailbox | Mistake {
  return readMailbox(text) ?? { mustBe: 'a sender such as The Blue Door <hello@example.com>' }
}

function selector(text: string): string | Mistake {
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(text)
    ? text
    : { mustBe: 'the name of a DKIM key, such as mail2026' }
}

function webAddress(text: string): string | Mistake {
  const address = addressOf(text, ['http:', 'https:'], 'an address such as https://data.example.com')
  return typeof address === 'string' ? address.replace(/\/+$/, '') : address
}

function addressOf(text: string, protocols: readonly string[], mustBe: string): string | Mistake {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : { mustBe }
}

function hostName(text: string): string | Mistake {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text) ? text.toLowerCase() : { mustBe: 'a host name' }
}

/** `1`, or `10.0.0.2, 10.1.0.0/16, fd00::/8`; `off` and `0` mean no proxy. */
function trustedProxies(text: string): number | readonly string[] | Mistake {
  if (text === 'off') return 0
  if (/^\d$/.test(text)) return Number(text)
  const addresses = text.split(',').map((one) => one.trim())
  return addresses.every(isAddressOrBlock)
    ? addresses
    : {
        mustBe:
          'off, a number of proxies from 0 to 9, or addresses and blocks such as 10.0.0.2, 10.1.0.0/16, loopback',
      }
}

/** The names mean the blocks that RFCs set aside for such networks. */
const isAddressOrBlock = (text: string): boolean => {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, more] = text.split('/')
  const isV4 =
    /^\d{1,3}(\.\d{1,3}){3}$/.test(address) && address.split('.').every((part) => Number(part) <= 255)
  const isV6 = /^[\da-f:.]+$/i.test(address) && address.includes(':') && URL.canParse(`http://[${address}]/`)
  const isBits = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (isV4 ? 32 : 128))
  return (isV4 || isV6) && isBits && more === undefined
}

function hostNames(text: string): readonly string[] | Mistake {
  const names = text.split(',').map((name) => hostName(name.trim()))
  return names.every((name) => typeof name === 'string')
    ? names
    : { mustBe: 'host names such as claude.ai, separated by commas' }
}

function topicNames(text: string): readonly string[] | Mistake {
  const names = text.split(',').map((name) => name.trim())
  return names.every((name) => /^arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/.test(name))
    ? names
    : { mustBe: 'SNS topics such as arn:aws:sns:eu-west-1:123456789012:mail, separated by commas' }
}

function postmarkCallback(text: string): { path: string; credentials: string } | Mistake {
  const [, path, credentials] = /^([\w-]{16,100}):([^:\s]+:\S+)$/.exec(text) ?? []
  return path !== undefined && credentials !== undefined
    ? { path, credentials }
    : { mustBe: 'secret:user:password, with a secret of 16 or more letters and digits' }
}

function verifyingKey(text: string): string | Mistake {
  return isVerifyingKey(text) ? text : { mustBe: 'the verification key as SendGrid shows it, in base64' }
}

function moment(text: string): Temporal.Instant | Mistake {
  return readMoment(text) ?? { mustBe: 'a date and time with a zone, such as 2026-10-06T15:00:00Z' }
}

/** Their checksums are looked at where keys are known (integrations/access/key-text.ts). */
function fixedKeys(text: string): readonly FixedKey[] | Mistake {
  const keys = text.split(',').flatMap((one): FixedKey[] => {
    const [, key = '', what] =
      /^(service_sk_[0-9A-Za-z]{40}):(read|read_write|automation)$/.exec(one.trim()) ?? []
    if (what === undefined) return []
    return what === 'automation'
      ? [{ text: key, kind: what, scope: 'read_write' }]
      : [{ text: key, kind: 'api', scope: what as FixedKey['scope'] }]
  })
  const isWell =
    keys.length === text.split(',').length && new Set(keys.map((key) => key.text)).size === keys.length
  return isWell
    ? keys
    : {
        mustBe:
          'different keys with what they may, such as service_sk_<40 letters and digits>:read_write, separated by commas; read, read_write or automation',
      }
}

function keyRingText(text: string): string | Mistake {
  try {
    readKeyRing(text)
    return text
  } catch {
    return { mustBe: 'entries id:base64 of 32 bytes, separated by commas' }
  }
}

/** Loopback addresses, and Unix sockets. */
const isThisMachine = (databaseUrl: string): boolean => {
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  return host === '' || host.startsWith('/') || isLoopback(host)
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)
