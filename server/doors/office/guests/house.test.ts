import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { followed, idAt, make, wordsOf } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'

const evening = '2026-10-06T20:00:00Z' // 16:00 in New York

describe('what the house keeps for itself', () => {
  let service: TestService
  before(async () => {
    service = await startService()
    service.setClock(evening)
  })
  after(() => service.stop())

  const open = () => hostAtBook(service)
  const party = {
    date: '2026-10-06',
    time: '20:00',
    partySize: '2',
    guestName: 'Jack Carter',
    phone: '2125550187',
  }
  const book = async (
    host: Awaited<ReturnType<typeof open>>['host'],
    fields: Record<string, string> = {},
  ) => {
    const { to, status } = await make(host, '/office/bookings', { ...party, ...fields })
    assert.equal(status, 303)
    return /#b(\d+)/.exec(to ?? '')?.[1] ?? ''
  }
  /** The chips of a party's row on the service screen, as words. */
  const chipsOf = (html: string, name: string): string[] => {
    const row =
      new RegExp(`class="row-name[^>]*>(?:<span class="marks"(?:(?!row-name)[^])*?)?${name}<[^]*?</a`).exec(
        html,
      )?.[0] ?? ''
    return Array.from(
      row.matchAll(/class="badge[^>]*>([^]*?)<\/span\s*>(?=<span|<\/span|\s)/g),
      ([, words]) => (words as string).replaceAll(/<[^>]*>/g, '').trim(),
    )
  }

  it('an occasion and tags of a booking, VIP, birthday and tags of a guest are kept, shown in their order, and changed', async () => {
    const { host } = await open()
    const id = await book(host, { occasion: 'Anniversary', tags: 'Window, press' })
    const form = await host.get(`/office/bookings/${id}`)
    assert.match(form.html, /name="occasion"[^>]*value="Anniversary"/s)
    assert.match(form.html, /name="tags"[^>]*value="press, Window"/s)
    const guest = /\/office\/guests\/(\d+)"/.exec(form.html)?.[1] ?? ''
    const saved = await followed(
      host,
      await host.post(`/office/guests/${guest}/edit`, {
        version: '1',
        allergies: 'Tree nuts',
        vip: 'yes',
        birthday: 'April 12',
        tags: 'Wine list',
      }),
    )
    for (const words of ['VIP', 'Wine list', 'April 12']) assert.ok(wordsOf(saved).includes(words), words)
    const shown = await host.get('/office/service')
    assert.match(shown.words, /VIP\. Jack Carter , 2 guests/, 'in front of the name, which no row cuts')
    assert.deepEqual(chipsOf(shown.html, 'Jack Carter'), [
      'Allergies: Tree nuts',
      'Occasion: Anniversary',
      'First visit',
      'Window',
      'Wine list',
      'press',
    ])
    const version =
      /name="version" value="(\d+)"/.exec((await host.get(`/office/bookings/${id}`)).html)?.[1] ?? ''
    const same = { ...party, version, notes: '' }
    const changed = await followed(
      host,
      await host.post(`/office/bookings/${id}/edits`, { ...same, occasion: '', tags: 'Window' }),
    )
    assert.match(wordsOf(changed), /2 guests: saved\./, 'though nothing else was changed')
    assert.doesNotMatch((await host.get('/office/service')).html, /Anniversary/)
    const nothing = await followed(
      host,
      await host.post(`/office/bookings/${id}/edits`, { ...same, occasion: '', tags: 'window' }),
    )
    assert.ok(wordsOf(nothing).includes('Nothing was changed.'))
    const refused = await host.post(`/office/guests/${guest}/edit`, {
      version: '2',
      tags: '',
      birthday: 'April 31',
    })
    assert.equal(refused.status, 400)
    assert.match(refused.html, /value="April 31"/)
  })

  it('a big party is marked, and a guest’s own word about the occasion counts until staff say another', async () => {
    const { book: at, host } = await open()
    const id = await at.booking('Confirmed', { guestName: 'Grant Holloway', partySize: 7 })
    await at.query(
      `insert into guest_booking (venue_id, reservation_id, occasion) values ($1, $2, 'Birthday')`,
      [at.venue.id, id],
    )
    assert.deepEqual(chipsOf((await host.get('/office/service')).html, 'Grant Holloway'), [
      'Occasion: Birthday',
      'Big party',
    ])
    const { version } = await at.row(id)
    const fields = { ...party, guestName: 'Grant Holloway', phone: '', time: '19:00', partySize: '7' }
    await host.post(`/office/bookings/${id}/edits`, {
      ...fields,
      version: String(version),
      occasion: '',
      tags: '',
    })
    assert.deepEqual(chipsOf((await host.get('/office/service')).html, 'Grant Holloway'), ['Big party'])
  })

  it('a private note of a booking is shown to staff and changed or cleared in its form, and software never sees it', async () => {
    const { book: at, host } = await open()
    const id = await at.booking('Confirmed', { guestName: 'Grant Holloway' })
    await at.query(`insert into reservation_house (venue_id, id, note) values ($1, $2, 'Quiet table')`, [
      at.venue.id,
      id,
    ])
    assert.match((await host.get('/office/service')).html, /Quiet table/)
    assert.match((await host.get(`/office/bookings/${id}`)).html, /<textarea[^>]*name="privateNote"/)
    const save = async (privateNote: string) => {
      const { version } = await at.row(id)
      const fields = {
        ...party,
        guestName: 'Grant Holloway',
        phone: '',
        time: '19:00',
        occasion: '',
        tags: '',
      }
      await host.post(`/office/bookings/${id}/edits`, { ...fields, version: String(version), privateNote })
    }
    await save('Window, please')
    assert.match((await host.get('/office/service')).html, /Window, please/)
    const api = await service.call('GET', '/api/v1/reservations', { key: at.venue.key })
    assert.doesNotMatch(JSON.stringify(api.body), /Window/)
    await save('')
    assert.doesNotMatch((await host.get(`/office/bookings/${id}`)).html, /privateNote/)
  })

  it('goes with a guest when two are merged, and back when that is undone', async () => {
    const { book: at, host } = await open()
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, at.venue, 'manager')).email)
    const one = idAt(
      await make(host, '/office/guests', { name: 'Jack', email: 'j1@example.com', tags: 'Wine list' }),
    )
    const two = idAt(
      await make(host, '/office/guests', {
        ...{ name: 'Jack C', email: 'j2@example.com', tags: 'Neighbor, wine list' },
        ...{ vip: 'yes', birthday: 'April 12' },
      }),
    )
    const house = (id: string) =>
      at.query(
        `select coalesce(h.vip, false) as vip, h.birthday_month as month,
                array(select t.name from guest_house_tag x join house_tag t using (venue_id)
                       where t.id = x.tag_id and x.guest_id = g.id order by 1) as tags
           from guest g left join guest_house h on h.id = g.id where g.id = $1`,
        [id],
      )
    const { words } = await manager.get(`/office/guests/${one}/merge?with=${two}`)
    assert.match(
      words,
      /VIP – Yes Yes Birthday – April 12 April 12 Tags Wine list Neighbor, Wine list Wine list, Neighbor/,
    )
    const asked = { version: '1', other: two, otherVersion: '1' }
    const merged = await followed(manager, await manager.post(`/office/guests/${one}/merge`, asked))
    assert.deepEqual(await house(one), [{ vip: true, month: 4, tags: ['Neighbor', 'Wine list'] }])
    const undo = /action="([^"]+\/undo)"/.exec(merged.html)?.[1] ?? ''
    assert.equal((await manager.post(undo)).status, 303)
    assert.deepEqual(await house(one), [{ vip: false, month: null, tags: ['Wine list'] }])
    assert.deepEqual(await house(two), [{ vip: true, month: 4, tags: ['Neighbor', 'Wine list'] }])
  })

  it('stays with a booking that is given to another guest, and goes when it is deleted', async () => {
    const { book: at, host } = await open()
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, at.venue, 'manager')).email)
    const id = await book(host, { occasion: 'Engagement', tags: 'Press' })
    await host.post(`/office/bookings/${id}/guest`, { guest: 'new' })
    assert.deepEqual(chipsOf((await host.get('/office/service')).html, 'Jack Carter'), [
      'Occasion: Engagement',
      'First visit',
      'Press',
    ])
    await manager.post(`/office/bookings/${id}/delete`, { version: '1' })
    const left = await at.query(
      `select id from reservation_house where venue_id = $1
        union all select tag_id from reservation_house_tag where venue_id = $1`,
      [at.venue.id],
    )
    assert.deepEqual(left, [])
  })

  it('occasion, tag, VIP and mark are in no answer of the API, no event and no delivery', async () => {
    const { book: at, host } = await open()
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, at.venue, 'manager')).email)
    const { key } = at.venue
    const call = (method: string, path: string, body?: object) =>
      service.call(method, path, {
        key,
        ...(body && { body, headers: { 'idempotency-key': crypto.randomUUID() } }),
      })
    const hooked = await call('POST', '/api/v1/webhooks', {
      url: 'https://hook.example.com/',
      events: [...eventNames],
    })
    assert.equal(hooked.status, 201, hooked.text)
    const words = {
      occasion: 'Zanzibarday',
      seating: 'Narwhalnook',
      tags: 'Quokkafriend',
      vip: 'yes',
      birthday: 'April 12',
    }
    const id = await book(host, { ...words, email: 'jack@example.com' })
    const guest = /\/office\/guests\/(\d+)"/.exec((await host.get(`/office/bookings/${id}`)).html)?.[1] ?? ''
    await host.post(`/office/guests/${guest}/edit`, { version: '1', email: 'jack@example.com', ...words })
    for (const move of ['arrive', 'seat', 'complete', 'undoComplete', 'undoSeat', 'cancel'] as const)
      await at.act((work) =>
        moveReservation(work, staff('owner'), {
          id: Number(id),
          move,
          ...(move === 'cancel' && { decidedBy: 'guest' }),
        }),
      )
    const other = idAt(await make(host, '/office/guests', { name: 'J', email: 'j@example.com', ...words }))
    const versions = await at.query('select id, version from guest where venue_id = $1 order by id', [
      at.venue.id,
    ])
    const merged = await manager.post(`/office/guests/${guest}/merge`, {
      version: String(versions[0]?.version),
      other,
      otherVersion: String(versions[1]?.version),
    })
    assert.equal(merged.status, 303)
    const undo = /action="([^"]+\/undo)"/.exec((await followed(manager, merged)).html)?.[1] ?? ''
    await manager.post(undo)
    await host.post(`/office/bookings/${id}/guest`, { guest: 'new' })
    const secret =
      /[Zz]anzibarday|[Qq]uokkafriend|[Nn]arwhalnook|"vip"|"birthday"|"regular"|"lapsed"|"bigParty"/
    const asked: string[] = []
    for (const { method, path } of Object.values(endpoints) as readonly Endpoint[]) {
      if (method !== 'GET') continue
      for (const one of new Set([id, guest])) {
        const address = path.replace(/\{\w+\}/, one)
        for (const query of ['', '?email=jack@example.com', `?date=2026-10-06&partySize=2`]) {
          const { status, text } = await call('GET', `${address}${query}`)
          assert.doesNotMatch(text, secret, `${address}${query}`)
          if (status === 200) asked.push(path)
        }
      }
    }
    for (const path of [
      '/api/v1/guests',
      '/api/v1/reservations',
      '/api/v1/changes',
      '/api/v1/events',
      '/api/v1/guests/{id}',
    ])
      assert.ok(asked.includes(path), path)
    const answered = await call('POST', '/api/v1/guests', { email: 'jack@example.com', name: 'Jack' })
    assert.doesNotMatch(answered.text, secret)
    const told = await at.query('select name, data, previous from event where venue_id = $1', [at.venue.id])
    assert.ok(told.length >= 8, `${told.length} events`)
    assert.doesNotMatch(JSON.stringify(told), secret)
    const deliveries = await at.query('select to_jsonb(d) as is from delivery d where venue_id = $1', [
      at.venue.id,
    ])
    assert.ok(deliveries.length > 0)
    assert.doesNotMatch(JSON.stringify(deliveries), secret)
  })
})
