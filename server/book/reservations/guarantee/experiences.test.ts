import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { actAt } from '../../../test/act.ts'
import { factsOn, guestAt, hiddenFieldsOn, hiddenOn, slipOn } from '../../../test/guest.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { securingTables } from '../../../test/securing-tables.ts'
import { bookedReservation } from '../../day/book-row.ts'
import { readWhen } from '../../day/when.ts'
import { setChangesByApi } from '../../rules/changes-by-api.ts'
import { editReservation } from '../edits/edits.ts'
import { moveReservation } from '../moves.ts'
import { staff } from '../test/book.ts'

const counter = { key: 'counter', name: 'Chef’s counter' }
const tasting = {
  ...{ key: 'tasting', name: 'Tasting menu', asks: 'prepaid', amountCents: 9_500 },
  ...{ feeCents: 150, taxRate: 8_875 },
  texts: [
    { language: 'en', text: 'Nine courses, chosen by the kitchen.' },
    { language: 'de', name: 'Menü in neun Gängen', text: 'Neun Gänge aus der Küche.' },
  ],
}

describe('experiences', () => {
  const scene = securingTables()
  const door = () => `/v/${scene.venue.slug}/book`
  const offer = (...experiences: readonly object[]) =>
    setRules(scene.service, scene.venue, everyEvening({ experiences }))
  const connect = async () => {
    const { status, words } = await scene.office.post('/office/settings/payments', { key: scene.stripe.key })
    assert.equal(status, 303, words)
  }
  const pressSlot = async (slot = '2026-10-09 19:00', size = '2') => {
    const held = await guestAt(scene.service, door(), { form: { size, slot } })
    return held.headers.get('location') ?? ''
  }
  const open = async (path: string, lang = 'en') =>
    (await guestAt(scene.service, path, { headers: { 'accept-language': lang } })).text
  const choose = (page: string, experience: string) =>
    guestAt(scene.service, door(), {
      form: {
        ...hiddenFieldsOn(page, ['size', 'day', 'time', 'hold']),
        ...{ do: 'choose', experience },
      },
    })
  const formOf = (page: string, more: Record<string, string> = {}): Record<string, string> => {
    const names = ['token', 'size', 'day', 'time', 'hold', 'experience', 'agreed']
    const there = names.filter((name) => page.includes(`name="${name}"`))
    return {
      ...hiddenFieldsOn(page, there),
      ...{ name: 'Maya Okafor', email: 'maya@example.com', ...more },
    }
  }
  const send = (page: string, more?: Record<string, string>) =>
    guestAt(scene.service, door(), { form: formOf(page, more) })
  const bookings = () =>
    scene.rows('select id, experience, booking_type, status from reservation where venue_id = $1 order by id')
  beforeEach(() => scene.service.setClock('2026-10-06T14:00:00Z'))

  it('one that asks nothing is booked without a question: its name is the booking’s type, and its words stand at the details', async () => {
    await offer({ ...counter, texts: [{ language: 'en', text: 'At the pass, with the chefs.' }] })
    const page = await open(await pressSlot())
    assert.doesNotMatch(page, /type="radio"/)
    assert.match(page, /Chef’s counter[\s\S]*At the pass, with the chefs\./)
    assert.deepEqual(await scene.rows('select experience from booking_hold where venue_id = $1'), [
      { experience: 'counter' },
    ])
    const booked = await send(page)
    assert.equal(booked.status, 303, booked.text)
    const [row] = await bookings()
    assert.deepEqual([row?.['experience'], row?.['booking_type']], ['counter', 'Chef’s counter'])
    const { body } = await scene.service.call('GET', '/api/v1/reservations', { key: scene.venue.key })
    assert.equal(body[0].bookingType, 'Chef’s counter')
    assert.equal('experience' in body[0], false)
  })

  it('of several the guest chooses one, each with its words in their language and its price, without a script', async () => {
    await connect()
    await offer(counter, tasting)
    const page = await open(await pressSlot(), 'de')
    assert.match(page, /<h1>Was möchten Sie buchen\?<\/h1>/)
    assert.match(page, /Menü in neun Gängen[\s\S]*Neun Gänge aus der Küche\.[\s\S]*104,93/)
    assert.match(page, /type="radio" name="experience" value="counter" required/)
    const nothing = await choose(page, '')
    assert.deepEqual([nothing.status, /Choose one of these/.test(nothing.text)], [400, true])
    const chosen = await choose(page, 'counter')
    assert.equal(chosen.status, 303, chosen.text)
    const details = await open(chosen.headers.get('location') ?? '')
    assert.match(details, /Choose something else/)
    assert.equal((await send(details)).status, 303)
    assert.deepEqual(
      (await bookings()).map(({ experience }) => experience),
      ['counter'],
    )
  })

  it('a form that chose nothing books nothing where there is something to choose', async () => {
    await offer(counter, { key: 'dinner', name: 'À la carte' })
    const form = { size: '2', day: '2026-10-09', time: '19:00', name: 'Maya', email: 'maya@example.com' }
    for (const experience of ['', 'unknown']) {
      const answer = await guestAt(scene.service, door(), {
        form: { ...form, experience, token: crypto.randomUUID() },
      })
      assert.deepEqual([answer.status, /type="radio"/.test(answer.text)], [409, true], answer.text)
    }
    assert.deepEqual(await bookings(), [])
  })

  it('is offered on its days, in its services and to its sizes alone; elsewhere a table is booked as ever', async () => {
    await offer({
      ...counter,
      weekdays: [5],
      services: ['Dinner'],
      partyFrom: 2,
      partyTo: 4,
      to: '2026-10-31',
    })
    const booked = async (slot: string, size: string) => {
      await send(await open(await pressSlot(slot, size)), {
        email: `${slot.slice(0, 10)}.${size}@example.com`,
      })
      return (await bookings()).at(-1)?.['booking_type']
    }
    assert.equal(await booked('2026-10-09 19:00', '2'), 'Chef’s counter')
    assert.equal(await booked('2026-10-08 19:00', '2'), 'Dinner')
    assert.equal(await booked('2026-10-09 20:00', '5'), 'Dinner')
    assert.equal(await booked('2026-11-06 19:00', '2'), 'Dinner')
  })

  it('of any number of guests at once no more get one than may have it in an evening, holds counted', async () => {
    await offer({ ...counter, mostPerEvening: 5 }, { key: 'dinner', name: 'À la carte' })
    const form = { size: '1', day: '2026-10-09', time: '19:00', experience: 'counter', name: 'Maya' }
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        guestAt(scene.service, door(), {
          form: {
            ...{ ...form, email: `maya.${n}@example.com`, token: crypto.randomUUID() },
            ...(n % 4 === 0 && { do: 'choose' }),
          },
        }),
      ),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).filter((status) => ![200, 303, 409].includes(status)),
      [],
    )
    const [{ booked, held }] = (await scene.rows(`
      select (select count(*)::int from reservation where venue_id = $1 and experience = 'counter') as booked,
             (select count(*)::int from booking_hold where venue_id = $1 and experience = 'counter') as held`)) as [
      { booked: number; held: number },
    ]
    assert.equal(booked + held, 5, JSON.stringify({ booked, held }))
    const page = await open(await pressSlot('2026-10-09 21:00', '1'))
    assert.match(page, /value="counter" required disabled/)
  })

  it('who loses what they chose while they type chooses again, and types nothing again', async () => {
    await offer({ ...counter, mostPerEvening: 1 }, { key: 'dinner', name: 'À la carte' })
    const form = { size: '2', day: '2026-10-09', time: '19:00', experience: 'counter' }
    const first = { ...form, name: 'Ada', email: 'ada@example.com', token: crypto.randomUUID() }
    assert.equal((await guestAt(scene.service, door(), { form: first })).status, 303)
    const typed = {
      name: 'Maya Okafor',
      email: 'maya@example.com',
      note: 'A booth.',
      token: crypto.randomUUID(),
    }
    const gone = await guestAt(scene.service, door(), { form: { ...form, ...typed } })
    assert.equal(gone.status, 409)
    assert.match(gone.text, /What you chose is gone by now/)
    const kept = ['size', 'day', 'time', 'hold', 'token', 'name', 'email', 'note']
    const again = await guestAt(scene.service, door(), {
      form: {
        ...Object.fromEntries(
          kept.map((name) => [name, gone.text.includes(`name="${name}"`) ? hiddenOn(gone.text, name) : '']),
        ),
        ...{ do: 'choose', experience: 'dinner' },
      },
    })
    assert.equal(again.status, 200, again.text)
    assert.match(again.text, /value="Maya Okafor"/)
    assert.match(again.text, /A booth\./)
    assert.equal((await send(again.text, { email: 'maya@example.com' })).status, 303)
    assert.deepEqual(
      (await bookings()).map(({ experience }) => experience),
      ['counter', 'dinner'],
    )
  })

  it('where nothing that could be chosen is left, the time is not offered, also not as a table alone', async () => {
    await offer({ ...counter, mostPerEvening: 1, weekdays: [5] })
    await send(await open(await pressSlot()))
    const times = await open(`${door()}?size=2&date=2026-10-09`)
    assert.doesNotMatch(times, /name="slot" value="2026-10-09/)
    const form = { size: '2', day: '2026-10-09', time: '21:00', name: 'Ada', email: 'ada@example.com' }
    const answer = await guestAt(scene.service, door(), { form: { ...form, token: crypto.randomUUID() } })
    assert.equal(answer.status, 409)
    assert.equal((await bookings()).length, 1)
    assert.match(await open(`${door()}?size=2&date=2026-10-08`), /name="slot" value="2026-10-08/)
  })

  it('one that is paid in advance: the sum with fee and tax at the button, then a booking that is paid; cancelled in time it all goes back', async () => {
    const sum = [
      ['$95.00 a guest', '$190.00'],
      ['Fee', '$3.00'],
      ['Tax', '$16.86'],
      ['Total', '$209.86'],
    ]
    await connect()
    await offer(tasting)
    const choice = await open(await pressSlot())
    assert.match(choice, /Nine courses, chosen by the kitchen\.[\s\S]*\$104\.93 a guest/)
    const chosen = await choose(choice, 'tasting')
    const details = await open(chosen.headers.get('location') ?? '')
    assert.match(details, /Paid in advance/)
    assert.match(
      details,
      /You pay \$209\.86 in advance\. Cancel by 7:00 PM on Thursday, October 8 and it all goes back/,
    )
    assert.deepEqual(factsOn(details), sum)
    assert.match(details, /Pay \$209\.86/)
    const session = ((await send(details)).headers.get('location') ?? '').replace(/^.*\/pay\//, '')
    const goOn = await scene.goOn()
    assert.deepEqual(factsOn(goOn), sum)
    assert.deepEqual(slipOn(goOn), ['2', 'Fri, Oct 9', '7:00 PM'])
    const mine = await scene.payOn(session)
    const [row] = await bookings()
    assert.deepEqual([row?.['experience'], row?.['booking_type']], ['tasting', 'Tasting menu'])
    const guarantee = await scene.guarantee()
    assert.deepEqual(
      ['kind', 'status', 'amount_cents', 'paid_cents', 'fee_cents', 'tax_cents', 'experience'].map(
        (name) => guarantee[name],
      ),
      ['prepaid', 'paid', 20_986, 20_986, 300, 1_686, 'tasting'],
    )
    const { body } = await scene.service.call('GET', '/api/v1/reservations', { key: scene.venue.key })
    assert.deepEqual([body[0].guarantee.kind, body[0].guarantee.status], ['prepaid', 'paid'])
    assert.match(await open(mine), /Tasting menu/)
    assert.equal((await guestAt(scene.service, mine, { form: { do: 'cancel' } })).status, 303)
    await scene.refund()
    assert.equal((await scene.guarantee())['status'], 'refunded')
  })

  it('one whose tax is rounded once for the party: the choice names the sum that the button takes', async () => {
    await connect()
    await offer({ ...tasting, amountCents: 8_757, feeCents: 0, taxRate: 8_875 })
    const choice = await open(await pressSlot('2026-10-09 19:00', '3'))
    assert.match(choice, /Total: \$286\.03/)
    const details = await open((await choose(choice, 'tasting')).headers.get('location') ?? '')
    const [, total] = /Total: (\$[\d.]+)/.exec(choice) ?? []
    assert.ok(details.includes(`Pay ${total}`), details)
    assert.doesNotMatch(choice, /a guest/)
    const { body } = await scene.service.call('GET', '/api/v1/availability?date=2026-10-09&partySize=3', {
      key: scene.venue.key,
    })
    const asked = body.days[0].slots.find(({ time }: { time: string }) => time === '20:00').guarantee
    assert.deepEqual([asked.amountCents, asked.perGuestCents], [28_603, null])
  })

  it('a guest fewer takes their part of the price back, and another time nothing of it', async () => {
    await connect()
    await offer({ ...tasting, amountCents: 9_333, feeCents: 0 })
    const choice = await open(await pressSlot('2026-10-09 19:00', '3'))
    const details = await open((await choose(choice, 'tasting')).headers.get('location') ?? '')
    const mine = await scene.payOn(
      ((await send(details)).headers.get('location') ?? '').replace(/^.*\/pay\//, ''),
    )
    assert.equal((await scene.guarantee())['paid_cents'], 30_484)
    const amount = async () => (await scene.guarantee())['amount_cents']
    await scene.change(mine, '3', '2026-10-09 20:00')
    assert.equal(await amount(), 30_484)
    await scene.change(mine, '2', '2026-10-09 20:00')
    assert.equal(await amount(), 20_323)
  })

  it('another size costs the whole price of that size, however it came to it, with its fee and its tax', async () => {
    await connect()
    await offer({ ...tasting, amountCents: 8_550, feeCents: 200 })
    const choice = await open(await pressSlot())
    const details = await open((await choose(choice, 'tasting')).headers.get('location') ?? '')
    const paidOn = ({ headers }: { headers: Headers }) =>
      scene.payOn((headers.get('location') ?? '').replace(/^.*\/pay\//, ''))
    const mine = await paidOn(await send(details))
    const sums = async () => {
      const { amount_cents, fee_cents, tax_cents, paid_cents, refunded_cents } = await scene.guarantee()
      return [amount_cents, fee_cents, tax_cents, Number(paid_cents) - Number(refunded_cents)]
    }
    assert.deepEqual(await sums(), [19_018, 400, 1_518, 19_018])
    await actAt(scene.service, scene.venue, async (work) => {
      const id = await scene.bookingId()
      const { version = 0 } = (await bookedReservation(work.db, work.venue.id, id)) ?? {}
      const edit = { id, seenVersion: version, changes: { partySize: 4 }, confirmed: ['*'] as never }
      assert.equal((await editReservation(work, staff('host'), edit)).kind, 'done')
    })
    const asked = hiddenOn(await open(mine), 'asked')
    await paidOn(await guestAt(scene.service, mine, { form: { do: 'secure', asked } }))
    assert.deepEqual(await sums(), [38_035, 800, 3_035, 38_035])
    // What the venue asks by then is not what was agreed on.
    await offer({ ...tasting, amountCents: 9_900, feeCents: 300, taxRate: 5_000 })
    await scene.change(mine, '3', '2026-10-09 19:00')
    await scene.refund()
    assert.deepEqual(await sums(), [28_526, 600, 2_276, 28_526])
    await scene.change(mine, '2', '2026-10-09 19:00')
    await scene.refund()
    assert.deepEqual(await sums(), [19_018, 400, 1_518, 19_018])
    const file = await scene.office.get('/office/data/export/guarantees.csv')
    assert.match(file.html, /amountCents,feeCents,taxCents/)
    assert.match(file.html, /,19018,400,1518,/)
  })

  it('without an account one that asks is not offered, and a table alone is booked as ever', async () => {
    await offer(tasting)
    const page = await open(await pressSlot())
    assert.doesNotMatch(page, /Tasting menu/)
    assert.equal((await send(page)).status, 303)
    assert.deepEqual(
      (await bookings()).map(({ booking_type }) => booking_type),
      ['Dinner'],
    )
  })

  it('one that asks wins over the venue’s rows; with one that asks nothing those decide', async () => {
    await connect()
    const guarantees = [{ asks: 'card', amountCents: 2_500, per: 'guest', freeUntilHours: 24 }]
    const experiences = [
      counter,
      { key: 'wine', name: 'Wine evening', asks: 'deposit', amountCents: 4_000, per: 'party' },
    ]
    await setRules(scene.service, scene.venue, everyEvening({ guarantees, experiences }))
    const page = await open(await pressSlot())
    const asked = async (key: string) => open((await choose(page, key)).headers.get('location') ?? '')
    assert.match(await asked('counter'), /Card on file[\s\S]*\$25\.00 a guest/)
    assert.match(await asked('wine'), /You pay \$40\.00 in advance/)
  })

  it('what was agreed on is given though the venue offers it no more by then, and not once as many have it as may', async () => {
    await connect()
    await offer({ ...tasting, mostPerEvening: 1 })
    const toPay = async () => {
      const choice = await open(await pressSlot())
      const details = await open((await choose(choice, 'tasting')).headers.get('location') ?? '')
      return ((await send(details)).headers.get('location') ?? '').replace(/^.*\/pay\//, '')
    }
    const first = await toPay()
    await offer()
    await scene.payOn(first)
    assert.deepEqual(
      (await bookings()).map(({ booking_type }) => booking_type),
      ['Tasting menu'],
    )
    await offer({ ...tasting, mostPerEvening: 2 })
    const second = await toPay()
    await offer({ ...tasting, mostPerEvening: 1 })
    await scene.pay(second)
    assert.equal((await bookings()).length, 1)
    assert.equal(
      (await scene.rows(`select state from checkout where venue_id = $1 order by id desc limit 1`))[0]?.[
        'state'
      ],
      'refused',
    )
  })

  it('a booking that has one moves only where it is offered and left; staff are asked, and may', async () => {
    await offer({ ...counter, mostPerEvening: 1 }, { key: 'dinner', name: 'À la carte' })
    const booked = async (slot: string, email: string) => {
      const choice = await open(await pressSlot(slot))
      const details = await open((await choose(choice, 'counter')).headers.get('location') ?? '')
      return ((await send(details, { email })).headers.get('location') ?? '').replace(/\?.*/, '')
    }
    const mine = await booked('2026-10-08 19:00', 'maya@example.com')
    await booked('2026-10-09 19:00', 'ada@example.com')
    assert.equal((await scene.change(mine, '2', '2026-10-09 20:00')).status, 409)
    assert.equal((await scene.change(mine, '2', '2026-10-10 20:00')).status, 303)
    const id = Number((await bookings())[0]?.['id'])
    const edit = (confirmed: readonly 'experience-full'[] = []) =>
      actAt(scene.service, scene.venue, async (work) => {
        const row = await bookedReservation(work.db, work.venue.id, id)
        const when = readWhen(
          { date: '2026-10-09', time: '20:00', startsAt: undefined },
          work.venue.timezone,
          work.now(),
        )
        return editReservation(work, staff('host'), {
          id,
          seenVersion: row?.version ?? 0,
          changes: { when },
          confirmed,
        })
      })
    const asked = await edit()
    assert.deepEqual(
      'reasons' in asked && asked.reasons.map(({ reason, sentence, figure }) => [reason, sentence, figure]),
      [['experience-full', '“Chef’s counter” is for 1 party an evening.', '2 of 1']],
    )
    assert.equal((await edit(['experience-full'])).kind, 'done')
    assert.deepEqual((await bookings())[0]?.['booking_type'], 'Chef’s counter')
  })

  it('one that was cancelled comes back to an evening that is full only knowingly', async () => {
    await offer({ ...counter, mostPerEvening: 1 }, { key: 'dinner', name: 'À la carte' })
    const booked = async (email: string) => {
      const choice = await open(await pressSlot())
      const details = await open((await choose(choice, 'counter')).headers.get('location') ?? '')
      await send(details, { email })
    }
    await booked('maya@example.com')
    const id = await scene.bookingId()
    await scene.move('cancel', id, 'staff')
    await booked('ada@example.com')
    const restore = (confirmed: readonly 'experience-full'[] = []) =>
      actAt(scene.service, scene.venue, (work) =>
        moveReservation(work, staff('manager'), { id, move: 'undoCancel', confirmed }),
      )
    assert.equal((await restore()).kind, 'needs override')
    assert.equal((await restore(['experience-full'])).kind, 'done')
  })

  it('the API says of each open time what can be chosen and is left, and a request chooses nothing', async () => {
    await offer(
      { ...counter, mostPerEvening: 1, weekdays: [5] },
      { key: 'dinner', name: 'À la carte', partyTo: 4 },
      tasting,
    )
    const { key } = scene.venue
    const experiencesOn = async (date: string, partySize = 2) => {
      const { body, text, status } = await scene.service.call(
        'GET',
        `/api/v1/availability?date=${date}&partySize=${partySize}&show=all`,
        { key },
      )
      assert.equal(status, 200, text)
      return body.days[0].slots[0].experiences
    }
    const dinner = { key: 'dinner', name: 'À la carte' }
    // One that asks is not offered without an account.
    assert.deepEqual(await experiencesOn('2026-10-09'), [counter, dinner])
    assert.deepEqual(await experiencesOn('2026-10-08'), [dinner])
    assert.deepEqual(await experiencesOn('2026-10-09', 6), [counter])
    await connect()
    assert.deepEqual(await experiencesOn('2026-10-08'), [dinner, { key: 'tasting', name: 'Tasting menu' }])
    const page = await open(await pressSlot())
    await send(await open((await choose(page, 'counter')).headers.get('location') ?? ''))
    assert.deepEqual(await experiencesOn('2026-10-09', 6), [{ key: 'tasting', name: 'Tasting menu' }])
    const made = await scene.service.call('POST', '/api/v1/reservations', {
      key,
      body: { guestName: 'Ada', date: '2026-10-09', time: '19:00', partySize: 2, experience: 'counter' },
    })
    assert.deepEqual([made.status, made.body.reservation.bookingType], [201, 'Dinner'])
  })

  it('software moves a booking that has one only where it is offered and left', async () => {
    await offer({ ...counter, weekdays: [5] }, { key: 'dinner', name: 'À la carte' })
    const page = await open(await pressSlot())
    await send(await open((await choose(page, 'counter')).headers.get('location') ?? ''))
    await actAt(scene.service, scene.venue, (work) => setChangesByApi(work, { kind: 'service' }, 'direct'))
    const moved = async (body: object) => {
      const { body: list } = await scene.service.call('GET', '/api/v1/reservations', { key: scene.venue.key })
      return scene.service.call('PATCH', `/api/v1/reservations/${list[0].id}`, {
        key: scene.venue.key,
        headers: { 'if-match': `"${list[0].revision}"` },
        body,
      })
    }
    const refused = await moved({ date: '2026-10-10', time: '19:00' })
    assert.deepEqual(
      [refused.status, refused.body.reason, refused.body.error],
      [409, 'experience-full', '“Chef’s counter” is not offered at that time to a party of this size.'],
    )
    const other = await moved({ date: '2026-10-16', time: '19:00' })
    assert.equal(other.status < 300, true, other.text)
  })

  it('is not offered another time where it cannot be had, and nobody is asked to press for what the press refuses', async () => {
    await offer({ ...counter, weekdays: [4], mostPerEvening: 1 }, { key: 'dinner', name: 'À la carte' })
    const booked = async (slot: string, email: string) => {
      const details = await open(
        (await choose(await open(await pressSlot(slot)), 'counter')).headers.get('location') ?? '',
      )
      return ((await send(details, { email })).headers.get('location') ?? '').replace(/\?.*/, '')
    }
    const mine = await booked('2026-10-08 19:00', 'maya@example.com')
    await booked('2026-10-15 19:00', 'ada@example.com')
    const shown = async (date: string) =>
      (await guestAt(scene.service, `${mine}?do=change&size=2&date=${date}`)).text
    assert.match(await shown('2026-10-08'), /name="slot"/)
    assert.doesNotMatch(await shown('2026-10-09'), /name="slot"/, 'a Friday')
    const asked = (slot: string) => guestAt(scene.service, mine, { form: { do: 'ask', size: '2', slot } })
    for (const slot of ['2026-10-09 19:30', '2026-10-15 19:30']) {
      const { status, text } = await asked(slot)
      assert.equal(status, 409)
      assert.match(text, /7:30\sPM can no longer be booked/)
      assert.doesNotMatch(text, /<button[^>]*value="change"/)
      assert.ok(text.includes(`value="${slot.slice(0, 10)}"`), 'the day that was asked for')
    }
    const { status, text } = await asked('2026-10-22 19:30')
    assert.equal(status, 200, text.replaceAll(/<[^>]+>|\s+/g, ' '))
    assert.match(text, /<button[^>]*value="change"/)
  })

  it('a table without one does not move by its guest to where only something that asks can be chosen', async () => {
    await connect()
    await offer({ ...tasting, weekdays: [5] })
    const mine = await scene.book('2026-10-08 19:00')
    await scene.change(mine, '2', '2026-10-09 19:00')
    const [row] = await scene.rows('select date, experience from reservation where venue_id = $1')
    assert.deepEqual([String(row?.['date']).slice(0, 10), row?.['experience']], ['2026-10-08', null])
    const [change] = await scene.rows('select status from reservation_change where venue_id = $1')
    assert.equal(change?.['status'], 'pending')
  })
})
