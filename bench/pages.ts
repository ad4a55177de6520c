import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Timed, timesFile } from '../server/test/run/timed.ts'
import type { Figure } from './report.ts'

/*
 * Pages and lists over ten thousand records of each kind. The tests that fill these tables and check the pages measure
 * the times on request (server/test/run/timed.ts); the limits are asserted here.
 */

const root = join(import.meta.dirname, '..')

const files = [
  'server/test/every-door/staff-lists.test.ts',
  'server/doors/office/campaigns/campaigns.test.ts',
  'server/doors/office/frame/long-lists.test.ts',
  'server/doors/office/frame/records.test.ts',
  'server/doors/office/reviewers/venues.test.ts',
  'server/doors/office/today/today.test.ts',
  'server/doors/office/waitlist/waitlist.test.ts',
]

export const measurePages = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-pages-'))
  try {
    const file = join(folder, 'times')
    const child = spawn(
      process.execPath,
      [
        ...['--test', '--test-isolation=none', '--test-global-setup=server/test/run/setup.ts'],
        ...['--test-reporter=dot', '--test-name-pattern=10,000', ...files],
      ],
      { cwd: root, env: { ...process.env, [timesFile]: file }, stdio: ['ignore', 'ignore', 'inherit'] },
    )
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error('A test of the pages failed: run it by itself.')
    const times = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Timed)
    return [...Map.groupBy(times, ({ mostMs }) => mostMs)].map(([mostMs, looks]) => {
      const slowest = looks.reduce((one, other) => (other.ms > one.ms ? other : one))
      return {
        name: `the slowest of ${looks.length} looks at lists of 10,000, \`${slowest.what}\`: ms`,
        service: slowest.ms,
        goal: { most: mostMs },
      }
    })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
