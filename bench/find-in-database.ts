import type { Database } from '../server/platform/db/pool.ts'
import type { PhoneKey } from '../server/platform/kernel/phone/phone.ts'
import { guestsThatMayMatch } from '../server/crm/guests/reads.ts'
import type { VenueId } from '../server/core/venue/venue.ts'
import { recordingDatabase } from './recorded-writes.ts'

/** The database's own time for the statement of a find by phone, and how it reads the table. */
export const findInDatabase = async (
  database: Database,
  venue: number,
  phone: PhoneKey,
): Promise<{ ms: number; scans: string }> => {
  const { database: noting, recording } = recordingDatabase(database)
  const found = await guestsThatMayMatch(noting, venue as VenueId, { emailKey: undefined, phone })
  if (found.length !== 1) throw new Error(`${found.length} guests found instead of one`)
  const statement = recording.before[0]?.[0]
  if (!statement) throw new Error('nothing was asked of the database')
  return database.session(async (client) => {
    const times: number[] = []
    let plan = ''
    for (let n = 0; n < 21; n++) {
      const { rows } = await client.query({
        text: `explain (analyze, format json) ${statement.text}`,
        values: statement.values as unknown[],
      })
      const [explained] = rows[0]['QUERY PLAN'] as [{ 'Execution Time': number; 'Planning Time': number }]
      times.push(explained['Execution Time'] + explained['Planning Time'])
      plan = JSON.stringify(explained)
    }
    const indexes = [...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name)
    const scans = plan.includes('"Seq Scan"')
      ? 'WITH A SEQUENTIAL SCAN'
      : `by ${[...new Set(indexes)].join(' and ')}`
    return { ms: times.toSorted((a, b) => a - b)[10] as number, scans }
  })
}
