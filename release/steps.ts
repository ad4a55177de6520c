import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, run } from './commands.ts'
import { type Finding, failed, held, notTried } from './findings.ts'
import { tryDocker } from './steps/docker.ts'
import { tryPostgresql } from './steps/postgresql.ts'
import { tryPython } from './steps/python.ts'
import { tryStart, tryTests } from './steps/start.ts'
import { tryStripeMock } from './steps/stripe-mock.ts'
import { tryCluster } from './steps/trial.ts'
import { tryUpgrade } from './steps/upgrade.ts'

/** What the whole run was given. */
export type Given = {
  /** The address of an empty database of a cluster. */
  readonly cluster: string | undefined
}

export type Step = {
  /** How it is checked, for the page. */
  readonly how: string
  readonly run: (given: Given) => Promise<readonly Finding[]>
}

/** The version of a package that a folder of the repository installs. */
const versionIn = async (folder: string, name: string): Promise<string> =>
  (
    JSON.parse(await readFile(join(root, folder, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string
    }
  ).version

/** A command of the repository, which prints a line for each thing it tried; `line` finds what, its version and the outcome. */
const linesOf = (script: string, line: RegExp) => async (): Promise<readonly Finding[]> => {
  const said = await run('npm', ['run', '--silent', script]).catch((error: Error) => error)
  if (said instanceof Error) return [failed(script, '', said.message)]
  const found = [...said.matchAll(line)].map(({ groups = {} }) => {
    const { what = '', version = '', why } = groups
    return why === undefined ? held(what, version) : notTried(what, why)
  })
  return found.length > 0 ? found : [failed(script, '', 'It does not say what it tried.')]
}

/** A command of the repository that holds or fails as a whole, with the packages it was done with. */
const wholeOf =
  (script: string, what: string, packages: Readonly<Record<string, readonly string[]>> = {}) =>
  async (): Promise<readonly Finding[]> => {
    const said = await run('npm', ['run', '--silent', script]).catch((error: Error) => error)
    if (said instanceof Error) return [failed(what, '', said.message)]
    const versions = Object.entries(packages).flatMap(([folder, names]) =>
      names.map(async (name) => `${name} ${await versionIn(folder, name)}`),
    )
    return [held(what, (await Promise.all(versions)).join(', '))]
  }

/** In the order in which they run: what takes longest comes last. */
const all = {
  start: {
    how: 'The README word by word in a new copy of the repository: its first command, the three addresses, the six calls with the answers it prints, its second command for a few tests, one of which runs the program of docs/keep-a-copy.md under that Node.',
    run: tryStart,
  },
  postgresql: {
    how: 'The service on a server of that version, made as docs/production.md says: it starts, takes bookings, sends webhooks and mail, starts again (`npm run try:cluster`).',
    run: tryPostgresql,
  },
  cluster: {
    how: 'The same on a cluster, whose address is given with `--cluster` (`npm run try:cluster`).',
    run: tryCluster,
  },
  upgrade: {
    how: 'A process of the last release and one of this commit work on one database, while the latter migrates it and after that: calls, staff, the feed, deliveries; then nothing is missing.',
    run: tryUpgrade,
  },
  docker: {
    how: 'The commands of docs/production.md: the image is built, starts with its database, and answers.',
    run: tryDocker,
  },
  runtimes: {
    how: 'The packed SDK makes the same calls in each runtime; the packages are installed under Node 20 as their pages say, and run (`npm run check:runtimes`).',
    run: linesOf('check:runtimes', /^(?<what>[\w ]+): (?:the same|typed) \((?<version>.+)\)$/gm),
  },
  python: {
    how: 'The Python SDK, installed as its page says, makes its first call and passes its own tests, and the example that needs no package keeps its copy; pyright finds no fault in its types (`npm run check:python`).',
    run: tryPython,
  },
  openapi: {
    how: 'Each generator makes a client of the OpenAPI document, which is compiled and used once (`npm run check:openapi`).',
    run: linesOf(
      'check:openapi',
      /(?<what>openapi-typescript|hey-api|openapi-python-client|oapi-codegen) (?<version>[\d.]+)(?: \(\w+\): not tried, (?<why>.+))?/g,
    ),
  },
  stripe: {
    how: 'Each request that we make of Stripe, by our own client, is judged by its specification as far as that of stripe-mock goes, which is built with Go; parameters that are newer are left out where it refuses them, and named.',
    run: tryStripeMock,
  },
  connectors: {
    how: "The connectors run on their platforms' own libraries against a real service (`npm run check:connectors`).",
    run: wholeOf('check:connectors', 'n8n, Zapier, Postman and Bruno', {
      'connectors/n8n': ['n8n-workflow'],
      'connectors/zapier': ['zapier-platform-core'],
      'connectors/readers': ['postman-collection', '@usebruno/lang'],
    }),
  },
  conformance: {
    how: 'The conformance suite holds on the service, and finds each mistake that is planted into its answers (`npm run check:conformance`).',
    run: wholeOf('check:conformance', 'The whole suite'),
  },
  tests: {
    how: "The README's second command as a whole, in a new copy of the repository.",
    run: tryTests,
  },
} as const satisfies Readonly<Record<string, Step>>

export type StepName = keyof typeof all
export const steps: Readonly<Record<StepName, Step>> = all
