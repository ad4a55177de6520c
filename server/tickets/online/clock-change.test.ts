import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actAt } from '../../test/act.ts'
import { guestAt } from '../../test/guest.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { owner, sellingOnline } from '../../test/selling-online.ts'
import { orderLink, ownOrder } from '../admission/own-order.ts'
import { editEvent } from '../events.ts'

/** In New York the clocks go back on November 1, 2026, at two in the morning, so one to two is passed twice. */
describe('tickets for the night on which the clocks change', () => {
  const scene = sellingOnline()
  const { newDate, ask, made, opened, pay, row, sessionOf, sweep } = scene
  const at = (moment: string) => scene.service.setClock(moment)
  const rows = (text: string) => rowsOf(scene.service, text, [scene.venue.id])
  const eventPage = () => `/v/${scene.venue.slug}/tickets/${scene.event}?date=${scene.date}&seats=2`
  const officeOf = async (role: 'host' | 'manager') => {
    const visitor = visitOffice(scene.service)
    await visitor.signIn((await staffOf(scene.service, scene.venue, role)).email)
    return visitor
  }
  const sell = async () => {
    const id = await opened()
    await scene.stripe.pay(await sessionOf(id))
    await sweep()
    assert.equal((await row(id)).state, 'completed')
  }
  const orderPage = async () => {
    const [order] = await rows('select id from ticket_order where venue_id = $1 order by id desc')
    const own = await ownOrder(scene.service.db, scene.venue.id, Number(order?.['id']))
    assert.ok(own)
    return orderLink(scene.service.context, scene.venue.id, own).replace(
      scene.service.context.config.publicUrl,
      '',
    )
  }
  const letReturn = async (returnHours: number) => {
    const [event] = await rows('select version from ticketed_event where venue_id = $1')
    await actAt(scene.service, scene.venue, (work) =>
      editEvent(work, owner, {
        ...{ id: scene.event, seenVersion: Number(event?.['version']), name: 'Wine dinner', text: null },
        ...{ orderMost: null, returnHours, returnKeepsFee: false },
      }),
    )
  }

  it('are on sale until the hour in the form is reached first, and not a second time when the hour comes again', async () => {
    scene.date = await newDate({
      ...{ date: '2026-11-01', onlineFrom: '2026-10-31T23:30', onlineUntil: '2026-11-01T01:30' },
    })
    const { body } = await scene.service.call('GET', '/api/v1/occurrences?from=2026-11-01', {
      key: scene.venue.key,
    })
    const shown = JSON.stringify(body)
    assert.match(shown, /"onlineFrom":"2026-11-01T03:30:00\.000Z"/)
    assert.match(shown, /"onlineUntil":"2026-11-01T05:30:00\.000Z"/)
    const form = await (await officeOf('manager')).get(`/office/tickets/dates/${scene.date}/edit`)
    assert.match(form.html, /value="2026-10-31T23:30"[^]*value="2026-11-01T01:30"/)
    for (const [moment, isSold] of [
      ['2026-11-01T03:29:00Z', false],
      ['2026-11-01T03:30:00Z', true],
      ['2026-11-01T05:29:00Z', true],
      // Half past one, and a quarter past one once more.
      ['2026-11-01T05:30:00Z', false],
      ['2026-11-01T06:15:00Z', false],
    ] as const) {
      at(moment)
      const { status, text } = await guestAt(scene.service, eventPage())
      assert.equal(status, isSold ? 200 : 404, moment)
      assert.equal(text.includes('name="total"'), isSold, moment)
      assert.equal((await ask()).kind, isSold ? 'checkout' : 'refused', moment)
    }
  })

  it('that begin in the hour that is passed twice are sold until it is passed first, as page, ticket and calendar file say', async () => {
    scene.date = await newDate({ date: '2026-11-01', startTime: '01:30' })
    at('2026-11-01T05:20:00Z')
    assert.match((await guestAt(scene.service, eventPage())).text, /"startDate":"2026-11-01T01:30:00-04:00"/)
    await sell()
    const mine = await orderPage()
    assert.match((await guestAt(scene.service, mine)).text, /1:30 AM/)
    assert.match((await guestAt(scene.service, `${mine}/event.ics`)).text, /DTSTART:20261101T053000Z\r\n/)
    at('2026-11-01T05:30:00Z')
    assert.equal((await ask()).kind, 'refused')
    at('2026-11-01T06:29:00Z')
    assert.equal((await ask()).kind, 'refused')
  })

  it('are held for a guest who pays as many minutes as on any night, though the wall says an earlier time after it', async () => {
    scene.date = await newDate({ date: '2026-11-01', capacity: 2 })
    at('2026-11-01T05:40:00Z')
    const id = await made()
    assert.equal((await pay(id)).status, 303)
    const { ends_at: ends, counts_until: counts } = await row(id)
    assert.deepEqual([ends, counts], ['2026-11-01T06:11:00.000Z', '2026-11-01T06:13:00.000Z'])
    const session = [...scene.stripe.sessions.values()].at(-1)
    assert.equal(session?.expires_at, Date.parse('2026-11-01T06:11:00Z') / 1_000)
    const said = (await (await officeOf('manager')).get('/office/payments')).words
    assert.match(said, /2 seats being paid until 1:13 AM/)
    at('2026-11-01T06:12:00Z')
    assert.equal((await ask()).kind, 'refused')
    at('2026-11-01T06:14:00Z')
    assert.equal((await ask()).kind, 'checkout')
  })

  it('can be returned until as many hours before as pass, and the page says that moment', async () => {
    await letReturn(24)
    scene.date = await newDate({ date: '2026-11-01' })
    await sell()
    const mine = await orderPage()
    at('2026-10-31T23:59:00Z')
    const { text } = await guestAt(scene.service, mine)
    // Twenty-four hours that pass, of which one is passed twice.
    assert.match(text, /Until 8:00 PM on Saturday, October 31 you can return seats here/)
    assert.match((await guestAt(scene.service, `${mine}?return=1`)).text, /\$45\.00 goes back to your card/)
    at('2026-11-01T00:00:00Z')
    assert.doesNotMatch((await guestAt(scene.service, mine)).text, /Return seats/)
  })

  it('let one person in, and the door says since when in the hour that is passed twice', async () => {
    scene.date = await newDate({ date: '2026-10-31', startTime: '23:00' })
    await sell()
    const [ticket] = await rows('select code from ticket where venue_id = $1 order by number')
    const door = `/office/tickets/door/${scene.date}`
    at('2026-11-01T05:40:00Z')
    const host = await officeOf('host')
    assert.match((await host.get('/office/tickets/door')).words, /Wine dinner/)
    const scan = async () => (await host.post(door, { typed: String(ticket?.['code']), door: '' })).words
    assert.match(await scan(), /In/)
    at('2026-11-01T06:20:00Z')
    const again = await scan()
    assert.match(again, /Already in/)
    assert.match(again, /1:40 AM/)
    const [{ in_at: inAt } = {}] = await rows(
      'select in_at from ticket where venue_id = $1 and in_at is not null',
    )
    assert.equal(new Date(String(inAt)).toISOString(), '2026-11-01T05:40:00.000Z')
  })
})

