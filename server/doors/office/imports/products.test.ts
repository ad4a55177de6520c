import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { chosenIn, importingOwner } from './test/importing-owner.ts'
import { productFiles } from './test/products.ts'

describe('a book from another product', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())

  /** Everything that is written of the venue's guests and bookings. */
  const written = async (venue: TestVenue) =>
    JSON.stringify(
      await rowsOf(
        service,
        `select to_jsonb(g) as it from guest g where venue_id = $1
          union all select to_jsonb(r) from reservation r where venue_id = $1
          union all select to_jsonb(h) from reservation_house h where venue_id = $1
          union all select to_jsonb(t) from house_tag t where venue_id = $1`,
        [venue.id],
      ),
    )
  const wordsIn = (text: string, begin: string) => new Set(text.match(new RegExp(`${begin}\\d`, 'g')))

  for (const { product, kind, text, asked } of productFiles) {
    it(`${product}, ${kind}: every word is on a guest or a booking or said not to be taken, and staff’s reach no software`, async () => {
      const { venue, owner, upload, bring } = await importingOwner(service)
      const { to } = await upload(kind, text)
      const preview = await owner.get(to ?? '')
      const open = [...preview.words.matchAll(/([^:.]+?), \d+ rows?: no place yet\./g)]
      assert.deepEqual(
        open.map(([, heading = '']) => heading.replace('Not taken', '').trim()),
        asked,
        preview.words,
      )
      assert.equal(/<button class="primary">Import/.test(preview.html), asked.length === 0)
      await owner.post(`${to}/cancel`)

      const { made, refused } = await bring(kind, text)
      assert.deepEqual([made, refused], [text.trim().split('\r\n').length - 1, 0])
      const all = await written(venue)
      for (const begin of ['Staffword', 'Askedword'])
        for (const word of wordsIn(text, begin)) assert.ok(all.includes(word), `${word} is kept`)
      const answers = await Promise.all(
        ['guests', 'reservations', 'changes'].map(async (list) =>
          JSON.stringify((await service.call('GET', `/api/v1/${list}`, { key: venue.key })).body),
        ),
      )
      const shown = answers.join('')
      assert.doesNotMatch(shown, /Staffword/)
      for (const word of wordsIn(text, 'Askedword')) assert.ok(shown.includes(word), `${word} is shown`)
      const events = await rowsOf(service, 'select data from event where venue_id = $1', [venue.id])
      assert.doesNotMatch(JSON.stringify(events), /Staffword/)
      if (kind === 'reservations') {
        const booked = answers[1] ?? ''
        assert.match(booked, /"date":"2026-10-20","time":"19:30"/)
        assert.match(booked, /"partySize":4/)
      } else {
        const [guest] = await rowsOf(
          service,
          `select g.name, g.visit_count, g.last_visit_date::text as last, h.birthday_month as month, h.birthday_day as day
             from guest g left join guest_house h on h.venue_id = g.venue_id and h.id = g.id where g.venue_id = $1`,
          [venue.id],
        )
        assert.deepEqual(guest, {
          name: 'Maya Okafor',
          visit_count: 12,
          last: '2026-10-02',
          month: 4,
          day: 12,
        })
      }
      const subscribed = await rowsOf(service, 'select 1 from subscriber where venue_id = $1', [venue.id])
      assert.equal(subscribed.length, 0, 'nobody is subscribed from here')

      const again = await bring(kind, text)
      assert.equal(again.made, 0, 'the same file again brings nothing new')
      const unstamped = (it: string) => it.replaceAll(/"(?:updated_at|version)": ?[^,}]+/g, '')
      assert.equal(unstamped(await written(venue)), unstamped(all))
    })
  }

  it('what staff wrote of the visit and of the guest goes to the staff notes from both columns, and neither is asked about', async () => {
    const { venue, owner, upload, bring } = await importingOwner(service)
    const file = [
      'Visit Date,Visit Time,Party Size,Status,Guest First Name,Email,Visit Notes,Guest Notes',
      '2026-10-20,19:30,4,Booked,Maya,maya@example.com,Press dinner,Likes the bar',
    ].join('\n')
    const { to } = await upload('reservations', file)
    const { html } = await owner.get(to ?? '')
    assert.doesNotMatch(html, /Columns without a place/)
    assert.match(
      html,
      /<span>Guest Notes<\/span[^]*?value="note" selected[^>]*>Staff notes, with this heading/,
    )
    assert.equal((await bring('reservations', file)).made, 1)
    const [guest] = await rowsOf(service, 'select staff_notes from guest where venue_id = $1', [venue.id])
    assert.deepEqual(guest, { staff_notes: 'Visit Notes: Press dinner\nGuest Notes: Likes the bar' })
    const other = await bring('reservations', file.replace('maya@', 'nia@'), { 'besides-7': 'out' })
    assert.equal(other.made, 1)
    const [, nia] = await rowsOf(service, 'select staff_notes from guest where venue_id = $1 order by id', [
      venue.id,
    ])
    assert.deepEqual(nia, { staff_notes: 'Visit Notes: Press dinner' })
  })

  it('VIP, a birthday, tags and allergies: filled in, never taken away, and what differs is a line in the notes', async () => {
    const { venue, bring } = await importingOwner(service)
    const file = (row: string) => `Name,Email,VIP,Birthday,Tags,Allergies\n${row}\n`
    await bring('guests', file('Maya,maya@example.com,yes,Apr 12,Wine list,Peanuts'))
    await bring('guests', file('Maya,maya@example.com,no,5 mai,Neighbor; wine LIST,Shellfish'))
    const [guest] = await rowsOf(
      service,
      `select h.vip, h.birthday_month as month, h.birthday_day as day, g.allergies, g.staff_notes as notes,
              array(select t.name from guest_house_tag x join house_tag t on t.venue_id = x.venue_id and t.id = x.tag_id
                     where x.venue_id = g.venue_id and x.guest_id = g.id order by lower(t.name)) as tags
         from guest g join guest_house h on h.venue_id = g.venue_id and h.id = g.id where g.venue_id = $1`,
      [venue.id],
    )
    assert.deepEqual(guest, {
      ...{ vip: true, month: 4, day: 12, allergies: 'Peanuts', tags: ['Neighbor', 'Wine list'] },
      notes: 'Birthday: May 5\nAllergies: Shellfish',
    })
  })

  it('visits are counted once by the guests’ file and the bookings’ file, in either order', async () => {
    const guests = 'Name,Email,Visits\nMaya,maya@example.com,12\n'
    const bookings = 'Date,Time,Party,Email,Status\n2026-09-01,19:00,2,maya@example.com,Done\n'
    for (const files of [
      [
        ['guests', guests],
        ['reservations', bookings],
      ],
      [
        ['reservations', bookings],
        ['guests', guests],
      ],
    ] as const) {
      const { venue, bring } = await importingOwner(service)
      for (const [kind, text] of files) await bring(kind, text)
      const [guest] = await rowsOf(service, 'select visit_count as n from guest where venue_id = $1', [
        venue.id,
      ])
      assert.equal(guest?.['n'], 12)
    }
  })

  it('many new tags are made only when the owner checks the box', async () => {
    const { owner, upload, bring } = await importingOwner(service)
    const rows = Array.from({ length: 51 }, (_, i) => `g${i}@example.com,Tag ${i}`)
    const file = `Email,Tags\n${rows.join('\n')}\n`
    const { to } = await upload('guests', file)
    const { html } = await owner.get(to ?? '')
    const refused = await owner.post(`${to}/start`, chosenIn(html))
    assert.equal(refused.status, 400)
    assert.match(refused.words, /This file would make 51 new tags/)
    assert.match(refused.html, /name="manyTags"/)
    assert.equal((await bring('guests', file, { manyTags: 'yes' })).made, 51)
  })

  it('a booking without a guest keeps what staff wrote as a private note, and a cancelled one without a size has none', async () => {
    const { venue, bring } = await importingOwner(service)
    const { made, refused } = await bring(
      'reservations',
      [
        'Date,Time,Covers,Name,Status,Visit Notes,Allergies,Tags',
        '2026-10-20,19:00,2,Ann,Confirmed,Quiet table,Nuts,Press',
        '2026-09-20,19:00,0,Bo,Canceled,,,',
        '2026-09-20,19:00,0,Cy,Completed,,,',
      ].join('\n'),
    )
    assert.deepEqual([made, refused], [2, 1])
    const rows = await rowsOf(
      service,
      `select r.guest_name, r.party_size, r.notes, h.note from reservation r
         left join reservation_house h on h.venue_id = r.venue_id and h.id = r.id where r.venue_id = $1 order by 1`,
      [venue.id],
    )
    assert.deepEqual(rows, [
      { guest_name: 'Ann', party_size: 2, notes: null, note: 'Allergies: Nuts\nVisit Notes: Quiet table' },
      { guest_name: 'Bo', party_size: null, notes: null, note: null },
    ])
  })
})
