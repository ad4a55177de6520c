import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyTo, inFolder, quietly, run } from '../commands.ts'
import { type Finding, notTried, trying } from '../findings.ts'

const what = 'Docker'

/**
 * The commands of docs/production.md exactly as written, in a copy of the repository, but without holding the terminal.
 */
export const tryDocker = async (): Promise<readonly Finding[]> => {
  const version = await quietly('docker', ['version', '--format', '{{.Server.Version}}']).catch(
    () => undefined,
  )
  if (version === undefined) return [notTried(what, 'there is no Docker daemon here')]
  return [
    await inFolder((folder) =>
      trying(what, version.trim(), async () => {
        await copyTo(folder)
        const page = await readFile(join(folder, 'docs/production.md'), 'utf8')
        const [, commands = ''] = /## Docker\n[^]*?```\n([^]*?)```/.exec(page) ?? []
        const told = commands
          .replace('docker compose up --build', 'docker compose up --build --detach --wait')
          .replace('docker compose exec', 'docker compose exec -T')
        const name = `venue-data-${randomBytes(4).toString('hex')}`
        const options = { cwd: folder, env: { ...process.env, COMPOSE_PROJECT_NAME: name } }
        try {
          await run('sh', ['-ec', told], options)
          const answer = await fetch('http://127.0.0.1:8080/docs/tools/sdk.tgz')
          if (answer.status !== 200) throw new Error(`/docs/tools/sdk.tgz is ${answer.status}.`)
        } finally {
          await run('docker', ['compose', 'down', '--volumes', '--rmi', 'local'], options)
        }
      }),
    ),
  ]
}
