import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VenueData } from '@venue-data/sdk'
import { installPacked } from '../packing/install.ts'
import { makeVenue } from './ground.ts'
import { type Figure, median } from './report.ts'
import { openSide } from './sides.ts'

type How = { readonly rounds: number; readonly seconds: number }

/** What an SDK call costs compared with the same `fetch`: one after the other, so that nothing overlaps. */
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
    // A few of each in turn, so that other load on the machine affects both.
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

/** How large the packed SDK is in a program. Needs the bundler of sdk-runtimes/, which `npm run check:runtimes` installs. */
export const measureSize = async (root: string): Promise<Figure[]> => {
  const runtimes = join(root, 'sdk-runtimes')
  if (!existsSync(join(runtimes, 'node_modules'))) return []
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-bench-sdk-'))
  try {
    await installPacked(root, ['sdk'], folder)
    // By path, because its imports exist only there; the type check does not follow it.
    const { bundledSizes } = (await import(join(runtimes, 'bundled-sizes.ts'))) as {
      bundledSizes: (folder: string) => { what: string; bytes: number; most: number }[]
    }
    return bundledSizes(folder).map(({ what, bytes, most }) => ({
      name: `the SDK in a program, ${what}: KB minified and compressed`,
      service: bytes / 1024,
      goal: { most: most / 1024 },
    }))
  } finally {
    await rm(folder, { recursive: true })
  }
}
