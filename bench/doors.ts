import type { Demo } from '../server/demo/make-demo.ts'
import { openSlotOnFriday } from '../server/demo/open-slot.ts'
import type { Context } from '../server/context.ts'
import type { LoadOrder } from './load.ts'
import { renderTime, signedIn } from './office.ts'
import type { Figure } from './report.ts'
import { get } from './requests.ts'
import { startLoad } from './sides.ts'
import { firstVisit, visit } from './visitor.ts'

/*
 * The guest pages at the demo venue, over HTTP on the service under test: what a first visit weighs, how long a page
 * takes, and what the office notices of a crowd on one calendar and of a program that fills in forms.
 */

/** A figure of guest-pages: visits of one calendar in a minute. */
const crowdPerMinute = 2_000
const formsPerSecond = 100
const seconds = 20

export const measureDoors = async (
  { db, clock }: Context,
  service: { readonly port: number },
  demo: Demo,
): Promise<Figure[]> => {
  const slot = await openSlotOnFriday(db, demo.venue, clock())
  if (!slot) throw new Error('the demo has no table left')
  const at = `/v/${demo.venue.slug}`
  const calendar = `${at}/book?size=2&from=${slot.date}`
  const doors = {
    'the venue': at,
    'the calendar': calendar,
    'the times of a day': `${at}/book?size=2&date=${slot.date}`,
    'today’s line': `${at}/waitlist`,
    'an inquiry': `${at}/enquire`,
    newsletter: `${at}/news`,
  }
  const guest = visit(service.port)
  const host = await signedIn(service.port, demo, 'host')
  const load = await startLoad()
  try {
    const figures: Figure[] = []
    for (const [name, path] of Object.entries(doors)) {
      figures.push(
        { name: `${name}: p95 in ms`, service: await renderTime(guest, path), goal: { most: 40 } },
        {
          name: 'the same, a first visit with styles and script, KB compressed',
          service: (await firstVisit(guest, path)) / 1024,
          goal: { most: 30 },
        },
      )
    }
    const screen = '/office/service'
    figures.push({ name: 'the service screen alone: p95 in ms', service: await renderTime(host, screen) })
    const beside = async (order: Pick<LoadOrder, 'requests' | 'fillings' | 'perSecond'>): Promise<number> => {
      const crowd = load.ask({ port: service.port, connections: 32, seconds, ...order })
      const ms = await renderTime(host, screen)
      await crowd
      return ms
    }
    figures.push(
      {
        name: `the same during ${crowdPerMinute} visits a minute of one calendar, each from its own address: p95 in ms`,
        service: await beside({
          requests: [get(calendar, undefined, `x-forwarded-for: ${address}\r\n`)],
          fillings: [{ marker: address, values: addresses }],
          perSecond: crowdPerMinute / 60,
        }),
        goal: { most: 100 },
      },
      {
        name: `the same during ${formsPerSecond} newsletter forms a second from one address: p95 in ms`,
        service: await beside({ requests: [formOf(`${at}/news`)], fillings: [], perSecond: formsPerSecond }),
        goal: { most: 100 },
      },
    )
    return figures
  } finally {
    guest.stop()
    host.stop()
    await load.stop()
  }
}

const address = '198.51.100.0'
const addresses = Array.from({ length: 20_000 }, (_, n) => `10.${n >> 14}.${(n >> 7) & 127}.${n & 127}`)

const formOf = (path: string): string => {
  const body = new URLSearchParams({ email: 'robot@example.com', consent: 'on' }).toString()
  return [
    `POST ${path} HTTP/1.1`,
    'host: bench',
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}
