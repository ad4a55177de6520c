import { spawnSync } from 'node:child_process'

/** A program that not every machine has, and the Debian package that brings it. */
export type Program = readonly [command: string, debian: string]

/** Options of a test that needs programs: it is skipped, with the reason, where one is missing. */
export const unlessMissing = (...needed: readonly Program[]): { readonly skip?: string } => {
  const missing = needed.filter(([command]) => spawnSync(command, ['--version']).error !== undefined)
  return missing.length === 0
    ? {}
    : {
        skip: missing
          .map(([command, debian]) => `${command} is not here (Debian package ${debian})`)
          .join(', '),
      }
}
