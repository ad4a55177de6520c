import { parseArgs } from 'node:util'
import { idOf } from './statement.ts'
import type { Section } from './statement.ts'

/** The options on the command line. */
export type Asked = {
  readonly baseUrl: string
  readonly keys: {
    readonly write: string
    readonly read: string | undefined
    readonly automation: string | undefined
    readonly other: string | undefined
    readonly revoked: string | undefined
    readonly checkout: string | undefined
  }
  readonly returnUrl: string | undefined
  readonly trigger: string | undefined
  readonly clock: string | undefined
  readonly receiver: string | undefined
  readonly receiverPort: number | undefined
  readonly only: readonly string[]
  readonly patienceMs: number
  readonly isKnown: boolean
  readonly json: boolean
  readonly html: string | undefined
  readonly junit: string | undefined
  readonly badge: string | undefined
}

/** An invalid command line; its message says why. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
}

const options = {
  'base-url': { type: 'string' },
  key: { type: 'string' },
  'read-key': { type: 'string' },
  'automation-key': { type: 'string' },
  'other-key': { type: 'string' },
  'revoked-key': { type: 'string' },
  'checkout-key': { type: 'string' },
  'return-url': { type: 'string' },
  trigger: { type: 'string' },
  clock: { type: 'string' },
  receiver: { type: 'string' },
  'receiver-port': { type: 'string' },
  only: { type: 'string', multiple: true },
  patience: { type: 'string' },
  'i-know': { type: 'boolean' },
  json: { type: 'boolean' },
  html: { type: 'string' },
  junit: { type: 'string' },
  badge: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

export const help = `Tries every statement of the Venue Data API's contract on a running service.

  conformance --base-url http://127.0.0.1:8080 --key service_sk_…

It writes: it creates records with names of its own and withdraws them. So it runs against a service
on this machine, unless you say --i-know. Never run it against a real venue.

What to try
  --base-url URL         where the service is, without /api/v1
  --only TEXT            only these sections or statements: "Idempotency", "Idempotency 6"; may be repeated
  --list                 print every statement and stop

Keys; each may also be given in the environment, where other users of this machine do not see it
  --key KEY              kind api, read and write           VENUE_DATA_KEY
  --read-key KEY         kind api, read-only                VENUE_DATA_READ_KEY
  --automation-key KEY   kind automation                    VENUE_DATA_AUTOMATION_KEY
  --other-key KEY        of another venue                   VENUE_DATA_OTHER_KEY
  --revoked-key KEY      one that was revoked               VENUE_DATA_REVOKED_KEY
  --checkout-key KEY     may start payments                 VENUE_DATA_CHECKOUT_KEY

What a key cannot do; without it those statements are not tried
  --trigger COMMAND      lets staff act: called with EVENT --venue SLUG --json [--id N]
  --clock COMMAND        moves the clock of a practice instance: called with advance --by 2m
  --return-url URL       where guests who have paid come back to: on a site that the venue lists
  --receiver URL         the address under which the service reaches this machine (default: loopback)
  --receiver-port PORT   the port to listen on for it (default: any)
  --patience SECONDS     how long to wait for a delivery (default: 15)
  --i-know               run against a service that is not on this machine

Reports
  --json                 one JSON object on stdout instead of lines
  --html FILE            a page to read
  --junit FILE           for CI systems
  --badge FILE           a figure: passed of total (SVG, or JSON for shields.io when FILE ends in .json)

Exit code: 0 nothing failed, 1 a statement failed, 2 the suite could not run.
`

/** Parses a command line; returns a word if it only asks for information. Throws `Misuse`. */
export const readCommandLine = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Asked | 'help' | 'list' | 'version' => {
  const given = parsed(args)
  if (given.help) return 'help'
  if (given.version) return 'version'
  if (given.list) return 'list'
  const write = given.key ?? environment['VENUE_DATA_KEY']
  const baseUrl = given['base-url']
  if (baseUrl === undefined || !/^https?:\/\/[^/]/.test(baseUrl)) {
    throw new Misuse('Say where the service is: --base-url http://127.0.0.1:8080')
  }
  if (!write) throw new Misuse('Give a key that may read and write: --key, or VENUE_DATA_KEY.')
  return {
    baseUrl,
    keys: {
      write,
      read: given['read-key'] ?? environment['VENUE_DATA_READ_KEY'],
      automation: given['automation-key'] ?? environment['VENUE_DATA_AUTOMATION_KEY'],
      other: given['other-key'] ?? environment['VENUE_DATA_OTHER_KEY'],
      revoked: given['revoked-key'] ?? environment['VENUE_DATA_REVOKED_KEY'],
      checkout: given['checkout-key'] ?? environment['VENUE_DATA_CHECKOUT_KEY'],
    },
    returnUrl: given['return-url'],
    trigger: given.trigger,
    clock: given.clock,
    receiver: given.receiver,
    receiverPort: numberOf('receiver-port', given['receiver-port']),
    only: given.only ?? [],
    patienceMs: (numberOf('patience', given.patience) ?? 15) * 1000,
    isKnown: given['i-know'] ?? false,
    json: given.json ?? false,
    html: given.html,
    junit: given.junit,
    badge: given.badge,
  }
}

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    throw new Misuse((error as Error).message)
  }
}

const numberOf = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,5}$/.test(text)) throw new Misuse(`--${name} must be a whole number.`)
  return Number(text)
}

/** The sections, or the statements in them, requested by name; by default all. Throws `Misuse`. */
export const pick = (sections: readonly Section[], only: readonly string[]): readonly Section[] => {
  if (only.length === 0) return sections
  const asked = only.map((text) => text.trim().toLowerCase())
  const isAsked = (name: string): boolean => asked.includes(name.toLowerCase())
  const picked = sections.map((section) => ({
    ...section,
    statements: section.statements.filter((one) => isAsked(section.name) || isAsked(idOf(section, one))),
  }))
  for (const [at, text] of asked.entries()) {
    const isThere = sections.some(
      (section) =>
        section.name.toLowerCase() === text ||
        section.statements.some((one) => idOf(section, one).toLowerCase() === text),
    )
    if (!isThere) throw new Misuse(`There is no section or statement "${only[at]}": see --list.`)
  }
  return picked.filter(({ statements }) => statements.length > 0)
}
