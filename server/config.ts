import { readMoment } from './kernel/written-time.ts'
import { readKeyRing } from './kernel/secrets.ts'

/*
 * The settings, read once at the start (decision 7). Two steps: every setting by itself, then what two of them
 * say together. All mistakes are named in one sentence, so that the operator mends them in one go.
 * This is the only file that knows of the environment.
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
  MAIL_FROM: { fallback: '', read: anyText },
  RATE_LIMIT_PER_MINUTE: {
    fallback: '120',
    read: wholeNumber(1, 1_000_000),
  },
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
  PRACTICE_CLOCK: {
    fallback: '',
    read: moment,
  },
  METRICS_PORT: {
    fallback: '',
    read: portNumber,
  },
  LOG_LEVEL: {
    fallback: 'info',
    read: oneOf('debug', 'info', 'warn', 'error', 'silent'),
  },
  POOL_SIZE: { fallback: '16', read: wholeNumber(2, 200) },
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
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly rateLimitPerMinute: number
  readonly automationHookHost: string
  readonly demo: boolean
  readonly practice: boolean
  readonly practiceClock: Temporal.Instant | undefined
  readonly metricsPort: number | undefined
  readonly logLevel: string
  readonly poolSize: number
}

/** The settings of an environment; throws one Error whose message names every mistake. */
export const readConfig = (
  environment: Readonly<Record<string, string | undefined>> = process.env,
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

  const port = value('PORT') as number
  const host = value('HOST') as string
  const config = {
    port,
    host,
    databaseUrl: value('DATABASE_URL'),
    dataDir: value('DATA_DIR') as string,
    role: value('ROLE') as Config['role'],
    secrets: value('SECRETS'),
    publicUrl: value('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    smtpUrl: value('SMTP_URL'),
    mailFrom: value('MAIL_FROM'),
    rateLimitPerMinute: value('RATE_LIMIT_PER_MINUTE') as number,
    automationHookHost: value('AUTOMATION_HOOK_HOST') as string,
    demo: value('DEMO') === 'on',
    practice: value('PRACTICE') === 'on',
    practiceClock: value('PRACTICE_CLOCK'),
    metricsPort: value('METRICS_PORT'),
    logLevel: value('LOG_LEVEL') as string,
    poolSize: value('POOL_SIZE') as number,
  }

  if (
    config.databaseUrl !== undefined &&
    config.secrets === undefined &&
    !mistakes.some((one) => one.startsWith('SECRETS'))
  ) {
    mistakes.push('SECRETS must be set together with DATABASE_URL')
  }
  if (config.practice && config.databaseUrl !== undefined && !isThisMachine(config.databaseUrl)) {
    mistakes.push('PRACTICE cannot be on with a DATABASE_URL on another machine')
  }
  if (config.practiceClock && !config.practice) mistakes.push('PRACTICE_CLOCK needs PRACTICE=on')
  if (config.metricsPort !== undefined && config.metricsPort === config.port)
    mistakes.push('METRICS_PORT must differ from PORT')

  if (mistakes.length > 0) throw new Error(`The settings are wrong: ${mistakes.join('; ')}.`)
  return config
}

type Mistake = { readonly mustBe: string }
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

function moment(text: string): Temporal.Instant | Mistake {
  return readMoment(text) ?? { mustBe: 'a date and time with a zone, such as 2026-10-06T15:00:00Z' }
}

function keyRingText(text: string): string | Mistake {
  try {
    readKeyRing(text)
    return text
  } catch {
    return { mustBe: 'entries id:base64 of 32 bytes, separated by commas' }
  }
}

/** Loopback names and addresses, and Unix sockets. */
const isThisMachine = (databaseUrl: string): boolean => {
  const url = new URL(databaseUrl)
  const host = url.searchParams.get('host') ?? url.hostname
  return host === '' || host.startsWith('/') || /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host)
}
