import { sql } from '../../platform/db/sql.ts'
import { regularVisits } from '../../crm/house/rules.ts'
import { type Tables, inBatches } from './bulk.ts'
import type { DemoBooking, DemoGuest } from '../guest-book.ts'

/* What the house knows for itself: VIPs, birthdays and tags of those who come often, and the occasions of bookings. */

const tags = ['Wine list', 'Neighbor', 'Industry', 'Press', 'Quiet corner'] as const
const occasions = ['Birthday', 'Anniversary', 'Date night', 'Business', 'Graduation'] as const

export const writeHouse = async (
  tables: Tables,
  guestIds: ReadonlyMap<DemoGuest, number>,
  bookingIds: ReadonlyMap<DemoBooking, number>,
): Promise<void> => {
  const { db, venue } = tables
  const regulars = [...guestIds].filter(([{ visitCount }]) => visitCount >= regularVisits)
  await inBatches(regulars, (batch) =>
    db.run(sql()`
      insert into guest_regular (venue_id, id, visit_count, last_visit_date)
      select ${venue}, id, visits, coalesce(last_visit, '0001-01-01')
        from unnest(
          ${batch.map(([, id]) => id)}::bigint[], ${batch.map(([one]) => one.visitCount)}::integer[],
          ${batch.map(([one]) => one.lastVisitDate)}::date[]) as given (id, visits, last_visit)`),
  )
  await inBatches(regulars, (batch) =>
    db.run(sql()`
      insert into guest_house (venue_id, id, vip, birthday_month, birthday_day)
      select ${venue}, id, id % 6 = 0, id % 12 + 1, id * 7 % 28 + 1
        from unnest(${batch.map(([, id]) => id)}::bigint[]) as given (id)`),
  )
  const made = await db.many(sql({ id: 'int8' })`
    insert into house_tag (venue_id, name)
    select ${venue}, name from unnest(${[...tags]}::text[]) as given (name)
    returning id`)
  const tagged = regulars.filter(([, id]) => id % 2 === 0)
  await inBatches(tagged, (batch) =>
    db.run(sql()`
      insert into guest_house_tag (venue_id, guest_id, tag_id)
      select ${venue}, guest, tag
        from unnest(
          ${batch.map(([, id]) => id)}::bigint[],
          ${batch.map(([, id]) => made[(id / 2) % made.length]?.id ?? null)}::bigint[]) as given (guest, tag)`),
  )
  const celebrating = [...bookingIds.values()].filter((id) => id % 11 === 0)
  await inBatches(celebrating, (batch) =>
    db.run(sql()`
      insert into reservation_house (venue_id, id, occasion)
      select ${venue}, id, occasion
        from unnest(
          ${batch}::bigint[],
          ${batch.map((id) => occasions[(id / 11) % occasions.length] ?? null)}::text[]) as given (id, occasion)`),
  )
}
