import { createKey, keyOfVenue, revokeKey, scopesOf } from '../../server/integrations/access/keys.ts'
import { changeKey } from '../../server/integrations/access/change-key.ts'
import { changeGuestSettings } from '../../server/book/rules/change-guest-settings.ts'
import { connectAccount } from '../../server/core/money/connect.ts'
import { type StripeStandIn, startStripeStandIn } from '../../server/test/stripe/stand-in.ts'
import { allCommands } from '../../server/doors/operator/commands.ts'
import { readCommandLine } from '../../server/doors/operator/read-command-line.ts'
import { type TestInstance, startInstance } from '../../server/integrations/practice/test/instance.ts'
import { patience } from '../../server/test/patience.ts'
import type { Options } from '../src/conformance.ts'

/** A practice instance, and how the suite is run on it with everything it can need. */
export type Practice = {
  readonly instance: TestInstance
  readonly options: Options
  /** Another key of the venue, for a few requests a minute. */
  readonly slowKey: () => Promise<string>
}

/** `12h` as ISO 8601 says it. */
const isoOf = (by: string): string => {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(by) ?? []
  return unit === 'd' ? `P${count}D` : `PT${count}${unit?.toUpperCase()}`
}

/** The site to which guests come back who have paid. */
const site = 'https://www.example.com'

/**
 * Lets the demo venue take payments, and takes the processor away: a checkout begins without it. Returns a key that starts
 * them; the demo's own may, too, but that is another key.
 */
const takePayments = async (
  { service, demo, act, query }: TestInstance,
  stripe: StripeStandIn,
): Promise<string> => {
  const { context, db } = service
  const venue = { ...demo.venue, plan: 'pro' } as const
  const place = { db: db.within(venue.id), venue, now: context.clock }
  const actor = { kind: 'service' } as const
  stripe.clock = () => context.clock().epochMilliseconds
  await connectAccount(context, place, act, actor, stripe.key)
  await act((work) => changeGuestSettings(work, actor, { changes: { frameSites: [site] } }))
  await stripe.stop()
  const [own] = await query<{ id: string }>(
    `select id from api_key where venue_id = $1 and kind = 'api' and scope = 'read_write' order by id limit 1`,
    [demo.venue.id],
  )
  await act(async (work) => {
    const row = await keyOfVenue(work.db, venue.id, Number(own?.id))
    if (row) await changeKey(context, work, actor, row.id, { scopes: [...scopesOf(row), 'checkouts:create'] })
  })
  const mayPay = { kind: 'api', scope: 'read_write', scopes: ['checkouts:create'] } as const
  return (await createKey(context, db, demo.venue.id, { ...mayPay, name: 'shop', createdBy: 'test' })).key
}

export const startPractice = async (settings: Record<string, string> = {}): Promise<Practice> => {
  const stripe = await startStripeStandIn()
  const instance = await startInstance({ PAYMENTS_URL: stripe.url, ...settings })
  const { service, demo } = instance
  const elsewhere = await service.venue()
  const revoked = await elsewhere.makeKey('read')
  await revokeKey(service.db, revoked.id, 'test', service.context.clock())
  const checkout = await takePayments(instance, stripe)
  const { readWrite, readOnly, automation } = demo.keys
  return {
    instance,
    slowKey: async () => {
      const terms = {
        kind: 'api',
        scope: 'read_write',
        name: 'slow',
        createdBy: 'test',
        ratePerMinute: 5,
      } as const
      return (await createKey(service.context, service.db, demo.venue.id, terms)).key
    },
    options: {
      baseUrl: service.url,
      keys: {
        ...{ write: readWrite, read: readOnly, automation },
        ...{ other: elsewhere.key, revoked: revoked.key, checkout },
      },
      returnUrl: `${site}/thanks`,
      trigger: async (venue, event, id) => {
        const words = ['trigger', event, '--venue', venue, ...(id === undefined ? [] : ['--id', String(id)])]
        const line = readCommandLine(words, await allCommands())
        if (line.kind !== 'command') throw new Error(line.text)
        return (await line.command.run(service.context, line.given)).json
      },
      advance: async (by) => {
        await instance.advance(isoOf(by))
      },
      // Met by none of the statements that are kept.
      patienceMs: patience.ms() * 10,
    },
  }
}
