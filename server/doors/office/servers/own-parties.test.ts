import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type TestBook, dinner, staff } from '../../../book/reservations/test/book.ts'
import { lineUpOf } from '../../../book/servers/test/line-up.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { followed, hiddenIn, make, wordsOf } from '../../../test/office-forms.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { officePages } from '../frame/pages.ts'

const own = '/office/parties'
const evening = '2026-10-06T23:00:00Z' // Tuesday, 19:00 in New York

describe('an account of the role server', () => {
  let service: TestService
  let book: TestBook
  let ann: OfficeVisitor
  let annId: number
  let host: OfficeVisitor
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  /** Ann serves tables 1 and 2 from 17:00 to 23:00, Bo 3 and 4; only Ann has an account. */
  const open = async () => {
    service.setClock(evening)
    const tables = ['1', '2', '3', '4'].map((label) => ({ label, most: 4 }))
    ;({ book, host } = await hostAtBook(service, dinner(tablesOf(tables))))
    await turnTablesOn(service, book.venue)
    const account = await staffOf(service, book.venue, 'server')
    annId = account.id
    await lineUpOf(book, [
      { name: 'Ann Lee', tables: '1 2', account: account.id },
      { name: 'Bo Park', tables: '3 4' },
    ])
    ann = visitOffice(service)
    await ann.signIn(account.email)
  }
  const seated = async (label: string, guestName: string, more: object = {}) => {
    const id = await book.booking('Confirmed', { guestName, time: '19:00', partySize: 2, ...more })
    const [table] = await book.query('select id from dining_table where venue_id = $1 and label = $2', [
      book.venue.id,
      label,
    ])
    const outcome = await book.act((work) =>
      moveReservation(work, staff('host'), { id, move: 'seat', tables: [Number(table?.id)] }),
    )
    assert.equal(outcome.kind, 'done')
    return id
  }
  const sets = (id: number, stage: string, version: string, who = ann) =>
    who.post(`${own}/${id}`, { stage, version })
  const versionOf = async (id: number) =>
    String(
      (
        await book.query('select version from reservation where venue_id = $1 and id = $2', [
          book.venue.id,
          id,
        ])
      )[0]?.version,
    )

  it('is kept out of every page and form of the office but its own and those of signing in', async () => {
    await open()
    const atTheDoor =
      /^\/(?:office|operator)?\/?$|^\/office\/(?:sign-in|sign-out|invitations\/|new-password\/|account\/name$|manifest\.webmanifest)/
    const answered: string[] = []
    let refused = 0
    for (const { method, path, role } of officePages(service.context)) {
      if (path === '/office/sign-out') continue
      const address = path.replaceAll(/:\w+/g, '1')
      const seen = await (method === 'GET' ? ann.get(address) : ann.post(address))
      if (seen.status === 403 && role !== 'server') refused += 1
      else if (!atTheDoor.test(path)) answered.push(`${method} ${path}`)
    }
    // An address of no app is answered to anybody, with a page that shows nothing of a venue.
    assert.deepEqual(answered, [`GET ${own}`, `POST ${own}/:id`, 'GET /oauth/authorize'])
    assert.ok(refused > 200, String(refused))
  })

  it('sees whom it serves, with what to know at the table and nothing more', async () => {
    await open()
    await seated('1', 'Howard', {
      phone: '+1 212 555 0143',
      email: 'howard@example.com',
      notes: 'A quiet corner',
    })
    await seated('3', 'Winnie', { email: null, phone: null })
    const venue = book.venue.id
    await book.query(
      `update guest set allergies = 'Peanuts', staff_notes = 'Tips badly', visit_count = 29 where venue_id = $1`,
      [venue],
    )
    await book.query(
      `insert into guest_house (venue_id, id, vip) select venue_id, id, true from guest where venue_id = $1`,
      [venue],
    )
    await book.query(
      `insert into reservation_house (venue_id, id, occasion, note)
       select venue_id, id, 'Anniversary', 'Ask about the bill' from reservation where venue_id = $1 and guest_name = 'Howard'`,
      [venue],
    )
    assert.equal((await ann.get('/office')).to, own)
    const { html, words } = await ann.get(own)
    for (const shown of [
      /\b1\b/,
      /Howard/,
      /2 guests/,
      /Peanuts/,
      /A quiet corner/,
      /VIP/,
      /Anniversary/,
      /Seated/,
    ])
      assert.match(words, shown)
    // Not in what names a version of a file or of the page: any two digits may be there.
    assert.doesNotMatch(
      html.replaceAll(/\b(?:v|seen)=[\w-]+/g, ''),
      /Winnie|0143|howard@|Tips badly|29|the bill|type="search"|bookings\/new|walk-in/,
    )
    assert.equal((await ann.get(own, { 'hx-request': 'true' })).status, 200)
    const seen = /seen=([\w-]+)/.exec(html)?.[1]
    assert.equal((await ann.get(`${own}?seen=${seen}`, { 'hx-request': 'true' })).status, 204)
  })

  it('says how far its parties are, with a way back, and nobody is told', async () => {
    await open()
    const id = await seated('1', 'Howard')
    const other = await seated('3', 'Winnie')
    const events = () => book.query('select id from event where venue_id = $1', [book.venue.id])
    const before = (await events()).length
    const pressed = await followed(ann, await sets(id, 'Ordered', hiddenIn(await ann.get(own), 'version')))
    assert.match(pressed.words, /Howard: ordered\..*Undo/)
    assert.match(pressed.html, /value="Starters">Serve starters/)
    const version = await versionOf(id)
    const back = await ann.post(`${own}/${id}`, { stage: 'Seated', version, undone: 'yes' })
    assert.match((await followed(ann, back)).words, /Howard: seated\./)
    assert.equal((await events()).length, before)

    const refused = await sets(other, 'Ordered', await versionOf(other))
    assert.deepEqual([refused.status, /not yours/.test(refused.words)], [403, true])
    await book.act((work) => moveReservation(work, staff('host'), { id: other, move: 'complete' }))
    const gone = await followed(ann, await sets(other, 'Ordered', await versionOf(other)))
    assert.match(gone.words, /This party has left\./, 'nobody is shown a page without a way on')
    const old = await followed(ann, await sets(id, 'Mains', '1'))
    assert.match(old.words, /The booking of Howard has changed/)
    assert.equal((await sets(id, 'Arrived', await versionOf(id))).status, 400)
  })

  it('is signed out two hours after its shift, and may sign in again without seeing anybody', async () => {
    await open()
    await seated('1', 'Howard')
    const shown = async () => (await ann.get(own)).words
    service.setClock('2026-10-07T04:59:00Z') // 00:59, the shift was until 23:00
    assert.match(await shown(), /Howard/)
    service.setClock('2026-10-07T05:00:00Z')
    assert.equal((await ann.get(own)).to, '/office/sign-in?next=%2Foffice%2Fparties')
    assert.equal((await host.get('/office/service')).status, 200)
    const rows = await book.query('select 1 from session where staff_id = $1', [annId])
    assert.equal(rows.length, 0)
    service.setClock('2026-10-07T05:01:00Z')
    await ann.signIn(`server@${book.venue.slug}.example.com`)
    assert.match(await shown(), /You’re not on the line-up right now/)
    service.setClock('2026-10-07T07:00:00Z')
    assert.match(await shown(), /You’re not on the line-up right now/)
    service.setClock('2026-10-07T07:01:00Z')
    assert.equal(
      (await ann.get(own)).to,
      '/office/sign-in?next=%2Foffice%2Fparties',
      'two hours after signing in',
    )
  })

  it('is made on the page of people, and of another account by its role', async () => {
    await open()
    const owner = visitOffice(service)
    await owner.signIn((await staffOf(service, book.venue, 'owner')).email)
    const password = 'correct horse battery'
    const invited = await make(owner, '/office/people/invitations', {
      email: 'cy@example.com',
      role: 'server',
      password,
    })
    assert.match(invited.words, /Invitation for cy@example\.com/)
    assert.match(wordsOf(await owner.get('/office/people')), /cy@example\.com.*server/)
    const moss = await staffOf(service, book.venue, 'host', 'moss@example.com')
    const changed = await owner.post(`/office/people/${moss.id}/role`, {
      was: 'host',
      role: 'server',
      password,
    })
    assert.match(
      (await followed(owner, changed)).words,
      /moss@example\.com is now a server and must sign in again/,
    )
  })
})
