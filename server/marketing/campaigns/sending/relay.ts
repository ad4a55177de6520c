import type { Config } from '../../../config.ts'
import type { Database, Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { RelayState } from './pace.ts'

/** What the relay is called in the database: where it is, without user and password. */
export const relayName = ({ smtpUrl, practice }: Pick<Config, 'smtpUrl' | 'practice'>): string =>
  smtpUrl === undefined || practice ? 'files' : new URL(smtpUrl).host

export const readRelay = async (db: Queries, relay: string): Promise<RelayState> => {
  const row = await db.maybe(sql({ state: 'jsonb' })`select state from mail_relay where relay = ${relay}`)
  return row ? (row.state as RelayState) : {}
}

/** Changes the state under its lock, so that processes share what there is. */
export const changeRelay = <Answer extends { readonly state: RelayState }>(
  db: Database,
  relay: string,
  change: (state: RelayState) => Answer,
): Promise<Answer> =>
  db.transaction(async (queries) => {
    await queries.run(sql()`
      insert into mail_relay (relay, state) values (${relay}, '{}') on conflict (relay) do nothing`)
    const { state } = await queries.one(
      sql({ state: 'jsonb' })`select state from mail_relay where relay = ${relay} for update`,
    )
    const answer = change(state as RelayState)
    if (answer.state !== state) {
      await queries.run(
        sql()`update mail_relay set state = ${JSON.stringify(answer.state)}::jsonb where relay = ${relay}`,
      )
    }
    return answer
  })
