import {
  type Import,
  type Sources,
  clientFolders,
  cyclesIn,
  importsOf,
  isTest,
  perText,
  withoutComments,
} from './imports.ts'

/*
 * Who may import whom, as data (docs/ARCHITECTURE.md draws the same). A file belongs to a room; a room may import what its row names, and
 * by `import type` what `types` adds. Within a slice the file names say more (`files`).
 */

type Room = {
  readonly name: string
  readonly holds: RegExp
  readonly may: readonly string[]
  /** Rooms of which only types may be known. */
  readonly types?: readonly string[]
  /** Packages, by name or by the part before a slash; `node:` means all of Node's own. */
  readonly packages: readonly string[]
}

/**
 * The wings of the server, bottom to top, each with its slices: one kind of record, or one matter, with its reads, rules,
 * writes and actions. A slice uses those above its own place in this list, and is handed what it needs of those below.
 */
export const wings = {
  core: ['activity', 'venue', 'staff', 'money'],
  mail: [],
  crm: ['house', 'guests', 'leads', 'tasks'],
  book: ['rules', 'day', 'tables', 'servers', 'reservations', 'texts', 'waitlist', 'visits'],
  tickets: [],
  marketing: ['subscribers', 'campaigns', 'bounces'],
  data: ['imports', 'exports', 'erasure', 'names', 'reports'],
  integrations: ['access', 'changes', 'search', 'batches', 'dry-run', 'practice', 'webhooks', 'apps'],
} as const
/** A wing without slices is one. */
const slices: readonly string[] = Object.entries(wings).flatMap(([wing, held]) =>
  held.length === 0 ? [wing] : held.map((name) => `${wing}/${name}`),
)
const slice = new RegExp(`^server/(?:${slices.join('|')})/`)
const ground = ['contract', 'kernel', 'net', 'config', 'html', 'db', 'events', 'http', 'slices']

