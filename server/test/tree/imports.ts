import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/*
 * Reads which file imports which, by the text alone. The imports of this codebase are all of one form (named,
 * at the start of a line, `.ts` written out), so a regular expression reads them; a file that is written
 * otherwise is reported instead of being passed over.
 */

/** Source files by their path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>

export type Import = {
  readonly from: string
  /** A path from the root of the repository, or the name of a package. */
  readonly to: string
  readonly isPackage: boolean
  /** Gone when the program runs: `import type`, or nothing but types between the braces. */
  readonly typesOnly: boolean
}

const root = new URL('../../../', import.meta.url)

/** The packages that others install. */
export const clientFolders = ['sdk', 'cli', 'mcp', 'conformance', 'connectors'] as const

/** Where sources and tests lie. A folder that is not there yet holds none. */
export const sourceFolders = `{${['contract', 'server', 'generate', ...clientFolders, 'sdk-python', 'packing'].join(',')}}`

/** Every TypeScript file of the contract, the server and the clients. */
export const readSources = (): Sources =>
  new Map(
    globSync(`${sourceFolders}/**/*.ts`, {
      cwd: root,
      // The nodes for n8n are what its own linter wants, and are judged by that.
      exclude: ['**/node_modules', '**/dist', 'connectors/n8n'],
    })
      .toSorted()
      .map((path) => [path, readFileSync(new URL(path, root), 'utf8')]),
  )

/** The file behind each name under which one package of this repository imports another. */
const entries: ReadonlyMap<string, string> = new Map(
  globSync(`{${clientFolders.join(',')}}/package.json`, { cwd: root }).flatMap((path) => {
    const { name, exports = {} } = JSON.parse(readFileSync(new URL(path, root), 'utf8')) as {
      name: string
      exports?: Record<string, string>
    }
    return Object.entries(exports).map(([entry, file]) => [
      posix.join(name, entry),
      posix.join(posix.dirname(path), file),
    ])
  }),
)

/** Tests and what only they use: they may import anything. */
export const isTest = (path: string): boolean =>
  path.endsWith('.test.ts') ||
  path.includes('/test/') ||
  // Draws pages, also from what the tests know.
  path.startsWith('generate/')

/** The text without its comments, and with the contents of plain string literals kept. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/(^|[^:'"`\w])\/\/[^\n]*|\/\*[^]*?\*\//g, '$1')

/** A look at a file, remembered for as long as its text is the same: the checks look at all files dozens of times. */
export const perText = <Seen>(look: (path: string, text: string) => Seen) => {
  const kept = new Map<string, { readonly text: string; readonly seen: Seen }>()
  return (path: string, text: string): Seen => {
    const last = kept.get(path)
    if (last?.text === text) return last.seen
    const seen = look(path, text)
    kept.set(path, { text, seen })
    return seen
  }
}

const statement = /^(?:import|export)\s+(type\s+)?((?:\*|\{[^}]*\}|[\w$]+)[^'";]*?\sfrom\s+)?'([^']+)'/gm
const loadedLater = /\bawait import\('([^']+)'\)/g

export const importsOf = perText((path, text): readonly Import[] => {
  const code = withoutComments(text)
  const imported = (target: string, typesOnly: boolean): Import => ({
    from: path,
    to: target.startsWith('.')
      ? posix.join(posix.dirname(path), target)
      : (entries.get(target) ?? target.replace('@venue-data/', '')),
    isPackage: !target.startsWith('.') && !target.startsWith('@venue-data/'),
    typesOnly,
  })
  const atTheTop = [...code.matchAll(statement)].flatMap(([whole, type, names = '', target = '']) => {
    // `export const x = 'text'` has no `from`; only an import may do without.
    if (names === '' && !whole.startsWith('import')) return []
    const named = /\{([^}]*)\}/
      .exec(names)?.[1]
      ?.split(',')
      .map((name) => name.trim())
    const given = named?.filter((name) => name !== '') ?? []
    const typesOnly = Boolean(type) || (given.length > 0 && given.every((name) => name.startsWith('type ')))
    return [imported(target, typesOnly)]
  })
  return [...atTheTop, ...[...code.matchAll(loadedLater)].map(([, target = '']) => imported(target, false))]
})

/** Every circle of imports, each once, as the files it goes through. Types count: they tie two rooms as well. */
export const cyclesIn = (sources: Sources): string[][] => {
  const next = new Map(
    [...sources].map(([path, text]) => [
      path,
      importsOf(path, text)
        .filter(({ to }) => sources.has(to))
        .map(({ to }) => to),
    ]),
  )
  const cycles: string[][] = []
  const done = new Set<string>()
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path)
    if (at >= 0) {
      cycles.push([...trail.slice(at), path])
      return
    }
    if (done.has(path)) return
    for (const to of next.get(path) ?? []) walk(to, [...trail, path])
    done.add(path)
  }
  for (const path of sources.keys()) walk(path, [])
  return cycles
}
