import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { actAt } from '../../../test/act.ts'
import { type GuestPageAnswer, guestAt, hiddenFieldsOn } from '../../../test/guest.ts'
import { startMailing } from '../../../test/mailing.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../../test/service.ts'

export type Browser = {
  readonly get: (at: string) => Promise<GuestPageAnswer>
  readonly post: (at: string, form: Record<string, string>) => Promise<GuestPageAnswer>
}

/** A venue whose tables guests book on its page: a new one for each test, which takes ten guests at a time. */
export const bookingTables = () => {
  const { service, relay, mails, begin } = startMailing()
  const scene = {} as { venue: TestVenue }
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    scene.venue = await service.venue({ phone: '+1 212 555 0100' })
    await rules({ pacing: { intervalMinutes: 15, maxCovers: 10 } })
  })

  const rules = (more: object = {}) => setRules(service, scene.venue, everyEvening({ maxParty: 10, ...more }))
  const path = () => `/v/${scene.venue.slug}/book`
  /** A browser with an address of its own. */
  const browser = (address = '203.0.113.5'): Browser => ({
    get: (at) => guestAt(service, at, { headers: { 'x-forwarded-for': address } }),
    post: (at, form) => guestAt(service, at, { form, headers: { 'x-forwarded-for': address } }),
  })
  const choose = async (guest: Browser, slot: string, size = '2', more: Record<string, string> = {}) => {
    const held = await guest.post(path(), { size, slot, ...more })
    assert.equal(held.status, 303)
    return held.headers.get('location') ?? ''
  }
  const detailsOf = async (guest: Browser, at: string) => {
    const { text } = await guest.get(at)
    const hidden = hiddenFieldsOn(text, ['token', 'size', 'day', 'time', 'hold'])
    return { ...hidden, name: 'Maya Okafor', email: 'maya@example.com' } as Record<string, string>
  }
  const book = async (slot = '2026-10-06 19:00', size = '2', guest = browser()) =>
    guest.post(path(), await detailsOf(guest, await choose(guest, slot, size)))
  const linkOf = (answer: { headers: Headers }): string =>
    (answer.headers.get('location') ?? '').replace(/\?.*/, '')
  const post = (body: object) => service.call('POST', '/api/v1/reservations', { key: scene.venue.key, body })
  const listed = async () =>
    (await service.call('GET', '/api/v1/reservations?limit=100', { key: scene.venue.key })).body
  const told = async () =>
    (await rowsOf(service, `select name from event where venue_id = ${scene.venue.id} order by id`))
      .map(({ name }) => String(name))
      .filter((name) => name !== 'guest.created')
  const act = async (id: number, move: 'confirm' | 'cancel') => {
    await actAt(service, scene.venue, (work) =>
      moveReservation(work, staff('manager'), {
        ...{ id, move },
        ...(move === 'cancel' && { decidedBy: 'staff' as const }),
      }),
    )
    // A cancellation of staff is mailed when it can no longer be undone.
    if (move === 'cancel') service.setClock(service.context.clock().add({ seconds: 30 }).toString())
  }

  return Object.assign(scene, {
    ...{ service, relay, mails, rules, path, browser, choose },
    ...{ detailsOf, book, linkOf, post, listed, told, act },
  })
}
