import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { CommitUnknown, isDatabaseDown } from '../db/faults.ts'
import { codeOf } from '../kernel/code-of.ts'
import { allVenues } from '../venue/venues.ts'
import { type Demo, type DemoOptions, makeDemo } from './make-demo.ts'
import { type OpenSlot, openSlotOnFriday } from './open-slot.ts'

/**
 * What a start on the embedded database says after the service listens. On an empty one it makes the demo venue
 * first (setting DEMO) and tells its keys, this once, and three requests to try; later, in one line, how to make
 * another key. On a database of the operator's own nothing is made and nothing said. A machine with too much to do gets
 * a few more tries; where none was enough, it says so and how to make the demo by hand.
 */
export const linesOfStart = async (
  context: Context,
  options: DemoOptions = {},
): Promise<readonly string[]> => {
  const { config, db, log } = context
  if (config.databaseUrl !== undefined) return []
  for (let tries = 1; ; tries++) {
    try {
      // Looked at anew each time: a commit whose answer was lost may have made it after all.
      const [venue] = await allVenues(db)
      if (venue) return [anotherKey(venue.slug)]
      if (!config.demo) return []
      return await linesOfNewDemo(context, options)
    } catch (error) {
      // Nothing of it is left behind, and the service runs without it.
      const mayPass = isDatabaseDown(error) || error instanceof CommitUnknown
      if (!mayPass || tries === mostTries) {
        // Only now: a try that another one makes good would frighten whoever sees the service for the first time.
        log.error({ code: codeOf(error), tries }, 'the demo venue could not be made')
        return [notMade]
      }
      await wait(tries * pauseMs, undefined, { ref: false })
    }
  }
}

const mostTries = 4
const pauseMs = 1_000

const notMade =
  'The demo venue could not be made; the log says why. The service runs without it. To make it: npm run venue -- demo'

const linesOfNewDemo = async (context: Context, options: DemoOptions): Promise<readonly string[]> => {
  const { config, db, clock } = context
  const demo = await makeDemo(context, options)
  // What was made is told whatever comes now: its keys are nowhere else.
  const slot = await openSlotOnFriday(db, demo.venue, clock()).catch(() => undefined)
  return ['', ...linesOfDemo(demo), '', ...linesToTry(demo, config.publicUrl, slot)]
}

/** What was made, with everything that is told only once. */
export const linesOfDemo = ({ venue, keys, signIns, records }: Demo): readonly string[] => [
  `The demo venue ${venue.name} (${venue.slug}) was made: ${records.reservations} reservations, ${records.guests} guests, ` +
    `${records.subscribers} subscribers, ${records.ticketOrders} ticket orders, ${records.leads} leads.`,
  'Its API keys, shown this once:',
  `  read and write       ${keys.readWrite}`,
  `  read only            ${keys.readOnly}`,
  `  automation platform  ${keys.automation}`,
  'Its sign-ins, shown this once:',
  ...signIns.map(({ role, email, password }) => `  ${role.padEnd(8)} ${email.padEnd(20)} ${password}`),
]

/** Three requests for a shell, ready to paste. */
export const linesToTry = (
  { keys, venue }: Pick<Demo, 'keys' | 'venue'>,
  publicUrl: string,
  slot: OpenSlot | undefined,
): readonly string[] => {
  const key = `-H 'X-Service-Key: ${keys.readWrite}'`
  const body = slot && JSON.stringify({ guestName: 'Maya Okafor', ...slot, email: 'maya@example.com' })
  return [
    'Try:',
    `  curl -s ${publicUrl}/api/v1/me ${key}`,
    `  curl -s '${publicUrl}/api/v1/reservations?limit=3' ${key}`,
    ...(body === undefined
      ? []
      : [
          `  curl -s ${publicUrl}/api/v1/reservations ${key} -H 'Content-Type: application/json' -H 'Idempotency-Key: my-first-booking' -d '${body}'`,
        ]),
    '',
    anotherKey(venue.slug),
  ]
}

const anotherKey = (slug: string): string =>
  `Another key: npm run venue -- key create --venue ${slug} --kind api --scope read_write`
