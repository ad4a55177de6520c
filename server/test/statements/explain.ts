import type pg from 'pg'
import type { Statement, Value } from '../../platform/db/sql.ts'

/** A statement's plan for its own values, or the one for all values. */
export type PlanKind = 'force_custom_plan' | 'force_generic_plan'

/** What `explain` says of a statement, planned in one of the two ways. `options` as in `analyze, buffers`. */
export const explain = async (
  client: pg.ClientBase,
  { text, values }: Statement<unknown>,
  kind: PlanKind,
  options = 'costs',
): Promise<string[]> => {
  await client.query(`set plan_cache_mode = ${kind}; deallocate all`)
  await client.query(`prepare planned as ${text}`)
  const given = values.map((value) => literal(client, value)).join(', ')
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `explain (${options}) execute planned ${given && `(${given})`}`,
  )
  return rows.map((row) => row['QUERY PLAN'])
}

const literal = (client: pg.ClientBase, value: Value): string => {
  if (value === null) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value)) {
    const items = value.map((item) =>
      item === null
        ? 'null'
        : Buffer.isBuffer(item)
          ? `"\\\\x${item.toString('hex')}"`
          : JSON.stringify(String(item)),
    )
    return client.escapeLiteral(`{${items.join()}}`)
  }
  return client.escapeLiteral(value.toString())
}
