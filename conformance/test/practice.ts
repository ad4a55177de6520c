import { createKey, revokeKey } from '../../server/integrations/access/keys.ts'
import { allCommands } from '../../server/doors/operator/commands.ts'
import { readCommandLine } from '../../server/doors/operator/read-command-line.ts'
import { type TestInstance, startInstance } from '../../server/integrations/practice/test/instance.ts'
import { patience } from '../../server/test/patience.ts'
import type { Options } from '../src/conformance.ts'

/** A practice instance, and how the suite is run on it with everything it can need. */
export type Practice = {
  readonly instance: TestInstance
  readonly options: Options
  /** Another key of the venue, for a few requests a minute. */
  readonly slowKey: () => Promise<string>
}

/** `12h` as ISO 8601 says it. */
const isoOf = (by: string): string => {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(by) ?? []
  return unit === 'd' ? `P${count}D` : `PT${count}${unit?.toUpperCase()}`
}

export const startPractice = async (settings: Record<string, string> = {}): Promise<Practice> => {
  const instance = await startInstance(settings)
  const { service, demo } = instance
  const elsewhere = await service.venue()
  const revoked = await elsewhere.makeKey('read')
  await revokeKey(service.db, revoked.id, 'test', service.context.clock())
  const { readWrite, readOnly, automation } = demo.keys
  return {
    instance,
    slowKey: async () => {
      const terms = {
        kind: 'api',
        scope: 'read_write',
        name: 'slow',
        createdBy: 'test',
        ratePerMinute: 5,
      } as const
      return (await createKey(service.context, service.db, demo.venue.id, terms)).key
    },
    options: {
      baseUrl: service.url,
      keys: {
        ...{ write: readWrite, read: readOnly, automation },
        ...{ other: elsewhere.key, revoked: revoked.key },
      },
      trigger: async (venue, event, id) => {
        const words = ['trigger', event, '--venue', venue, ...(id === undefined ? [] : ['--id', String(id)])]
        const line = readCommandLine(words, await allCommands())
        if (line.kind !== 'command') throw new Error(line.text)
        return (await line.command.run(service.context, line.given)).json
      },
      advance: async (by) => {
        await instance.advance(isoOf(by))
      },
      // Met by none of the statements that are kept.
      patienceMs: patience.ms() * 10,
    },
  }
}
