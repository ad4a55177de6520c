import { VenueData } from '@venue-data/sdk'
import { makeVenue } from './ground.ts'
import { type Figure, median } from './report.ts'
import { openSide } from './sides.ts'

type How = { readonly rounds: number; readonly seconds: number }

/** What a call of the SDK costs beside a `fetch` of the same: one after the other, so that nothing hides behind another. */
export const measureSdk = async (
  settings: Record<string, string>,
  root: string,
  { rounds, seconds }: How,
): Promise<Figure[]> => {
  const endings: (() => Promise<void>)[] = []
  try {
    const service = await openSide(settings, root, endings)
    const { keys } = await makeVenue(service.context, 'client', 1)
    const [key = ''] = keys
    const baseUrl = `http://127.0.0.1:${service.port}`
    const venue = new VenueData({ key, baseUrl })
    const sides = {
      fetch: async () => {
        const answer = await fetch(`${baseUrl}/api/v1/me`, { headers: { 'X-Service-Key': key } })
        return answer.json()
      },
      sdk: () => venue.me(),
    }
    const took = { fetch: [] as number[], sdk: [] as number[] }
    // A few of each in turns: what else the machine does falls on both.
    const end = performance.now() + 2 * rounds * seconds * 1000
    while (performance.now() < end) {
      for (const [side, call] of Object.entries(sides)) {
        const before = performance.now()
        for (let i = 0; i < callsInTurn; i++) await call()
        took[side as keyof typeof took].push((performance.now() - before) / callsInTurn)
      }
    }
    return [
      {
        name: 'a call of the SDK, ms; floor: the same by `fetch`',
        floor: median(took.fetch),
        service: median(took.sdk),
        goal: { most: 1.05 },
      },
    ]
  } finally {
    for (const end of endings.toReversed()) await end()
  }
}

const callsInTurn = 20
