import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import { type Generator, documentPath, run } from './check.ts'

const packages = join(import.meta.dirname, '../node_modules')

export const heyApiVersion = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
).devDependencies['@hey-api/openapi-ts']

/** @hey-api/openapi-ts with its own fetch client, type-checked strictly. */
export const heyApiClient: Generator = async (folder, given) => {
  await createClient({
    input: documentPath,
    output: { path: join(folder, 'client'), importFileExtension: '.ts' },
    logs: { level: 'silent', file: false },
  })
  await symlink(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'use.ts'), program)
  const words = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--skipLibCheck', '--types', 'node']
  const target = ['--target', 'esnext', '--module', 'nodenext']
  await run(join(packages, '.bin/tsc'), [...words, ...target, 'use.ts'], { cwd: folder })
  return JSON.parse(await run(process.execPath, ['use.ts', JSON.stringify(given)], { cwd: folder }))
}

const program = `import { createTask, me } from './client/sdk.gen.ts'
import { client } from './client/client.gen.ts'

const { baseUrl, key, title } = JSON.parse(process.argv[2] ?? '')
client.setConfig({ baseUrl, auth: key })
const account = await me({ throwOnError: true })
const made = await createTask({ body: { title }, throwOnError: true })
console.log(JSON.stringify({ venue: account.data.venue.slug, task: made.data.task.title }))
`
