import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Refusal } from './refusals.ts'
import type { ResourceOptions } from './tokens.ts'
import { type Job, jobs } from './tool.ts'
import { writableScopes } from './tools/all.ts'

export type Config = {
  readonly baseUrl: string
  readonly allow: readonly string[]
  /** Absent: every tool. */
  readonly job?: Job
} & (
  | { readonly transport: 'stdio'; readonly key: string }
  | {
      readonly transport: 'http'
      readonly host: string
      readonly port: number
      readonly allowedHosts: readonly string[]
      readonly allowedOrigins: readonly string[]
      readonly resource?: ResourceOptions
    }
)

const options = {
  'base-url': { type: 'string' },
  'key-file': { type: 'string' },
  allow: { type: 'string', multiple: true },
  tools: { type: 'string', default: 'all' },
  http: { type: 'boolean', default: false },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '8090' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  'public-url': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const

/**
 * The settings from the command line and the environment.
 *
 * @throws Refusal with a sentence about the first mistake
 */
export const readConfig = (args: readonly string[], env = process.env): Config | 'help' | 'version' => {
  const given = parse(args)
  if (given.help) return 'help'
  if (given.version) return 'version'
  const baseUrl = given['base-url'] ?? env['VENUE_DATA_URL']
  if (!baseUrl || !URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new Refusal('Say where the service is: --base-url https://venue.example.com, or VENUE_DATA_URL.')
  const allow = (given.allow ?? []).flatMap((words) => words.split(',')).map((word) => word.trim())
  const unknown = allow.find((scope) => !writableScopes.includes(scope))
  if (unknown !== undefined)
    throw new Refusal(`--allow takes ${writableScopes.join(', ')}, not "${unknown.slice(0, 50)}".`)
  const job = jobs.find((one) => one === given.tools)
  if (job === undefined && given.tools !== 'all')
    throw new Refusal(`--tools takes ${jobs.join(', ')} or all.`)
  const common = { baseUrl, allow, ...(job && { job }) }
  if (!given.http) return { transport: 'stdio', ...common, key: readKey(given['key-file'], env) }
  const { host } = given
  const port = Number(given.port)
  if (!/^\d{1,5}$/.test(given.port) || port > 65_535) throw new Refusal('--port takes a number up to 65535.')
  const isLoopback = ['127.0.0.1', '::1', 'localhost'].includes(host)
  if (!isLoopback && !given['allow-host'] && !given['public-url'])
    throw new Refusal('Beyond this machine, say by which names it is reached: --allow-host mcp.example.com.')
  const resource = readResource(given['public-url'], env)
  const { 'allow-host': allowedHosts = [], 'allow-origin': allowedOrigins = [] } = given
  return {
    ...{ transport: 'http', ...common, host, port, allowedOrigins },
    allowedHosts: resource ? [...allowedHosts, new URL(resource.url).host] : allowedHosts,
    ...(resource && { resource }),
  }
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values
  } catch (error) {
    // Some people put a key on the command line, so its text is not repeated.
    if ((error as { code?: string }).code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL')
      throw new Refusal('Only options are taken; see --help. Keys never go on the command line.')
    throw new Refusal('There is an option that does not exist, or one without its value; see --help.')
  }
}

/** What the operator of the service registered; its secret never comes from the command line. */
const readResource = (url: string | undefined, env: NodeJS.ProcessEnv): ResourceOptions | undefined => {
  if (url === undefined) return undefined
  const { VENUE_DATA_CLIENT_ID: clientId, VENUE_DATA_CLIENT_SECRET: clientSecret } = env
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol) || /[?#]/.test(url))
    throw new Refusal('--public-url takes the address clients use: https://mcp.example.com/mcp.')
  if (!clientId || !clientSecret)
    throw new Refusal(
      'With --public-url, give what the operator registered: VENUE_DATA_CLIENT_ID and VENUE_DATA_CLIENT_SECRET.',
    )
  return { url, clientId, clientSecret }
}

/** Never from the command line, which every program on the machine can read. */
const readKey = (file: string | undefined, env: NodeJS.ProcessEnv): string => {
  const key = file === undefined ? env['VENUE_DATA_KEY'] : readFile(file)
  if (!key?.trim())
    throw new Refusal(
      'Give a key: VENUE_DATA_KEY in the environment, or --key-file with a file that holds it.',
    )
  return key.trim()
}

const readFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Refusal('The file of --key-file cannot be read.')
  }
}
