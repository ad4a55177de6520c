import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { CommitUnknown, isDatabaseDown } from '../platform/db/faults.ts'
import { codeOf } from '../platform/kernel/code-of.ts'
import { allVenues } from '../core/venue/venues.ts'
import { type Demo, type DemoOptions, makeDemo } from './make-demo.ts'
import { type OpenSlot, openSlotOnFriday } from './open-slot.ts'

/**
 * What a start prints after the service listens: where staff, guests and software find it, and what each logs in with.
 * On an empty embedded database it creates the demo venue first (setting DEMO), announces that, since it takes a while, and
 * prints its logins and keys, only once, with requests to try; later, in one line, how to create another key. On the
 * operator's own database nothing is created. An overloaded machine gets a few more attempts; if they all fail, it says
 * so and how to create the demo by hand.
 */
export const linesOfStart = async (
  context: Context,
  options: DemoOptions & { readonly announce?: (line: string) => void } = {},
): Promise<readonly string[]> => {
  const { config, db, log } = context
  for (let tries = 1; ; tries++) {
    try {
      // Checked again each time: a commit whose answer was lost may have created it after all.
      const [venue] = await allVenues(db)
      const addresses = addressLines(config.publicUrl, venue?.slug)
      if (config.databaseUrl !== undefined) return addresses
      if (venue) return [...addresses, anotherKey(venue.slug)]
      if (!config.demo) return addresses
      if (tries === 1) options.announce?.('Making the demo venue (about 10 s)…')
      return await linesOfNewDemo(context, options)
    } catch (error) {
      // A failed attempt leaves nothing behind, and the service runs without the demo.
      const mayPass = isDatabaseDown(error) || error instanceof CommitUnknown
      if (!mayPass || tries === mostTries) {
        // Only now: an error that the next attempt fixes would alarm a first-time user.
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
  'The demo venue could not be created; the log says why. The service runs without it. To create it: bin/venue demo'

const linesOfNewDemo = async (context: Context, options: DemoOptions): Promise<readonly string[]> => {
  const { config, db, clock } = context
  const demo = await makeDemo(context, options)
  // The demo is printed no matter what happens next: its keys are nowhere else.
  const slot = await openSlotOnFriday(db, demo.venue, clock()).catch(() => undefined)
  return ['', ...linesOfDemo(demo, config.publicUrl), '', ...linesToTry(demo, config.publicUrl, slot)]
}

/** What was created and where to find it, with everything that is shown only once. */
export const linesOfDemo = (
  { venue, keys, signIns, records }: Demo,
  publicUrl: string,
): readonly string[] => {
  const [office = '', guestPage = '', api = ''] = addressLines(publicUrl, venue.slug)
  return [
    `Created the demo venue ${venue.name} (${venue.slug}): ${records.reservations} reservations, ${records.guests} guests, ` +
      `${records.subscribers} subscribers, ${records.ticketOrders} ticket orders, ${records.leads} leads.`,
    'Its passwords and API keys are shown only once:',
    '',
    office,
    ...signIns.map(({ role, email, password }) => `  ${role.padEnd(8)} ${email.padEnd(20)} ${password}`),
    guestPage,
    api,
    `  read and write       ${keys.readWrite}`,
    `  read only            ${keys.readOnly}`,
    `  automation platform  ${keys.automation}`,
  ]
}

/** Where staff, guests and software find the service; guests only where a venue is known. */
const addressLines = (publicUrl: string, slug: string | undefined): readonly string[] => [
  `Office      ${publicUrl}/office`,
  ...(slug === undefined ? [] : [`Guest page  ${publicUrl}/v/${slug}`]),
  `API         ${publicUrl}/api/v1  (reference: ${publicUrl}/docs)`,
]

/** Three requests, ready to paste into a shell. */
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
  `To create another key: bin/venue key create --venue ${slug} --kind api --scope read_write`