/** From the ground up. The first room whose pattern fits has the file. */
const rooms: readonly Room[] = [
  { name: 'contract', holds: /^contract\//, may: [], packages: ['typebox'] },
  {
    name: 'kernel',
    holds: /^server\/platform\/kernel\//,
    may: ['contract'],
    packages: ['libphonenumber-js', 'node:crypto', 'node:async_hooks', 'node:util'],
  },
  {
    name: 'net',
    holds: /^server\/platform\/net\//,
    may: ['kernel'],
    packages: ['ipaddr.js', 'node:net', 'node:dns'],
  },
  { name: 'config', holds: /^server\/config\.ts$/, may: ['contract', 'kernel'], packages: ['node:os'] },
  {
    name: 'context',
    holds: /^server\/context\.ts$/,
    may: [],
    types: ['contract', 'kernel', 'config', 'db', 'slices'],
    packages: ['pino'],
  },
  { name: 'html', holds: /^server\/platform\/html\//, may: ['kernel'], packages: [] },
  {
    name: 'db',
    holds: /^server\/platform\/db\//,
    may: ['contract', 'kernel'],
    packages: ['pg', 'pg-copy-streams', 'node:'],
  },
  {
    name: 'events',
    holds: /^server\/core\/events\//,
    may: ['contract', 'kernel', 'db'],
    types: ['context', 'slices'],
    packages: [],
  },
  {
    name: 'http',
    holds: /^server\/platform\/http\//,
    may: ['contract', 'kernel', 'html', 'db'],
    // The key check is handed in by app.ts; only what it answers is known here.
    types: ['context', 'slices'],
    packages: ['fastify', 'marked', 'node-html-markdown', 'pino', 'prom-client', 'typebox', 'node:'],
  },
  // The only file that knows the processor's words.
  {
    name: 'stripe',
    holds: /^server\/core\/money\/stripe\.ts$/,
    may: ['kernel', 'slices'],
    packages: ['stripe'],
  },
  {
    name: 'slices',
    holds: slice,
    may: ['contract', 'kernel', 'net', 'db', 'http', 'events', 'slices'],
    types: ['context', 'config'],
    packages: [
      'node:',
      'undici',
      'prom-client',
      'pino',
      'nodemailer',
      'sanitize-html',
      'htmlparser2',
      'html-to-text',
      'postal-mime',
      'qrcode',
    ],
  },
  {
    name: 'guest words',
    holds: /^server\/messages\/guest-words\//,
    may: ['contract', 'kernel', 'slices'],
    packages: [],
  },
  {
    name: 'guest mail',
    holds: /^server\/messages\/guest-mail\//,
    may: [...ground, 'guest words'],
    types: ['context'],
    packages: ['node:'],
  },
  {
    name: 'demo',
    holds: /^server\/demo\//,
    may: ground,
    types: ['context'],
    packages: ['node:'],
  },
  {
    name: 'doors',
    holds: /^server\/doors\//,
    may: [...ground, 'guest words', 'guest mail', 'demo', 'program'],
    types: ['context'],
    packages: ['fastify', '@fastify/busboy', 'undici', 'd3-scale', 'd3-shape', 'node:'],
  },
  {
    name: 'worker',
    holds: /^server\/worker\//,
    may: [...ground, 'guest mail'],
    types: ['context'],
    packages: ['pino', 'prom-client', 'node:'],
  },
  {
    name: 'program',
    holds: /^server\/(?:program|payments-place|secrets-file|take-little|version)\.ts$/,
    may: ['kernel', 'db', 'config', 'slices', 'stripe', 'program'],
    types: ['context'],
    packages: ['pino', 'node:'],
  },
  {
    name: 'app',
    holds: /^server\/app\.ts$/,
    may: [...ground, 'doors'],
    types: ['context'],
    packages: ['fastify'],
  },
  {
    name: 'main',
    holds: /^server\/main\.ts$/,
    may: [...ground, 'demo', 'worker', 'app', 'program', 'main'],
    types: ['context'],
    packages: ['node:'],
  },
  // What others install. It runs where there is no Node, but for the one file that keeps a cursor on a disk.
  { name: 'sdk on disk', holds: /^sdk\/src\/cursor-file\.ts$/, may: ['sdk'], packages: ['node:'] },
  { name: 'sdk', holds: /^sdk\/src\//, may: [], packages: [] },
  {
    name: 'cli',
    holds: /^cli\//,
    may: ['sdk', 'sdk on disk'],
    packages: ['node:', '@napi-rs/keyring'],
  },
  {
    name: 'mcp',
    holds: /^mcp\//,
    may: ['sdk', 'sdk on disk'],
    packages: ['node:', '@modelcontextprotocol/node', '@modelcontextprotocol/server', 'zod'],
  },
  { name: 'conformance', holds: /^conformance\//, may: [], packages: ['node:', 'ajv'] },
  {
    name: 'connectors',
    holds: /^connectors\//,
    may: ['sdk', 'sdk on disk'],
    packages: ['node:', 'n8n-workflow', 'zapier-platform-core'],
  },
  {
    name: 'packing',
    holds: /^packing\//,
    may: ['contract', 'kernel', 'http'],
    packages: ['node:', 'fflate', 'smol-toml'],
  },
]

const isClient = new RegExp(`^(?:${clientFolders.join('|')})/`)

/*
 * What the end of a slice's file name says; any prefix is ignored: `staff-reads.ts` and `reads.ts` are judged alike. A
 * file with another name is a matter: named by what it settles, with its statements, its decision and its activity.
 */
const isRules = /[-/](?:rules|states)\.ts$|\/(?:reservations\/rules|assignment)\//
const isReads = /[-/]reads\.ts$/
const isWrites = /[-/]writes\.ts$/
const anyOf = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'))
const doesIo = /^server\/(?:platform\/(?:db|http|html)|core\/events)\/|^fastify|^node:/

/** What a file of a slice may not import, in addition to its room's row, by its name. */
const files: readonly { readonly name: RegExp; readonly never: RegExp; readonly why: string }[] = [
  {
    name: isRules,
    never: anyOf(doesIo, /^pg$/, isReads, isWrites, /\/(?:actions|routes|jobs)\.ts$/),
    why: 'rules and states are facts in, answer out: no data, no HTTP, no I/O',
  },
  {
    name: /[-/]present\.ts$/,
    never: anyOf(doesIo, /\/(?:actions|routes|jobs)\.ts$/, /[-/]rules\.ts$/),
    why: 'a presenter turns a row into the contract’s shape and does nothing else',
  },
  {
    name: anyOf(isReads, isWrites),
    never:
      /^server\/core\/events\/(?!(?:note-change|mark-past|record-states)\.ts$)|^fastify|\/(?:actions|routes|jobs|present)\.ts$/,
    why: 'reads and writes are statements, one a function, and a write reports only what it changed',
  },
  {
    name: /[-/]actions\.ts$/,
    never: /^fastify|\/(?:routes|jobs)\.ts$|^server\/platform\/http\/serve\.ts$/,
    why: 'an action knows its unit of work and nothing of HTTP',
  },
  {
    name: /[-/]routes\.ts$/,
    never: anyOf(isWrites, /\/jobs\.ts$|^server\/platform\/db\//),
    why: 'a route leads to an action or a read; it does not write',
  },
]

export const roomOf = (path: string): Room | undefined => rooms.find(({ holds }) => holds.test(path))

/** Everything in these sources that is against the rules, one sentence each. */
export const violationsIn = (sources: Sources): string[] => {
  const program = new Map([...sources].filter(([path]) => !isTest(path)))
  const found: string[] = []
  for (const [path, text] of program) {
    if (!roomOf(path)) found.push(`${path} belongs to no room of architecture.ts`)
    found.push(...wordsAgainstTheRules(path, text))
    const imports = importsOf(path, text)
    for (const one of imports) found.push(...importsAgainstTheRules(one, sources))
    found.push(...statementsBesideHttp(path, imports))
  }
  for (const cycle of cyclesIn(program)) found.push(`${cycle.join(' -> ')} is a circle`)
  return found
}

/** Imports of a slice from one further down the list, types aside, by the pair of slices: how many. */
export const importsAgainstTheOrder = (sources: Sources): Record<string, number> => {
  const found: Record<string, number> = {}
  const placeOf = (path: string): number => slices.indexOf(sliceOf(path) ?? '')
  for (const [path, text] of sources) {
    if (isTest(path) || placeOf(path) < 0) continue
    for (const { to, isPackage, typesOnly } of importsOf(path, text)) {
      if (isPackage || typesOnly || placeOf(to) <= placeOf(path)) continue
      const pair = `${sliceOf(path)} from ${sliceOf(to)}`
      found[pair] = (found[pair] ?? 0) + 1
    }
  }
  return found
}

const importsAgainstTheRules = (one: Import, sources: Sources): string[] => {
  const { from, to, isPackage, typesOnly } = one
  const room = roomOf(from)
  const found: string[] = []
  const say = (why: string): void => void found.push(`${from} imports ${to}: ${why}`)
  if (!room) return found

  if (isPackage) {
    if (!room.packages.some((name) => to === name || to.startsWith(name.endsWith(':') ? name : `${name}/`))) {
      // Types of a package cost nothing and tie little.
      if (!typesOnly) say(`${room.name} takes no such package`)
    }
  } else {
    if (!to.endsWith('.ts') || !sources.has(to)) say('there is no such file; the ending .ts is written out')
    if (isTest(to)) say('the program never imports a test')
    const target = roomOf(to)
    if (target && target !== room) {
      const allowed = room.may.includes(target.name) || (typesOnly && room.types?.includes(target.name))
      if (!allowed) say(`${room.name} may not know ${target.name}`)
    }
    // Types of another's rows are no way around its actions; the statements are.
    const foreign = slice.test(to) && sliceOf(to) !== sliceOf(from)
    if (foreign && !typesOnly && isWrites.test(to) && room.name !== 'demo') {
      say('the writes of a slice belong to its own actions')
    }
    if (foreign && slice.test(from) && to.endsWith('/routes.ts')) say('routes belong to app.ts')
    if (room.name === 'doors' && to === 'server/platform/db/sql.ts')
      say('a door has no statement: reads and writes belong to slices')
  }
  if (slice.test(from)) {
    for (const { name, never, why } of files) {
      if (name.test(from) && never.test(to) && !typesOnly) say(why)
    }
  }
  return found
}

/** Under any name: a file of a slice that has statements knows nothing of requests. */
const statementsBesideHttp = (path: string, imports: readonly Import[]): string[] => {
  if (
    !slice.test(path) ||
    !imports.some(({ to, typesOnly }) => to === 'server/platform/db/sql.ts' && !typesOnly)
  )
    return []
  return imports
    .filter(({ to, typesOnly }) => !typesOnly && /^fastify|^server\/platform\/http\/serve\.ts$/.test(to))
    .map(({ to }) => `${path} imports ${to}: a file with statements knows nothing of HTTP`)
}

const sliceOf = (path: string): string | undefined => slice.exec(path)?.[0].slice('server/'.length, -1)

const wordsAgainstTheRules = perText((path, written): readonly string[] => {
  const text = withoutComments(written)
  const found: string[] = []
  const say = (why: string): void => void found.push(`${path}: ${why}`)
  if (path.endsWith('/index.ts')) say('barrels are not used; a file says what it is in its name')
  if (/\bexport\s+default\b|\bas\s+default\b/.test(text)) say('exports are named')
  if (/\bexport\s+\*/.test(text)) say('nothing is passed on wholesale')
  // A program that others install has a config.ts of its own.
  const readsSettings = path === 'server/config.ts' || (isClient.test(path) && path.endsWith('/config.ts'))
  if (!readsSettings && /\bprocess\s*\.\s*env\b|\benv\b[^\n]*from 'node:process'/.test(text)) {
    say('the environment is read in config.ts')
  }
  if (
    !path.startsWith('server/platform/db/codecs') &&
    // Clients run where there is no Temporal yet, and so do the scripts of the collections.
    !isClient.test(path) &&
    !path.startsWith('packing/connectors/') &&
    /\bnew Date\b|\bDate\s*\.\s*(?:now|parse|UTC)\b|\bDate\(/.test(text)
  ) {
    say('moments are Temporal; Date is not used')
  }
  if (path.startsWith('server/') && !path.startsWith('server/platform/db/') && /\.query\(/.test(text))
    say('statements run through the sql tag')
  if (/^enum\s|^export enum\s|^namespace\s/m.test(text)) say('only erasable TypeScript')
  return found
})
