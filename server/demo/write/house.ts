import { regularVisits } from '../../crm/house/rules.ts'
import { type Tables, insertAll, insertAllWithIds } from './bulk.ts'
import type { DemoBooking, DemoGuest } from '../guest-book.ts'

/* What the house knows for itself: VIPs, birthdays and tags of those who come often, and the occasions of bookings. */

const tags = ['Wine list', 'Neighbor', 'Industry', 'Press', 'Quiet corner'] as const
const occasions = ['Birthday', 'Anniversary', 'Date night', 'Business', 'Graduation'] as const

export const writeHouse = async (
  tables: Tables,
  guestIds: ReadonlyMap<DemoGuest, number>,
  bookingIds: ReadonlyMap<DemoBooking, number>,
): Promise<void> => {
  const regulars = [...guestIds].filter(([{ visitCount }]) => visitCount >= regularVisits)
  await insertAll(tables, 'guest_regular', regulars, ([one, id]) => ({
    id,
    visit_count: one.visitCount,
    last_visit_date: one.lastVisitDate ?? '0001-01-01',
  }))
  await insertAll(tables, 'guest_house', regulars, ([, id]) => ({
    id,
    vip: id % 6 === 0,
    birthday_month: (id % 12) + 1,
    birthday_day: ((id * 7) % 28) + 1,
  }))
  const tagIds = [...(await insertAllWithIds(tables, 'house_tag', tags, (name) => ({ name }))).values()]
  const tagged = regulars.filter(([, id]) => id % 2 === 0)
  await insertAll(tables, 'guest_house_tag', tagged, ([, id]) => ({
    guest_id: id,
    tag_id: tagIds[(id / 2) % tagIds.length] ?? null,
  }))
  const celebrating = [...bookingIds.values()].filter((id) => id % 11 === 0)
  await insertAll(tables, 'reservation_house', celebrating, (id) => ({
    id,
    occasion: occasions[(id / 11) % occasions.length] ?? null,
  }))
}
