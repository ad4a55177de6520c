import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { installPacked } from '../packing/install.ts'
import { type Figure, median } from './report.ts'

const run = promisify(execFile)

/** How long the command line's help takes, compared with a Node that does nothing; uses the installed package. */
export const measureCli = async (
  root: string,
  { rounds }: { readonly rounds: number },
): Promise<Figure[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'venue-data-bench-cli-'))
  try {
    await installPacked(root, ['cli'], folder)
    const program = join(folder, 'node_modules/.bin/venue-data')
    const env = { PATH: process.env['PATH'], TMPDIR: folder }
    const timed = async (args: readonly string[]): Promise<number> => {
      const before = performance.now()
      await run(process.execPath, args, { env })
      return performance.now() - before
    }
    const took = { nothing: [] as number[], help: [] as number[] }
    // The first start fills the compile cache.
    await timed([program, '--help'])
    for (let i = 0; i < rounds * startsInRound; i++) {
      took.nothing.push(await timed(['-e', '0']))
      took.help.push(await timed([program, '--help']))
    }
    return [
      {
        name: '`venue-data --help`, ms; floor: a Node that does nothing',
        floor: median(took.nothing),
        service: median(took.help),
        goalOf: 'figure',
        goal: { most: 150 },
      },
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

const startsInRound = 5
