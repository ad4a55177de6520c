import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { hiddenOn } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type Browser, bookingTables } from '../test/booking-tables.ts'

describe('a time that a guest has chosen', () => {
  const scene = bookingTables()
  const { service, rules, path, browser, choose, detailsOf, book, linkOf, post } = scene

  it('a hold of the last 2 refuses a request by API; 5 minutes later it gets through with the worker stopped', async () => {
    await post({ guestName: 'Ada', date: '2026-10-06', time: '19:00', partySize: 8 })
    await choose(browser(), '2026-10-06 19:00')
    const refused = await post({ guestName: 'Ben', date: '2026-10-06', time: '19:00', partySize: 2 })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'pacing-covers-full'])
    service.setClock('2026-10-06T19:05:00Z')
    // No worker ran here: the hold is still there, and counts no more.
    assert.equal(
      (await rowsOf(service, `select 1 as is from booking_hold where venue_id = ${scene.venue.id}`)).length,
      1,
    )
    assert.equal(
      (await post({ guestName: 'Ben', date: '2026-10-06', time: '19:00', partySize: 2 })).status,
      201,
    )
  })

  it('one’s own hold does not refuse oneself; beyond six holds a booking still works', async () => {
    assert.match(linkOf(await book('2026-10-06 19:00', '10')), /^\/r\//)
    const guest = browser('203.0.113.9')
    const slots = ['17:00', '17:30', '18:00', '18:30', '20:00', '20:30']
    for (const time of slots) assert.match(await choose(guest, `2026-10-06 ${time}`), /hold=/)
    const seventh = await choose(guest, '2026-10-06 21:00')
    assert.doesNotMatch(seventh, /hold=/)
    assert.match(linkOf(await guest.post(path(), await detailsOf(guest, seventh))), /^\/r\//)
  })

  it('sells one last table once, however many browsers ask, and what all others are offered can be booked', async () => {
    const [mostCovers, lastTable] = [40, '2026-10-06 19:00']
    await rules({ pacing: { intervalMinutes: 15, maxCovers: mostCovers } })
    for (const partySize of [10, 10, 10, 8])
      await post({ guestName: 'Ada', date: '2026-10-06', time: '19:00', partySize })
    const form = { size: '2', name: 'Maya', email: 'maya@example.com' }
    const slotIn = (slot: string) => ({ day: slot.slice(0, 10), time: slot.slice(11) })
    const offeredIn = (text: string) =>
      [...text.matchAll(/name="slot" value="([^"]+)"/g)].map(([, one = '']) => one)
    type Waiting = { readonly guest: Browser; readonly slot: string; readonly hold: string }
    /** As a browser does when asked to try again shortly: sends the same form until the answer changes. */
    const sent = (guest: Browser, more: Record<string, string>) => {
      const token = crypto.randomUUID()
      return eventually(async () => {
        const answer = await guest.post(path(), { ...form, ...more, token })
        return answer.status !== 503 && answer
      })
    }
    const press = async ({ guest, slot, hold }: Waiting) => ({
      guest,
      slot,
      hold,
      answer: await sent(guest, { ...slotIn(slot), hold }),
    })
    const covers = async () =>
      new Map(
        (
          await rowsOf(
            service,
            `select to_char(date, 'YYYY-MM-DD ') || to_char(time, 'HH24:MI') as slot, sum(party_size)::int as covers
               from reservation where venue_id = ${scene.venue.id} group by 1`,
          )
        ).map(({ slot, covers: sum }) => [String(slot), Number(sum)]),
      )
    let waiting: readonly Waiting[] = Array.from({ length: 200 }, (_, n) => ({
      guest: browser(`198.51.0.${n + 1}`),
      slot: lastTable,
      hold: '',
    }))
    const sold: number[] = []
    while (waiting.length > 0) {
      const pressed = await Promise.all(waiting.map(press))
      const kinds = new Set(pressed.map(({ answer }) => answer.status))
      assert.deepEqual(
        [...kinds].filter((one) => one !== 303 && one !== 409),
        [],
        'sold or refused, nothing else',
      )
      const refused = pressed.filter(({ answer }) => answer.status !== 303)
      sold.push(pressed.length - refused.length)
      assert.ok((sold.at(-1) ?? 0) > 0, `nothing that was offered could be booked: ${sold.join()}`)
      const full = await covers()
      // The next round: each takes one of the times offered, whose form comes back filled and is held if it still can be.
      waiting = await Promise.all(
        refused.map(async ({ guest, slot, hold, answer: { status, text } }, n) => {
          assert.equal(status, 409, text)
          assert.match(text, /can no longer be booked[\s\S]*Nothing was booked/)
          assert.match(text, /name="email" value="maya@example.com"/)
          assert.equal(hold, '', `${slot} was held and refused`)
          assert.equal(full.get(slot), mostCovers, `${slot} was offered and refused, and is not full`)
          const offered = offeredIn(text)
          assert.equal(offered.length, 3)
          const next = offered[n % 3] ?? ''
          const again = await sent(guest, { do: 'again', slot: next })
          assert.equal(again.status, 200)
          assert.match(again.text, /value="Maya"/)
          return { guest, slot: next, hold: hiddenOn(again.text, 'hold') }
        }),
      )
    }
    assert.equal(sold[0], 1, 'the last table is sold once')
    assert.equal(
      sold.reduce((sum, one) => sum + one),
      200,
      'everybody has a table in the end',
    )
    for (const [slot, sum] of await covers()) assert.ok(sum <= mostCovers, `${slot}: ${sum}`)
  })

  it('a time that went to somebody else between the page and the press comes back with a sentence', async () => {
    const guest = browser()
    await guest.get(`${path()}?size=2&date=2026-10-06`)
    await post({ guestName: 'Ada', date: '2026-10-06', time: '19:00', partySize: 10 })
    const back = await choose(guest, '2026-10-06 19:00')
    const { text } = await guest.get(back)
    assert.match(text, /role="alert"[^>]*>\s*<h2>7:00\sPM can no longer be booked/)
    assert.match(text, /Time on Tuesday, October 6/)
    for (const made of ['<b>', '99:99'])
      assert.doesNotMatch(
        (await guest.get(`${path()}?date=2026-10-06&taken=${encodeURIComponent(made)}`)).text,
        /can no longer be booked|<b>99|<h2><b>/,
      )
  })

  it('another time gives up the one that is held, which is open to its guest meanwhile', async () => {
    const holds = () => rowsOf(service, `select id from booking_hold where venue_id = ${scene.venue.id}`)
    const guest = browser()
    const { text } = await guest.get(await choose(guest, '2026-10-09 19:00', '10'))
    const [, back = ''] = /<a class="cell" href="([^"]*hold=[^"]*)"/.exec(text) ?? []
    const times = await guest.get(back.replaceAll('&amp;', '&'))
    assert.match(times.text, /name="slot" value="2026-10-09 19:00"/)
    const [before] = await holds()
    assert.equal(hiddenOn(times.text, 'hold'), before?.['id'])
    await choose(guest, '2026-10-09 20:00', '10', { hold: hiddenOn(times.text, 'hold') })
    const after = await holds()
    assert.equal(after.length, 1)
    assert.notEqual(after[0]?.['id'], before?.['id'])
  })
})
