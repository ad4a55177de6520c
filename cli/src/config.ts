import { homedir } from 'node:os'
import { join } from 'node:path'

/** The settings from the environment. */
export type Settings = {
  readonly key: string | undefined
  readonly url: string | undefined
  /** The program's own folder for its files. */
  readonly folder: string
  /** `NO_COLOR` is set to anything (no-color.org). */
  readonly noColor: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

export const readSettings = (env: Environment = process.env, home = homedir()): Settings => ({
  key: env['VENUE_DATA_KEY'] || undefined,
  url: env['VENUE_DATA_URL'] || undefined,
  folder: join(env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(home, '.config'), 'venue-data'),
  noColor: Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb',
})
