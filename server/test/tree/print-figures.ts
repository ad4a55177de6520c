import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptWords } from '../../platform/kernel/script-words.ts'
import { globalSetup, globalTeardown } from '../run/setup.ts'
import { importsAgainstTheOrder } from './architecture.ts'
import {
  crowdedFolders,
  editsForAKind,
  filesThatKnow,
  leasedQueues,
  mostFiles,
  proseOf,
  roomsOf,
} from './figures.ts'
import { readSources } from './imports.ts'
import { linesInGit } from './lines.ts'
import { readTree } from './references.ts'

/*
 * `npm run figures`: what growth costs, and what we wanted it to cost at most (docs/decisions/0015-what-we-left-in-the-house.md says
 * what keeps the two apart). `-- --check` also takes what `npm run check` costs after an edit of one file, which says
 * something only on a clean checkout of main; `-- --files` names the files behind the counts.
 */

const { values } = scriptWords('npm run figures [-- --check --files]', {
  options: { check: { type: 'boolean', default: false }, files: { type: 'boolean', default: false } },
})
const root = join(import.meta.dirname, '../../..')

type Row = {
  readonly what: string
  readonly goal: string
  readonly now: string
  readonly files?: readonly string[]
}

const inTheTree = (): Row[] => {
  const tree = readTree()
  const against = Object.entries(importsAgainstTheOrder(readSources()))
  const wingOf = (slice = ''): string => slice.split('/')[0] ?? ''
  const between = against.filter(([pair]) => {
    const [from, to] = pair.split(' from ')
    return wingOf(from) !== wingOf(to)
  })
  const sum = (pairs: typeof against): number => pairs.reduce((total, [, count]) => total + count, 0)
  const listed = (what: string, goal: string, files: readonly string[]): Row => ({
    ...{ what, goal, now: String(files.length), files },
  })
  const crowded = Object.entries(crowdedFolders(tree)).map(([folder, count]) => `${folder}: ${count}`)
  const prose = [...proseOf(tree)]
    .filter(([, { stiff }]) => stiff.length > 3)
    .map(([slice, { words, stiff }]) => ({ slice, perThousand: (stiff.length * 1_000) / words }))
    .toSorted((a, b) => b.perThousand - a.perThousand)
  const { product, tests, generated } = linesInGit(root)
  return [
    listed('folders on the first level of server/', '≤ 14', roomsOf(tree)),
    {
      what: 'value imports against the order, between wings (within one)',
      goal: '0',
      now: `${sum(between)} (${sum(against)})`,
      files: against.map(([pair, count]) => `${pair}: ${count}`),
    },
    listed(
      'files that know a field of a booking',
      '≤ 12',
      filesThatKnow(tree, 'bookingType', 'booking_type'),
    ),
    listed('files to edit for a new kind, by CONTRIBUTING', '≤ 25', editsForAKind(tree)),
    listed(
      'files that know a setting of a booking rule',
      '≤ 16',
      filesThatKnow(tree, 'sameDayCutoff\\w*', 'same[-_]day[-_]cutoff\\w*'),
    ),
    listed(
      'files that know one that refuses nothing',
      '≤ 16',
      filesThatKnow(tree, 'shortestStay\\w*', 'shortest_stay\\w*'),
    ),
    listed('files that know an event', '≤ 12', filesThatKnow(tree, 'task\\.reopened')),
    listed(
      'leases by statements of their own, besides the engines and `leasedRows`',
      '0',
      leasedQueues(tree),
    ),
    listed(`folders with more than ${mostFiles} files`, '0', crowded),
    {
      what: 'tell-tale words per 1,000, worst slice',
      goal: '≤ 1.5',
      now: (prose[0]?.perThousand ?? 0).toFixed(1),
      files: prose.slice(0, 10).map(({ slice, perThousand }) => `${slice} ${perThousand.toFixed(1)}`),
    },
    {
      what: 'lines of the product (of its tests)',
      goal: '≤ 143,500',
      now: `${inThousands(product)} (${inThousands(tests)})`,
    },
    { what: 'generated lines in git', goal: '≤ 88,000', now: inThousands(generated) },
  ]
}
const inThousands = (lines: number): string => lines.toLocaleString('en-US')

const onTheWay = async (): Promise<Row[]> => {
  await globalSetup()
  try {
    // What it imports looks for the database when it is loaded.
    const { measurePassed } = await import('./passed.ts')
    const { booking, seat } = await measurePassed()
    const passed = (what: string, goal: string, files: readonly string[]): Row => {
      const slices = files.filter((path) => !path.startsWith('server/platform/'))
      return { what, goal, now: `${slices.length} (${files.length})`, files }
    }
    return [
      passed('files that a booking by API passes, besides platform/ (in all)', '≤ 26', booking),
      passed('files that a press on Seat passes', '≤ 30', seat),
    ]
  } finally {
    await globalTeardown()
  }
}

/** Processor time, since a busy machine does not change that much. */
const checkAfterAnEdit = (): Row => {
  const edited = join(root, 'server/book/reservations/rules/party-size.ts')
  const before = readFileSync(edited, 'utf8')
  writeFileSync(edited, `${before}\n// An edit.\n`)
  try {
    const { stdout, status } = spawnSync('bash', ['-c', 'npm run --silent check >&2; echo; times'], {
      ...{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    })
    if (status !== 0) throw new Error('npm run check did not end in order.')
    const [user = 0, system = 0] = Array.from(
      (stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g),
      ([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds),
    )
    return {
      what: '`npm run check` after an edit of one file, CPU seconds',
      goal: '≤ 35',
      now: String(Math.round(user + system)),
    }
  } finally {
    writeFileSync(edited, before)
  }
}

const rows = [...inTheTree(), ...(await onTheWay()), ...(values.check ? [checkAfterAnEdit()] : [])]
console.log('| What | Goal | Now |\n|---|---|---|')
for (const { what, goal, now } of rows) console.log(`| ${what} | ${goal} | ${now} |`)
if (values.files)
  for (const { what, files = [] } of rows)
    console.log(['', `${what}:`, ...files.map((file) => `  ${file}`)].join('\n'))
