import type { TestService } from './service.ts'

/** Rows of a statement that only a test asks, as the driver gives them. */
export const rowsOf = async <Row extends Record<string, unknown>>(
  { db }: Pick<TestService, 'db'>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => (await db.session((client) => client.query<Row>(text, values))).rows

/** How many statements wait for a lock of another. */
export const waitingForLock = async (service: Pick<TestService, 'db'>): Promise<number> =>
  (
    await rowsOf(
      service,
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length

/** How many rows of a venue a table holds. */
export const countOf = async (
  service: Pick<TestService, 'db'>,
  table: string,
  venueId: number,
): Promise<number> => {
  const [row] = await rowsOf<{ n: number }>(
    service,
    `select count(*)::int as n from ${table} where venue_id = $1`,
    [venueId],
  )
  return row?.n ?? 0
}
