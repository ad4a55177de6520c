import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'

type Installing = {
  /** The repository. */
  readonly root: string
  /** The package, by its folder, whose page says how to install it. */
  readonly name: string
  /** The service that has it. */
  readonly url: string
  /** An empty folder, in which also lies what npm installs globally. */
  readonly folder: string
  /** The Node under which npm runs. */
  readonly node: string
  /** Whether npm may ask its registry for what else the package needs. */
  readonly registry: boolean
  /** The settings of this process. */
  readonly env: NodeJS.ProcessEnv
}

/** Runs the command of npm with which a package's page says to install it; returns the settings in which its commands are found. */
export const installServed = async (given: Installing): Promise<NodeJS.ProcessEnv> => {
  const { root, name, url, folder, node, registry } = given
  const page = await readFile(join(root, name, 'README.md'), 'utf8')
  const [command] = /^npm install .*\/docs\/tools\/.*$/m.exec(page) ?? []
  if (command === undefined) throw new Error(`${name}/README.md does not say how to install it.`)
  const global = join(folder, 'global')
  await mkdir(join(global, 'lib'), { recursive: true })
  const path = [dirname(node), join(global, 'bin'), join(folder, 'node_modules/.bin'), given.env['PATH']]
  const env = {
    ...given.env,
    PATH: path.join(delimiter),
    npm_config_prefix: global,
    npm_config_cache: join(folder, 'cache'),
    // Nobody listens there.
    ...(!registry && { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }),
  }
  await promisify(execFile)('sh', ['-c', command.replace('http://127.0.0.1:8080', url)], { cwd: folder, env })
  return env
}
