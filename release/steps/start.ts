import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readFile, rm } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { freePort } from '../../server/platform/db/embedded/free-port.ts'
import { accountFromSystem } from '../../server/platform/db/embedded/run-as.ts'
import { eventually } from '../../server/test/eventually.ts'
import { startTimes } from '../../server/test/process.ts'
import { readerOf, shownCalls } from '../../server/test/guides/shown-calls.ts'
import { copyTo, inFolder, ownSettings, run } from '../commands.ts'
import { type Finding, notTried, trying } from '../findings.ts'

/** A Node and an npm that somebody has; each Node with the npm that comes with it, and what else the README names. */
const machines: readonly { readonly node: string; readonly npm: string }[] = [
  { node: '20', npm: '10.8' },
  { node: '20', npm: '11.19' },
  { node: '22', npm: '10.9' },
  { node: '24', npm: '11' },
  { node: '26', npm: '12.2' },
]

const systems = ['Linux x64', 'Linux arm64', 'macOS arm64']
const thisSystem = `${process.platform === 'darwin' ? 'macOS' : 'Linux'} ${process.arch}`

type Options = { readonly cwd: string; readonly env: NodeJS.ProcessEnv } & Partial<Account>
type Account = { readonly uid: number; readonly gid: number }

/** The README, word by word, in a copy of the repository under each Node. */
export const tryStart = async (): Promise<readonly Finding[]> => {
  const found: Finding[] = []
  const isRoot = process.getuid?.() === 0
  for (const { node, npm } of machines)
    found.push(await readmeUnder(node, npm, isRoot ? 'root' : 'an ordinary user'))
  const newest = machines.at(-1) as (typeof machines)[number]
  if (isRoot)
    found.push(await readmeUnder(newest.node, newest.npm, 'an ordinary user', await accountFromSystem()))
  const others = systems.filter((system) => system !== thisSystem)
  return [...found, ...others.map((system) => notTried(system, `this machine is ${thisSystem}`))]
}

const readmeUnder = async (node: string, npm: string, who: string, account?: Account): Promise<Finding> => {
  const what = `${thisSystem}, Node ${node} with npm ${npm}, as ${who}`
  return inFolder(async (folder) => {
    const tools = join(folder, 'tools')
    // The same package that brings this Node.
    const name = basename(dirname(dirname(process.execPath)))
    const words = [
      'install',
      '--silent',
      '--ignore-scripts',
      '--prefix',
      tools,
      `${name}@${node}`,
      `npm@${npm}`,
    ]
    const said = await run('npm', words, { env: ownSettings() }).catch((error: Error) => error)
    if (said instanceof Error) return notTried(what, 'the registry does not have them')
    const checkout = join(folder, 'venue-data')
    await copyTo(checkout)
    if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, folder])
    const modules = join(tools, 'node_modules')
    const env = {
      ...ownSettings(),
      PATH: [join(modules, name, 'bin'), join(modules, '.bin'), '/usr/local/bin', '/usr/bin', '/bin'].join(
        ':',
      ),
      PORT: String(await freePort()),
      // Another account cannot enter our home.
      ...(account && {
        HOME: folder,
        npm_config_cache: join(folder, 'cache'),
        npm_config_userconfig: join(folder, '.npmrc'),
      }),
    }
    const readme = await readFile(join(checkout, 'README.md'), 'utf8')
    return trying(what, '', async () => {
      await startAsTold(readme, { cwd: checkout, env, ...account })
      // All of them are another step's: these show that the command works here, and a page's program in this very Node.
      await run(
        'sh',
        ['-c', `${commandOf(readme, 'npm test')} -- server/crm/tasks server/test/guides/copy-recipe.test.ts`],
        {
          cwd: checkout,
          env,
          ...account,
        },
      )
      const exact = await run('sh', ['-c', 'node --version && npm --version && curl --version'], { env })
      const [, ofNode, ofNpm, ofCurl] = /^v(.*)\n(.*)\ncurl (\S+)/.exec(exact) ?? []
      return `Node ${ofNode}, npm ${ofNpm}, curl ${ofCurl}`
    })
  })
}

/** The README's command line that begins with `npm ci` and ends with this. */
const commandOf = (readme: string, end: string): string => {
  const command = `npm ci && ${end}`
  if (!readme.includes(`\n\`\`\`\n${command}\n\`\`\`\n`))
    throw new Error(`The README does not say ${command}.`)
  return command
}

/** Starts it, opens the three addresses, does the six calls, and ends it as somebody at a terminal does. */
const startAsTold = async (readme: string, options: Options): Promise<void> => {
  const child = spawn('sh', ['-c', commandOf(readme, 'npm start')], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: npm and the shell between us and the service have the signal, too, as from a keyboard.
    detached: true,
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'close')
  try {
    await eventually(
      () => said.includes('To create another key:') || child.exitCode !== null,
      // It installs everything first.
      { times: startTimes * 10 },
    )
    const url = `http://127.0.0.1:${options.env['PORT']}`
    for (const path of ['/office', '/v/blue-door', '/docs']) {
      if (!said.includes(url + path))
        throw new Error(`The first start does not name ${path}: ${said.slice(-500)}`)
      const answer = await fetch(url + path)
      if (answer.status !== 200) throw new Error(`${path} is ${answer.status}.`)
    }
    const [, key = ''] = /read and write +(service_sk_\w+)/.exec(said) ?? []
    const [, date = '', time = ''] = /"date":"([\d-]+)","time":"([\d:]+)"/.exec(said) ?? []
    const reader = readerOf({ apiUrl: `${url}/api/v1`, key, slot: { date, time } })
    for (const call of shownCalls(readme)) {
      console.log(`$ ${reader.title(call)}`)
      await reader.run(call)
    }
    await access(join(options.cwd, '.data'))
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGINT')
    await ended
    await rm(join(options.cwd, '.data'), { recursive: true, force: true })
  }
}

/** The README's second command as a whole, and whether it takes as long as the README says. */
export const tryTests = async (): Promise<readonly Finding[]> => [
  await inFolder((folder) =>
    trying('All tests', '', async () => {
      await copyTo(folder)
      const readme = await readFile(join(folder, 'README.md'), 'utf8')
      const [told, most] = /\d+ to (\d+) minutes on two cores/.exec(readme) ?? []
      // On a busy machine, or a smaller one, it may take longer, as the README says.
      const [load = 0] = loadavg()
      const isMeasure = load < 1 && availableParallelism() >= 2
      const began = performance.now()
      await run('sh', ['-c', commandOf(readme, 'npm test')], { cwd: folder, env: ownSettings() })
      const minutes = (performance.now() - began) / 60_000
      const took = `${minutes.toFixed(1)} minutes on ${availableParallelism()} cores`
      if (isMeasure && minutes > Number(most)) throw new Error(`${took}, and the README says ${told}.`)
      return isMeasure ? took : `${took}, busy with other work`
    }),
  ),
]
