import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { check } from 'recheck'
import { noWords } from '../server/platform/kernel/script-words.ts'

/*
 * Every regular expression of the tree, judged by recheck: how long may the worst text keep it busy? One that is
 * exponential stops the process for all venues with a text of some hundred characters, and one that is quadratic with
 * half a megabyte. It is rewritten, or listed in `bounded.json` with what bounds its texts.
 *
 * Not judged are the tests, whose texts are our own. The patterns that programs put together (`new RegExp`) are not
 * seen: what they are made of is escaped, and never a stranger's pattern.
 */

noWords('npm run check:regexes')

const root = new URL('../', import.meta.url)
const files = '**/*.{cjs,gs,js,mjs,ts}'
const isOurs = (path: string): boolean =>
  !/(?:^|\/)(?:node_modules|generated|dist|build|test|tests)\/|\.(?:test|journey|check)\.ts$/.test(path)
/** On a busy machine the slowest takes a while; one that cannot be judged is not passed. */
const timeout = 180_000
const atOnce = 2

type Node = { readonly type?: string; readonly regex?: { readonly pattern: string; readonly flags: string } }

const literalsIn = (path: string): string[] => {
  const { program, errors } = parseSync(
    path.replace(/\.gs$/, '.js'),
    readFileSync(new URL(path, root), 'utf8'),
  )
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`)
  const found: string[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, regex } = node as Node
    if (type === 'Literal' && regex) found.push(`/${regex.pattern}/${regex.flags}`)
    Object.values(node).forEach(look)
  }
  look(program)
  return found
}

const places = new Map<string, string[]>()
for (const path of globSync(files, { cwd: root, exclude: ['**/node_modules'] }).map((one) =>
  one.replaceAll('\\', posix.sep),
))
  if (isOurs(path))
    for (const literal of literalsIn(path)) places.set(literal, [...(places.get(literal) ?? []), path])

const bounded = JSON.parse(readFileSync(new URL('bounded.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>
const faults = Object.keys(bounded)
  .filter((literal) => !places.has(literal))
  .map((literal) => `bounded.json lists ${literal}, which is nowhere.`)

const judge = async (literal: string): Promise<void> => {
  const end = literal.lastIndexOf('/')
  // What `v` adds to `u` changes no way of matching.
  const flags = literal
    .slice(end + 1)
    .replace('v', 'u')
    .replace('y', '')
  const { status, complexity, attack, error } = await check(literal.slice(1, end), flags, { timeout })
  if (status === 'safe') return
  if (complexity?.type === 'polynomial') {
    if (bounded[literal] !== undefined || !isSlow(new RegExp(literal.slice(1, end), flags), attack.string))
      return
  }
  const how =
    status === 'vulnerable' ? `${complexity.summary}, for instance by ${attack.pattern}` : error?.kind
  faults.push(`${[...new Set(places.get(literal))].join(', ')}: ${literal} is ${how}`)
}

/**
 * Whether the worst text, of some ten thousand characters, really keeps this engine busy. What grows with the square takes
 * seconds; what only has a large factor, or is optimized away, some milliseconds. Counted in time of the processor, since
 * the machine may be busy.
 */
const isSlow = (pattern: RegExp, text: string): boolean => {
  const before = process.threadCpuUsage()
  pattern.exec(text)
  const { user, system } = process.threadCpuUsage(before)
  return user + system > 100_000
}

const waiting = [...places.keys()]
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let literal = waiting.pop(); literal !== undefined; literal = waiting.pop()) await judge(literal)
  }),
)
if (faults.length > 0) {
  console.error(faults.toSorted().join('\n'))
  process.exitCode = 1
} else console.log(`${places.size} regular expressions: none keeps the process busy.`)
process.exit()