/** There they go forward on March 14, 2027, at two in the morning, so two to three is never passed. */
describe('tickets for the night that has an hour less', () => {
  const scene = sellingOnline()
  const { newDate, ask, opened, row, sessionOf, sweep } = scene

  it('begin at the moment that page, ticket, calendar file and the end of the sale have, also where the hour is passed over', async () => {
    const { service, venue, stripe } = scene
    for (const [startTime, begins] of [
      ['01:30', '2027-03-14T06:30:00Z'],
      // The clock never shows it: it is past half past two from three on.
      ['02:30', '2027-03-14T07:00:00Z'],
      ['03:30', '2027-03-14T07:30:00Z'],
    ] as const) {
      service.setClock('2027-03-13T18:00:00Z')
      scene.date = await newDate({ date: '2027-03-14', startTime })
      const page = `/v/${venue.slug}/tickets/${scene.event}?date=${scene.date}&seats=2`
      const starting = (await guestAt(service, page)).text.matchAll(/"startDate":"([^"]+)"/g)
      const moments = Array.from(starting, ([, one = '']) => Temporal.Instant.from(one).toString())
      assert.ok(moments.includes(begins), `${startTime}: ${moments.join(', ')}`)
      const id = await opened()
      await stripe.pay(await sessionOf(id))
      await sweep()
      const own = await ownOrder(service.db, venue.id, (await row(id)).order_id ?? 0)
      assert.ok(own)
      const mine = orderLink(service.context, venue.id, own).replace(service.context.config.publicUrl, '')
      const calendar = (await guestAt(service, `${mine}/event.ics`)).text
      const local = Temporal.Instant.from(begins).toZonedDateTimeISO('America/New_York').toPlainDateTime()
      const starts = local.toString().replaceAll(/[-:]/g, '')
      assert.ok(calendar.includes(`DTSTART;TZID=America/New_York:${starts}\r\n`), calendar)
      for (const [seconds, kind] of [
        [-60, 'checkout'],
        [0, 'refused'],
      ] as const) {
        service.setClock(Temporal.Instant.from(begins).add({ seconds }).toString())
        assert.equal((await ask()).kind, kind, `${startTime} ${seconds}`)
      }
    }
  })
})
