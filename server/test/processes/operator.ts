import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { compiledSources } from '../patience.ts'
import type { TestService } from '../service.ts'

/** What a run of `bin/venue …` left: everything it wrote and its exit code. */
export type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string }

const program = join(import.meta.dirname, '../../doors/operator/main.ts')

/** Runs the operator's program as a process of its own; `settings` are its whole environment. */
export const runOperator = (
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(
      execPath,
      [program, ...args],
      { env: { ...compiledSources, ...settings } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })

/** The settings with which a command shares a test service's database and secrets. */
export const settingsOf = ({ databaseUrl, context }: TestService): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  SECRETS: context.config.secrets as string,
})
