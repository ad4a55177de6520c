import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { moveEntry } from '../../../book/waitlist/actions.ts'
import { lookAtFreed } from '../../../book/waitlist/freed-job.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { actAt } from '../../act.ts'
import { everyEvening, setRules } from '../../open-rules.ts'
import { rowsOf } from '../../rows.ts'
import { type TestService, type TestVenue, startService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'
import { sidewaysScroll } from '../check-page.ts'
import { faultsOf, phone } from '../look-at-pages.ts'
import { withBrowser } from '../with-browser.ts'

const mostBytes = 30 * 1024

describe('a party at the door that puts itself in line', () => {
  let service: TestService
  let venue: TestVenue
  let browser: TestBrowser
  withBrowser(
    () => startService({ TRUST_PROXY: '1' }),
    async (opened) => {
      ;[service, browser] = opened
      venue = await service.venue({ slug: 'the-blue-door', phone: '+1 212 555 0100' })
      await setRules(service, venue, everyEvening({ maxParty: 8 }))
      await rowsOf(service, `update venue set postal_address = '214 West 10th Street' where id = ${venue.id}`)
    },
  )

  const page = () => '/v/the-blue-door/waitlist'
  /** Nobody fills in a form in no time. */
  const afterTyping = () => service.setClock(service.context.clock().add({ seconds: 20 }).toString())
  let networks = 0
  /** Each guest comes from a network of their own. */
  const visitor = (options: Parameters<TestBrowser['visitor']>[1] = {}) =>
    browser.visitor(service, {
      ...options,
      extraHTTPHeaders: { 'x-forwarded-for': `203.0.113.${++networks}` },
    })
  const joined = async (guest: Visitor, name: string): Promise<string> => {
    await guest.open(page())
    await guest.fill('Name', name)
    await guest.fill(/Phone/, '(212) 555-0147')
    afterTyping()
    await guest.press('Join the line')
    await guest.reads(/in line, |You’re next, /)
    return new URL(guest.page.url()).pathname
  }
  const move = async (name: string, to: 'page' | 'leave') => {
    const [row] = await rowsOf(service, `select id from waitlist_entry where guest_name = '${name}'`)
    await actAt(service, venue, (work) =>
      moveEntry(work, staff('host'), { id: Number(row?.['id']), move: to }),
    )
  }
  const follow = ({ page: at }: Visitor, name: string) => at.getByRole('link', { name }).click()
  /** What a phone does that is taken out of a pocket: the page looks at once. */
  const looksAgain = ({ page: at }: Visitor) =>
    at.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)

  it('joins, sees its place move up and its table become ready, and says it is on its way', async () => {
    service.setClock('2026-10-06T23:12:00Z')
    const [ada, maya] = [await visitor({ viewport: phone }), await visitor()]
    await joined(ada, 'Ada Byron')
    await joined(maya, 'Maya Okafor')
    await maya.reads('You’re number 2 in line, Maya')
    await maya.press('We’re on our way')
    await maya.reads('The host knows that you are on your way.')
    await move('Ada Byron', 'leave')
    await looksAgain(maya)
    await maya.reads('You’re next, Maya')
    service.setClock('2026-10-06T23:40:00Z')
    await looksAgain(maya)
    await maya.reads('This is taking longer than we said')
    await move('Maya Okafor', 'page')
    await looksAgain(maya)
    await maya.reads('Until 7:55')
    await follow(maya, 'We can’t make it')
    await maya.reads('Leave the line?')
    await maya.press('Yes, leave')
    await maya.reads('You’ve left the line')
  })

  it('works without script', async () => {
    service.setClock('2026-10-06T23:12:00Z')
    const guest = await visitor({ javaScriptEnabled: false })
    await joined(guest, 'Grace Hopper')
    await guest.press('We’re on our way')
    await guest.reads('The host knows that you are on your way.')
    assert.equal(await guest.page.locator('meta[http-equiv="refresh"]').count(), 1)
    await follow(guest, 'Leave the line')
    await guest.press('Yes, leave')
    await guest.reads('You’ve left the line')
  })

  it('waits for a full day, is offered a table that came free, and takes it', async () => {
    service.setClock('2026-10-06T19:00:00Z')
    const pacing = { intervalMinutes: 15, maxCovers: 2 }
    const periods = everyEvening().periods.map((period) => ({ ...period, seatings: ['19:00'] }))
    await setRules(service, venue, { maxParty: 8, periods, pacing })
    const body = { guestName: 'Grace', date: '2026-10-09', time: '19:00', partySize: 2 }
    const made = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    const guest = await visitor({ viewport: phone })
    const day = '/v/the-blue-door/book?size=2&date=2026-10-09'
    assert.deepEqual(await faultsOf(guest, [day, `${day}&lang=es`], { mostBytes }), [])
    await guest.open(day)
    await guest.fill('Name', 'Maya Okafor')
    await guest.fill('Email', 'maya@example.com')
    afterTyping()
    await guest.press('Join the list for Friday')
    await guest.reads('You’re on the list for Friday, October 9')
    const place = new URL(guest.page.url()).pathname
    assert.deepEqual(await faultsOf(guest, [place, `${place}?lang=es`], { mostBytes }), [])
    const { id } = made.body.reservation
    await actAt(service, venue, (work) => moveReservation(work, { kind: 'guest' }, { id, move: 'cancel' }))
    await guest.open(place)
    const looked = await lookAtFreed({ ...service.context, db: service.context.workerDb })
    assert.equal(looked.offers, 1)
    await looksAgain(guest)
    await guest.reads('A table opened up')
    assert.deepEqual(
      await faultsOf(guest, [`${place}?o`, `${place}?o&lang=es`, `${place}?do=leave`], { mostBytes }),
      [],
    )
    await guest.open(place)
    await guest.press('Take the table')
    await guest.reads('See you Friday, Maya')
    await setRules(service, venue, everyEvening({ maxParty: 8 }))
  })

  it('each page is accessible in light and dark, light, and fits into 320 px', async () => {
    service.setClock('2026-10-06T23:12:00Z')
    const guest = await visitor()
    const place = await joined(guest, 'Katherine Johnson')
    const other = await joined(guest, 'Dorothy Vaughan')
    await move('Dorothy Vaughan', 'page')
    const pages = [
      page(),
      `${page()}?lang=es&size=4`,
      place,
      `${place}?lang=es`,
      `${place}?do=leave`,
      other,
      `${other}?lang=es`,
    ]
    assert.deepEqual(await faultsOf(guest, pages, { mostBytes }), [])
    const narrow = await visitor({ viewport: { width: 320, height: 800 } })
    for (const path of pages) {
      await narrow.open(path)
      assert.deepEqual(await sidewaysScroll(narrow.page), [], path)
    }
    service.setClock('2026-10-06T19:00:00Z')
    assert.deepEqual(await faultsOf(guest, [page()], { mostBytes }), [])
  })
})
