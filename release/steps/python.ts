import { access, readFile, readdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { packages } from '../../server/platform/http/site/packages.ts'
import { whyNoPython } from '../../sdk-python/test/python.ts'
import { type TestService, startService } from '../../server/test/service.ts'
import { globalSetup, globalTeardown } from '../../server/test/run/setup.ts'
import { inFolder, ownSettings, quietly, root, run } from '../commands.ts'
import { type Finding, failed, held, notTried, trying } from '../findings.ts'

/** The oldest is for the example that needs no package. */
const versions = ['3.9', '3.10', '3.11', '3.12', '3.13', '3.14']

/** The Python SDK, installed as its page says, and the example without packages, in each Python there is. */
export const tryPython = async (): Promise<readonly Finding[]> => {
  const found: Finding[] = []
  await globalSetup()
  const service = await startService()
  try {
    await packages.make()
    for (const version of versions) found.push(await inPython(version, service))
  } finally {
    await service.stop()
    await globalTeardown()
  }
  return [...found, await types()]
}

const inPython = async (version: string, service: TestService): Promise<Finding> => {
  const what = `Python ${version}`
  const command = await findPython(version)
  if (command === undefined) return notTried(what, 'it is not installed')
  const { key } = await service.venue()
  return inFolder((folder) =>
    trying(what, '', async () => {
      await run(command, ['-m', 'venv', folder])
      const python = join(folder, 'bin/python')
      if (version !== '3.9') await sdkIn(folder, python, { url: service.url, key })
      // The tests take the `python3` they find.
      const env = { ...ownSettings(), PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
      await run(process.execPath, ['server/test/run/run.ts', 'server/test/guides/keep-a-copy.test.ts'], {
        env,
      })
      const about = await quietly(python, [
        '-c',
        'import sys, sqlite3; print(sys.version.split()[0], sqlite3.sqlite_version)',
      ])
      return about.trim().replace(' ', ', SQLite ')
    }),
  )
}

/** The first minute of the SDK's page, and the SDK's own tests, with the frameworks for which it has handlers. */
const sdkIn = async (
  folder: string,
  python: string,
  { url, key }: { url: string; key: string },
): Promise<void> => {
  const told = await readFile(join(root, 'docs/packages.md'), 'utf8')
  const [install = ''] = /^pip install '[\w-]+\[flask\].*$/m.exec(told) ?? []
  const env = { ...ownSettings(), PATH: `${join(folder, 'bin')}:${process.env['PATH']}` }
  const command = install.replace('[flask]', '[flask,fastapi]').replace('http://127.0.0.1:8080', url)
  await run('sh', ['-ec', command], { cwd: folder, env })
  const page = await readFile(join(root, 'sdk-python/README.md'), 'utf8')
  const [, program = ''] = /```python\n([^]*?)```/.exec(page) ?? []
  const ours = program.replaceAll(/service_sk_Practice\w+/g, key).replace('http://127.0.0.1:8080', url)
  await writeFile(join(folder, 'first.py'), ours)
  const said = await run('python', ['first.py'], { cwd: folder, env })
  if (!said.startsWith('Connected to The Blue Door')) throw new Error(`The first program says: ${said}`)
  await run(python, [join(root, 'sdk-python/test/test_client.py')], { cwd: folder, env })
}

/** A Python by its version: a command, or one that pyenv installed. */
const findPython = async (version: string): Promise<string | undefined> => {
  const own = join(homedir(), '.pyenv/versions')
  const kept = (await readdir(own).catch(() => [])).filter((name) => name.startsWith(`${version}.`))
  const paths = [`/usr/bin/python${version}`, ...kept.map((name) => join(own, name, 'bin/python3'))]
  for (const path of paths) {
    const works = access(path).then(() => quietly(path, ['-c', 'import ensurepip, sqlite3']))
    if (
      await works.then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return undefined
}

const types = async (): Promise<Finding> => {
  const what = 'Types, as pyright sees them'
  const why = whyNoPython('fastapi', 'flask', 'typing_extensions')
  if (why !== undefined) return notTried(what, why)
  const said = await run('npm', ['run', '--silent', 'check:python']).catch((error: Error) => error)
  return said instanceof Error ? failed(what, '', said.message) : held(what, '')
}
