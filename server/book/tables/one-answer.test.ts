import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { randomFrom } from '../../demo/random.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { changeByGuest } from '../reservations/change/change-by-guest.ts'
import { keyAsHolder, newHoldId, placeHold } from '../reservations/holds/holds.ts'
import { guestAt, setGuestPages } from '../../test/guest.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { type FloorDay, seat } from '../day/day-floor.ts'
import { readDay } from '../day/open-day.ts'
import { shortStays } from '../day/short-stays.ts'
import { resolveService } from '../rules/resolve-service.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { chooseTables } from './choose-tables.ts'
import { host, tableScene, tonight } from './test/scene.ts'

const evenings = 6
const sizes = [1, 2, 3, 4, 6]
const times = ['17:30', '18:00', '18:30', '19:00', '19:30', '20:00', '20:30', '21:00', '22:00']

describe('whether there is a table for a new booking', () => {
  const scene = tableScene()
  const { service, made } = scene
  const act = <T>(work: Parameters<typeof scene.book.act<T>>[0]) => scene.book.act(work)
  const api = (path: string) => service.call('GET', `/api/v1${path}`, { key: scene.book.venue.key })

  /** A book with everything in it that a new booking has to fit in with. */
  const fill = async (seed: number): Promise<readonly number[]> => {
    const random = randomFrom(seed)
    await scene.open(
      Array.from({ length: random.integer(3, 6) }, (_, n) => ({
        ...{ label: String(n + 1), least: 1, most: random.pick([2, 4, 4, 6]) },
      })),
      {
        slotStepMinutes: 30,
        floor: {
          turnoverMinutes: random.pick([0, 15]),
          combinations: [{ tables: ['1', '2'], least: 5, most: 8 }],
        },
      },
    )
    const size = () => random.integer(1, 4)
    const confirmed: number[] = []
    for (let n = 0; n < 10; n++)
      confirmed.push(await made(size(), random.pick(times), { confirmed: ['tables-full'] }))
    const [off, asking, ...others] = random.shuffled(confirmed)
    await act((work) => chooseTables(work, host, { id: off as number, tables: [] }))
    // Requests, a hold and a change that is asked for hold no row, and count.
    for (const time of random.shuffled(times).slice(0, 3)) {
      const { status } = await scene.post(size(), time)
      assert.ok(status === 201 || status === 409)
    }
    const when = scene.book.when(tonight, random.pick(times))
    const by = { holder: keyAsHolder(1) }
    await act((work) => placeHold(work, { ...when, id: newHoldId(randomBytes), partySize: 2, by }))
    const read = await api(`/reservations/${asking}`)
    await service.call('PATCH', `/api/v1/reservations/${asking}`, {
      key: scene.book.venue.key,
      body: { time: random.pick(times) },
      headers: { 'if-match': read.headers.get('etag') as string },
    })
    return others
  }

  type Slot = { date: string; time: string; open: boolean; reason: string | null }
  const nameOf = ({ date, time }: Pick<Slot, 'date' | 'time'>): string => `${date} ${time}`

  it('staff’s chips, the guest page, the API and a request tried give one answer, 500 times', async () => {
    const counts = { open: 0, refused: 0, needed: 0 }
    for (let seed = 1; seed <= evenings; seed++) {
      await fill(seed)
      await setGuestPages(service, scene.book.venue, { doors: ['book'] })
      const office = visitOffice(service)
      await office.signIn((await staffOf(service, scene.book.venue, 'host', `door${seed}@example.com`)).email)
      for (const size of sizes) {
        const { body } = await api(`/availability?date=${tonight}&partySize=${size}&show=all`)
        const slots: Slot[] = body.days.flatMap((day: { slots: Slot[] }) => day.slots)
        const page = await guestAt(service, `/v/${scene.book.venue.slug}/book?size=${size}&date=${tonight}`)
        const onPage = new Set(
          Array.from(page.text.matchAll(/name="slot" value="([^"]+)"/g), ([, slot]) => slot as string),
        )
        const sheet = await office.get(
          `/office/bookings/reasons?date=${tonight}&partySize=${size}&time=&table=`,
          { 'hx-request': 'true' },
        )
        const chips = new Map(
          Array.from(
            sheet.html.matchAll(
              /data-fills="time=(\d+):(\d\d)\s([AP])M&amp;date=([\d-]+)"[^]*?<small[^>]*>([^<]*)<\/small/g,
            ),
            ([, hour, minutes, half, date, said]): [string, string] => {
              const of24 = (Number(hour) % 12) + (half === 'P' ? 12 : 0)
              return [`${date} ${String(of24).padStart(2, '0')}:${minutes}`, (said ?? '').trim()]
            },
          ),
        )
        assert.ok(slots.length > 10)
        for (const [n, slot] of slots.entries()) {
          const name = nameOf(slot)
          const chip = chips.get(name)
          assert.ok(slot.open || slot.reason === 'tables-full', `${name}: ${slot.reason}`)
          assert.deepEqual(
            { page: onPage.has(name), chip: chip !== 'no table' && chip !== 'needed by others' },
            { page: slot.open, chip: slot.open },
            `evening ${seed}, ${size} at ${name}: ${chip}`,
          )
          counts[slot.open ? 'open' : 'refused']++
          if (chip === 'needed by others') counts.needed++
          // A key tries twenty in a minute.
          if (n % 7 !== seed) continue
          const body = { guestName: 'Ada', date: slot.date, time: slot.time, partySize: size }
          const tried = await service.call('POST', '/api/v1/dry-run', {
            key: scene.book.venue.key,
            body: { method: 'POST', path: '/api/v1/reservations', body },
          })
          assert.equal(tried.status, 200, tried.text)
          const { status, body: answer } = tried.body.wouldAnswer
          assert.deepEqual(
            [status, answer.reason ?? null],
            slot.open ? [201, null] : [409, 'tables-full'],
            name,
          )
        }
      }
    }
    const { open, refused, needed } = counts
    assert.ok(open + refused >= 500 && open > 100 && refused > 100 && needed > 5, JSON.stringify(counts))
  })

  it('no door online offers or takes a table that is free for a while only, 500 times', async () => {
    const counts = { slots: 0, short: 0, changes: 0 }
    for (let seed = 1; seed <= evenings; seed++) {
      const booked = await fill(seed)
      const { venue } = scene.book
      for (const size of sizes) {
        const { body } = await api(`/availability?date=${tonight}&partySize=${size}&show=all`)
        const slots: Slot[] = body.days.flatMap((day: { slots: Slot[] }) => day.slots)
        for (const slot of slots) {
          counts.slots++
          const when = scene.book.when(slot.date, slot.time)
          const { short, whole } = await staysAt(when, size)
          const changed = booked[counts.slots % booked.length] as number
          if (await isRefusedChange(changed, when, size, counts.changes % 3 === 0)) counts.changes++
          if (short.length === 0) continue
          assert.equal(slot.open, whole, `evening ${seed}, ${size} at ${slot.time}`)
          if (slot.open) continue
          counts.short++
          const asked = { date: slot.date, time: slot.time, partySize: size }
          const checked = await api(
            `/availability/check?date=${slot.date}&time=${slot.time}&partySize=${size}`,
          )
          assert.deepEqual([checked.body.ok, checked.body.reason], [false, 'tables-full'])
          const held = await act((work) =>
            placeHold(work, {
              ...when,
              id: newHoldId(randomBytes),
              partySize: size,
              by: { holder: keyAsHolder(2) },
            }),
          )
          assert.equal(held.kind, 'refused')
          // A key tries twenty in a minute.
          if (counts.short % 10 > 0) continue
          const { status, body: answer } = await service.call('POST', '/api/v1/reservations', {
            key: venue.key,
            body: { guestName: 'Ada', ...asked },
          })
          assert.deepEqual([status, answer.reason], [409, 'tables-full'])
        }
      }
    }
    const { slots, short, changes } = counts
    assert.ok(slots >= 500 && short > 40 && changes > 20, JSON.stringify(counts))
  })

  /** What staff would be offered for a while, and whether there is a table for the whole stay. `own`: the booking that asks to come there, and keeps its place meanwhile. */
  const staysAt = (when: ReturnType<typeof scene.book.when>, partySize: number, own?: number) =>
    act(async (work) => {
      const rules = await bookingRulesAround(work.db, work.venue, when.date)
      const asking = own === undefined ? undefined : { reservation: own, staying: true }
      const { floor } = await readDay(work, rules, resolveService(rules, when), asking)
      const wanted = { ...when, partySize } as const
      return {
        short: shortStays(floor as FloorDay, { ...wanted, door: 'staff' }),
        whole: seat(floor as FloorDay, { ...wanted, door: 'online' }).seated,
      }
    })

  /** Whether a booking could only come there for a while; then its guest and software are refused it. */
  const isRefusedChange = async (
    id: number,
    when: ReturnType<typeof scene.book.when>,
    partySize: number,
    byKey: boolean,
  ): Promise<boolean> => {
    const { short, whole } = await staysAt(when, partySize, id)
    const row = await scene.book.row(id)
    // Who comes at the time they have, no more than they were, keep their table.
    const isThere = row.time === when.time && row.date === when.date && partySize <= (row.party_size ?? 0)
    if (short.length === 0 || whole || isThere) return false
    const byLink = act(async (work) => {
      const { settings } = await guestSettingsOf(work.db, work.venue.id)
      return changeByGuest(work, settings, { id, when, partySize, country: 'US', networks: [] })
    })
    await assert.rejects(byLink, (error) => error instanceof Refusal && error.reason === 'tables-full')
    if (!byKey) return true
    const { status, body } = await service.call('PATCH', `/api/v1/reservations/${id}`, {
      ...{ key: scene.book.venue.key, headers: { 'if-match': '*' } },
      body: { date: when.date, time: when.time, partySize },
    })
    assert.deepEqual([status, body.reason], [409, 'tables-full'])
    return true
  }
})
