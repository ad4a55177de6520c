import { parseArgs } from 'node:util'
import { type Line, type Options, sharedOptions } from './command.ts'
import { UsageError } from './failures.ts'
import { didYouMean } from './did-you-mean.ts'

/**
 * Parses the words after the command's name.
 *
 * @throws UsageError when a flag is unknown, has no value or one too many, or is missing
 */
export const readLine = (args: readonly string[], own: Options): Line => {
  const options: Options = { ...own, ...sharedOptions }
  const { values, positionals, tokens } = parse(args, options)
  const seen = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const option = options[name]
    if (!option)
      throw new UsageError(`There is no flag ${rawName} here.${didYouMean(`--${name}`, flagsOf(options))}`)
    if (option.value !== undefined && value === undefined) throw new UsageError(`${rawName} needs a value.`)
    if (option.value === undefined && value !== undefined) throw new UsageError(`${rawName} takes no value.`)
    if (seen.has(name)) throw new UsageError(`${rawName} is given twice.`)
    seen.add(name)
  }
  for (const [name, { required }] of Object.entries(options)) {
    if (required && !seen.has(name) && !seen.has('help')) throw new UsageError(`--${name} is missing.`)
  }
  return { operands: positionals, flags: values as Line['flags'] }
}

const flagsOf = (options: Options): string[] => Object.keys(options).map((name) => `--${name}`)

/** Not strict: errors are reported above, without repeating text that might be a key. */
const parse = (args: readonly string[], options: Options) =>
  parseArgs({
    args: withValues(args, options),
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { value }]) => [
        name,
        { type: value === undefined ? 'boolean' : 'string' } as const,
      ]),
    ),
  })

/** Joins a flag and its value: otherwise `--sort -createdAt` would be two flags. */
const withValues = (args: readonly string[], options: Options): string[] => {
  const read: string[] = []
  for (let i = 0; i < args.length; i++) {
    const [arg, next] = args.slice(i, i + 2) as [string, string | undefined]
    if (arg === '--') return [...read, ...args.slice(i)]
    const takes = arg.startsWith('--') && options[arg.slice(2)]?.value !== undefined
    const isValue = takes && next !== undefined && !next.startsWith('--')
    read.push(isValue ? `${arg}=${next}` : arg)
    if (isValue) i++
  }
  return read
}
