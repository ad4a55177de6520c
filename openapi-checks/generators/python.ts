import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Generator, documentPath, isInstalled, run } from './check.ts'

export const pythonVersion = '0.29.1'

const generator = `openapi-python-client==${pythonVersion}`

/** openapi-python-client, whose every module is imported once. */
export const pythonClient: Generator = async (folder, given) => {
  if (!(await isInstalled('python3', '-m', 'pip', '--version'))) return undefined
  const packages = join(folder, 'packages')
  const env = {
    ...process.env,
    PYTHONPATH: packages,
    PATH: `${join(packages, 'bin')}:${process.env['PATH']}`,
  }
  await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', packages, generator], { cwd: folder })
  const words = [
    'generate',
    '--path',
    documentPath,
    '--output-path',
    'client',
    '--meta',
    'none',
    '--fail-on-warning',
  ]
  await run('python3', ['-m', 'openapi_python_client', ...words], { cwd: folder, env })
  await writeFile(join(folder, 'use.py'), program)
  return JSON.parse(await run('python3', ['use.py', JSON.stringify(given)], { cwd: folder, env }))
}

const program = `import importlib, json, pkgutil, sys

import client
from client import AuthenticatedClient
from client.api.account import me
from client.api.tasks import create_task
from client.models import NewTask

for module in pkgutil.walk_packages(client.__path__, "client."):
    importlib.import_module(module.name)

given = json.loads(sys.argv[1])
venue = AuthenticatedClient(
    base_url=given["baseUrl"], token=given["key"], prefix="", auth_header_name="X-Service-Key"
)
account = me.sync(client=venue)
made = create_task.sync(client=venue, body=NewTask(title=given["title"]))
print(json.dumps({"venue": account.venue.slug, "task": made.task.title}))
`
