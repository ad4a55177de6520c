import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { packPython } from '../../packing/pack-python.ts'
import { packageFiles } from '../../server/platform/http/site/packages.ts'
import { setRules } from '../../server/test/open-rules.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'
import { packageFolder, python, runPython, whyNoPython } from './python.ts'

const run = promisify(execFile)
const why = whyNoPython('pip', 'flask')
const whyNoTool = whyNoPython('build', 'hatchling', 'packaging')

describe('the packed wheel, in an empty folder', { skip: why ?? false }, () => {
  let folder: string
  let wheel: string
  let service: TestService
  let venue: TestVenue
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-wheel-'))
    wheel = await packPython({ root: join(packageFolder, '..'), name: 'sdk-python', to: folder })
    const offline = ['--no-index', '--no-deps', '--no-compile', '--disable-pip-version-check']
    await run(python, ['-m', 'pip', 'install', ...offline, '--target', join(folder, 'site'), wheel])
    service = await startService()
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  /** Runs a program there, where nothing of the repository is to be found. */
  const runThere = async (program: string): Promise<string> => {
    const file = join(folder, 'program.py')
    const text = program
      .replaceAll(/service_sk_Practice\w+/g, venue.key)
      .replaceAll('http://127.0.0.1:8080', service.url)
    await writeFile(file, text)
    return runPython([file], { HOME: folder }, join(folder, 'site'))
  }

  it('has types and license, no test, and the name under which the service has it', async () => {
    assert.equal(wheel, join(folder, packageFiles['sdk-python']))
    const list = `import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))`
    const names = (await runPython(['-c', list, wheel])).trim().split('\n')
    for (const name of ['venue_data/py.typed', 'venue_data-0.1.0.dist-info/licenses/LICENSE'])
      assert.ok(names.includes(name), name)
    assert.deepEqual(
      names.filter((name) => /test|__pycache__/.test(name)),
      [],
    )
  })

  it('is the same each time', async () => {
    const again = join(folder, 'again')
    await packPython({ root: join(packageFolder, '..'), name: 'sdk-python', to: again })
    assert.deepEqual(await readFile(join(again, packageFiles['sdk-python'])), await readFile(wheel))
  })

  it('is what the build tool of its pyproject.toml makes', { skip: whyNoTool ?? false }, async () => {
    const made = join(folder, 'made')
    // With what is installed: nothing is downloaded.
    const offline = ['--wheel', '--no-isolation', '--skip-dependency-check']
    const source = join(folder, 'source')
    await cp(packageFolder, source, { recursive: true })
    await cp(join(packageFolder, '../LICENSE'), join(source, 'LICENSE'))
    await run(python, ['-m', 'build', ...offline, '--outdir', made, source])
    const described = await Promise.all(
      [wheel, join(made, packageFiles['sdk-python'])].map(async (file) =>
        JSON.parse(await runPython([join(import.meta.dirname, 'describe_wheel.py'), file])),
      ),
    )
    assert.deepEqual(described[0], described[1])
  })

  it('does what the first minute of its README says', async () => {
    const [first = ''] = await examples()
    const said = await runThere(first)
    assert.match(said, /^Connected to .+ in America\/New_York\.\nTask \d+ is on the list\.\n/)
  })

  it('does what the rest of its README shows', async () => {
    const [, ...others] = await examples()
    assert.equal(others.length, 8)
    const client = `key, base_url = "${venue.key}", "${service.url}"
from venue_data import VenueData
import os
os.chdir("${folder}")
venue = VenueData(key=key, base_url=base_url)
`
    const said = await runThere(client + others.join('\n\n'))
    assert.match(said, /^in-the-past .+$/m)
    assert.match(said, /^\d+ created 3$/m)
  })
})

/** The programs that the README shows. */
const examples = async (): Promise<string[]> => {
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  return [...readme.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, text]) => text as string)
}
