import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type RecordKind, kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import { mergeGuests } from '../../../crm/guests/merge.ts'
import { editGuest } from '../../../crm/guests/staff-edits.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { actAt } from '../../../test/act.ts'
import { notedChanges } from '../../../test/every-door/noted-changes.ts'
import { eventually } from '../../../test/eventually.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService, withEveryScope } from '../../../test/service.ts'

const name = 'Zephyrine Quillfeather'
const email = 'Zephyrine.Q@example.com'
const phone = '+1 (917) 555-0142'
const digits = '19175550142'

/** Empty texts of a person's rows that take no words about them, and why. */
const notTheirWords = new Map(
  Object.entries({
    'a word of a list': [
      ...['reservation.floor_stage', 'reservation.stage_before_seating', 'reservation.cancelled_by'],
      ...['reservation.cancelled_from', 'waitlist_entry.booked_as', 'task.assigned_role', 'recipient.why'],
      ...['checkout.why', 'ticket_order.currency', 'lead.language', 'subscriber.language'],
      'waitlist_entry.language',
    ],
    'made of an address or a number, which the person may share': [
      ...[
        'guest.email_key',
        'guest.phone',
        'guest.phone_key',
        'reservation.email_key',
        'reservation.phone_key',
      ],
      ...['lead.email_key', 'lead.phone_key', 'waitlist_entry.email', 'waitlist_entry.email_key'],
      ...['waitlist_entry.phone_key', 'checkout.buyer_email_key', 'ticket_order.buyer_email_key'],
    ],
    'what another system calls it': [
      ...['checkout.session_ref', 'checkout.hold_id', 'guarantee.customer_ref', 'guarantee.method_ref'],
      ...[
        'reservation.import_key',
        'recipient.message_id',
        'guest_text.provider_id',
        'mail_bounce.status_code',
      ],
    ],
    'a sentence of the service': ['guest_text.answer'],
    'what the venue offers, by its name': [
      ...['reservation.experience', 'guarantee.experience', 'ticket_order.promo_code', 'checkout.return_url'],
    ],
    'of staff': ['activity.actor_name', 'lead_note.written_by'],
    'a record as JSON, which the story writes by making one': ['event.answer', 'event.previous'],
    'only where it is about a booking, and then the story writes it': [
      'checkout.sentence',
      'guarantee.ask_note',
    ],
    'how large an event it was, which stays': [
      ...['lead.event_date', 'lead.guest_count', 'lead.budget_per_person', 'lead.concept'],
    ],
  }).flatMap(([why, columns]) => columns.map((column) => [column, why] as const)),
)

describe('one person, across all records', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())

  const newOwner = async () => {
    const venue = await service.venue()
    const { id, email } = await staffOf(service, venue, 'owner')
    const owner = visitOffice(service)
    await owner.signIn(email)
    const actor = { kind: 'staff', id, email, role: 'owner' } as const
    return { venue, owner, actor }
  }

  /** Writes the person down in every place there is. */
  const writeDown = async (venue: TestVenue, actor: Awaited<ReturnType<typeof newOwner>>['actor']) => {
    const post = async (path: string, body: unknown) => {
      const answer = await service.call('POST', path, {
        key: venue.key,
        body,
        headers: { 'idempotency-key': `${path}-${email}` },
      })
      assert.ok(answer.status < 300, answer.text)
      return answer.body
    }
    const events = ['guest.created', 'reservation.created', 'subscriber.added', 'lead.created']
    await post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/', events })
    await setRules(service, venue)
    const { guest } = await post('/api/v1/guests', { name, email, phone, notes: `Call ${phone} first` })
    const { reservation } = await post('/api/v1/reservations', {
      guestName: name,
      email: email.toUpperCase(),
      phone: '917-555-0142',
      partySize: 2,
      date: '2026-10-08',
      time: '19:00',
      notes: 'By the window',
    })
    const { lead } = await post('/api/v1/leads', { name, email, phone, eventName: 'Quillfeather wedding' })
    const consent = { source: 'Form', statement: `I, ${name}, agree` }
    await post('/api/v1/subscribers', { email, firstName: 'Zephyrine', consent })
    await post('/api/v1/tasks', { title: `Call ${name} back`, client: name })
    const other = (
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: 'other@example.com', name: 'Otto Other', notes: `Friend of ${name}, ${email}` },
      })
    ).body.guest
    const sister = (
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: 'sister@example.com', name: 'Ada Sister' },
      })
    ).body.guest
    const v = venue.id
    const now = '2026-10-06T19:00:00Z'
    await rows(
      `update guest set phone = '917 555 0142', phone_key = '9175550142' where venue_id = $1 and id = $2`,
      [v, sister.id],
    )
    await rows(
      `insert into waitlist_entry (venue_id, guest_name, phone, party_size, date, status, source, notes, created_at, updated_at)
       values ($1, $2, '001 917 555 0142', 2, '2026-10-06', 'waiting', 'staff', 'high chair', $3, $3),
              ($1, 'Ada Sister', '917 555 0142', 2, '2026-10-06', 'waiting', 'staff', null, $3, $3)`,
      [v, name, now],
    )
    await rows(`insert into shift_note (venue_id, service_date, text) values ($1, '2026-10-08', $2)`, [
      v,
      `${name} at eight`,
    ])
    await rows(
      `insert into text_reply (venue_id, entry_id, provider_id, body, at)
       select venue_id, id, 'SM' || id, 'It is ' || $2 || ', on our way', $3 from waitlist_entry where venue_id = $1`,
      [v, name, now],
    )
    await rows(
      `insert into guest_text (venue_id, kind, record_id, state, made_at, until, body)
       select venue_id, 'lineTyped', id, 'sent', $3::timestamptz, $3::timestamptz, 'Dear ' || $2
         from waitlist_entry where venue_id = $1
        union all
       select venue_id, kind, id, 'sent', $3, $3, 'Until then, ' || $2
         from reservation, unnest(array['bookingTyped', 'bookingStranded']) kind where venue_id = $1`,
      [v, name, now],
    )
    await rows(
      `insert into stranded_booking (venue_id, reservation_id, change_id, date, time, written_at, message)
       select venue_id, id, 1, '2026-10-20', '19:00', $3, 'Dear ' || $2 from reservation where venue_id = $1`,
      [v, name, now],
    )
    await rows(
      `insert into text_reply (venue_id, reservation_id, provider_id, body, at)
       select venue_id, id, 'SMR' || id, 'Thanks, ' || $2, $3 from reservation where venue_id = $1`,
      [v, name, now],
    )
    const [event] = await rows(
      `insert into ticketed_event (venue_id, name, created_at) values ($1, 'Wine night', $2) returning id`,
      [v, now],
    )
    const [occurrence] = await rows(
      `insert into occurrence (venue_id, event_id, date, capacity, price_cents)
       values ($1, $2, '2026-10-20', 20, 5000) returning id`,
      [v, event?.id],
    )
    await rows(
      `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method,
         buyer_first_name, buyer_last_name, buyer_email, buyer_email_key, buyer_phone, seats, subtotal_cents,
         total_cents, created_at, updated_at)
       values ($1, $2, 'T-1', 'paid', 'box_office', 'cash', 'Zephyrine', 'Quillfeather', $3, lower($3), $4, 2, 10000,
         10000, $5, $5)`,
      [v, occurrence?.id, email, phone, now],
    )
    await rows(
      `insert into ticket (venue_id, order_id, number, code, in_at, door)
       select venue_id, id, 1, 'THECODE', $2, 'Door 1' from ticket_order where venue_id = $1`,
      [v, now],
    )
    await rows(`update ticket_order set language = 'de' where venue_id = $1`, [v])
    await rows(
      `with a as (insert into processor_account (venue_id, id, live, key_sealed, made_at)
         values ($1, gen_random_uuid(), false, 'sealed', $5) returning id)
       insert into checkout (venue_id, ref, account_id, kind, mode, state, occurrence_id, seats, form, buyer_email_key,
         language, title, subtotal_cents, discount_cents, fee_cents, tax_cents, total_cents, currency, made_at,
         counts_until)
       select $1, gen_random_uuid(), id, 'tickets', 'payment', 'ended', $2, 2,
         jsonb_build_object('firstName', 'Zephyrine', 'lastName', 'Quillfeather', 'email', $3::text, 'phone', $4::text),
         lower($3), 'en', '2 tickets', 10000, 0, 0, 0, 10000, 'USD', $5, $5 from a`,
      [v, occurrence?.id, email, phone, now],
    )
    await rows(
      `insert into guarantee (venue_id, reservation_id, account_id, kind, status, amount_cents, currency, free_until,
         sentence, language, agreed_at, customer_ref, method_ref, delete_at, look_at, ask_note)
       select $1, $2, id, 'card', 'held', 5000, 'USD', $3, $4 || ' Free until Thursday.', 'en', $3, 'cus_planted', 'pm_planted',
         $3::timestamptz + interval '9 days', $3::timestamptz + interval '9 days', $4 from processor_account where venue_id = $1`,
      [v, reservation.id, now, `For ${name} and her mother.`],
    )
    // The same words stand where it was pressed, and with what was refused.
    await rows(
      `insert into checkout (venue_id, ref, account_id, kind, mode, state, reservation_id, language, title, sentence,
         subtotal_cents, discount_cents, fee_cents, tax_cents, total_cents, currency, made_at, counts_until)
       select $1, gen_random_uuid(), id, 'ask', 'setup', 'refused', $2, 'en', 'A table', $4, 5000, 0, 0, 0, 5000, 'USD', $3, $3
         from processor_account where venue_id = $1`,
      [v, reservation.id, now, `For ${name}, as before. Free until Monday.`],
    )
    await rows(
      `insert into guarantee (venue_id, account_id, kind, status, amount_cents, currency, free_until, sentence, language, agreed_at)
       select $1, id, 'card', 'released', 5000, 'USD', $2, $3, 'en', $2 from processor_account where venue_id = $1`,
      [v, now, `For ${name}, as before. Free until Monday.`],
    )
    await rows(
      `insert into guest_booking (venue_id, reservation_id, form_token, language, occasion, seating, answers, note)
       values ($1, $2, gen_random_uuid(), 'en', $3, 'patio', $4, $5)`,
      [v, reservation.id, `${name} turns 40`, ['Yes'], `A surprise for ${name}`],
    )
    await rows(
      `insert into guest_house (venue_id, id, vip, birthday_month, birthday_day) values ($1, $2, true, 4, 12)`,
      [v, guest.id],
    )
    for (const tag of ['Wine list', `Friend of ${name}`]) {
      await rows(
        `with t as (insert into house_tag (venue_id, name) values ($1, $3) returning id),
              g as (insert into guest_house_tag (venue_id, guest_id, tag_id) select $1, $2, id from t)
         insert into reservation_house_tag (venue_id, reservation_id, tag_id) select $1, $4, id from t`,
        [v, guest.id, tag, reservation.id],
      )
    }
    const [theirs] = await rows(
      `insert into reservation (venue_id, guest_id, status, source, created_at, updated_at)
       values ($1, $2, 'Completed', 'staff', $3, $3) returning id`,
      [v, other.id, '2026-09-01T19:00:00Z'],
    )
    await rows(
      `insert into reservation_house (venue_id, id, occasion, note) values ($1, $2, $4, $4), ($1, $3, $4, $4)`,
      [v, reservation.id, theirs?.id, `${name} turns 40`],
    )
    const campaign = await post('/api/v1/campaigns', {
      name: `Thanks, ${name}`,
      subject: 'Hello',
      bodyHtml: `<p>Dear ${name}</p>`,
    })
    await post('/api/v1/campaigns/compose', { id: campaign.campaign.id })
    await rows(
      `insert into mail_bounce (venue_id, email_key, kind, source, campaign_id, subscriber_id, report_key, at)
       select venue_id, email_key, 'soft', 'dsn', campaign_id, subscriber_id, 'dsn ' || email_key, $2
         from recipient where venue_id = $1`,
      [v, now],
    )
    await rows(
      `insert into lead_note (venue_id, lead_id, kind, text, created_at, updated_at)
       values ($1, $2, 'draft', $3, $4, $4)`,
      [v, lead.id, `Dear ${name}`, now],
    )
    await rows(
      `insert into block (venue_id, service_date, from_minute, to_minute, scope, staff_note)
       values ($1, '2026-10-30', 1020, 1200, 'all', $2)`,
      [v, `Kept for ${name}`],
    )
    await rows(
      `insert into attempt (venue_id, delivery_id, token, endpoint_id, started_at, duration_ms, status_code, result, answer)
       select venue_id, id, gen_random_uuid(), endpoint_id, $2, 5, 500, 'HTTP 500', convert_to($3, 'UTF8')
         from delivery where venue_id = $1`,
      [v, now, `{"unknown person": "${name} <${email}>"}`],
    )
    const work = { db: service.db, venue: { ...venue, plan: 'pro' as const }, now: service.context.clock }
    await service.db.transaction(async (db) => {
      await editGuest({ ...work, db: db.within(v) }, actor, {
        id: guest.id,
        seenVersion: 1,
        changes: { allergies: 'nuts', staffNotes: `VIP ${name}` },
      })
    })
    await service.db.transaction(async (db) => {
      const double = (
        await service.call('POST', '/api/v1/guests', {
          key: venue.key,
          body: { email: 'zq@elsewhere.example', name },
        })
      ).body.guest
      await mergeGuests(
        { ...work, db: db.within(v) },
        actor,
        { id: guest.id, seenVersion: 2 },
        { id: double.id, seenVersion: 1 },
      )
    })
    return { guest, reservation, lead, other, sister }
  }

  const rows = (text: string, values: unknown[]) => rowsOf<Record<string, unknown>>(service, text, values)

  /** Every place in the database that holds a word, in any text, document or bytes there is. */
  const placesWith = async (word: string): Promise<string[]> => {
    const columns = await rows(
      `select table_name as t, column_name as c, data_type as d from information_schema.columns
        where table_schema = 'public'
          and (data_type in ('text', 'jsonb', 'json', 'bytea', 'ARRAY', 'character varying') or udt_name = 'name')`,
      [],
    )
    assert.ok(columns.length > 120, `${columns.length} columns`)
    const asked = columns.map((column) => {
      const [t, c, d] = [column.t, column.c, column.d].map(String)
      const text = d === 'bytea' ? `encode("${c}", 'escape')` : `"${c}"::text`
      return `select '${t}.${c}' as place where exists (select from "${t}" where position(lower($1) in lower(${text})) > 0)`
    })
    return (await rows(asked.join(' union all '), [word])).map(({ place }) => String(place))
  }

  /** Writes the person into every empty text of the rows that name them, but for those that take no free words. Answers with which. */
  const fillTexts = async (venue: TestVenue): Promise<string[]> => {
    const columns = await rows(
      `select table_name as t, column_name as c from information_schema.columns
        where table_schema = 'public' and data_type = 'text' and is_nullable = 'YES'
          and table_name in (select table_name from information_schema.columns where column_name = 'venue_id')
        order by 1, 2`,
      [],
    )
    const filled = []
    for (const column of columns) {
      const [t, c] = [column.t, column.c].map(String)
      if (notTheirWords.has(`${t}.${c}`)) continue
      const changed = await rows(
        `update "${t}" r set "${c}" = $2 where venue_id = $1 and "${c}" is null and r::text ~* $3 returning 1`,
        [venue.id, `Of ${name}`, 'quillfeather|zephyrine'],
      )
      if (changed.length > 0) filled.push(`${t}.${c}`)
    }
    return filled
  }

  /** The records of each kind in which software reads of the person, by their ids. */
  const recordsShown = async (venue: TestVenue): Promise<Partial<Record<RecordKind, readonly number[]>>> => {
    const { key } = await withEveryScope(venue)
    const listed = recordKinds.map(async (kind) => {
      const list = (await service.call('GET', `${kinds[kind].path}?limit=100`, { key })).body
      const theirs = list.filter((one: object) => /quillfeather|zephyrine/i.test(JSON.stringify(one)))
      return [kind, theirs.map(({ id }: { id: number }) => id)] as const
    })
    return Object.fromEntries(await Promise.all(listed))
  }

  /** What the feed says of each record now. */
  const changesOf = async (venue: TestVenue) =>
    Object.fromEntries(
      await Promise.all(
        recordKinds.map(async (kind) => [kind, await notedChanges({ venue, query: rows }, kind)] as const),
      ),
    ) as Partial<Record<RecordKind, Record<number, string>>>

  it('leaves nothing in any text of their rows, whatever was written there, and the feed names each that showed them', async () => {
    const { venue, owner, actor } = await newOwner()
    const { guest } = await writeDown(venue, actor)
    const filled = await fillTexts(venue)
    for (const one of ['reservation.cancel_message', 'lead.notes', 'consent.page_url'])
      assert.ok(filled.includes(one), one)
    const shown = await recordsShown(venue)
    const noted = await changesOf(venue)
    const done = await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })
    assert.equal(done.status, 200, done.words)
    const since = await changesOf(venue)
    for (const kind of recordKinds.filter((one) => kinds[one].contacts.length > 0)) {
      const ids = shown[kind] ?? []
      assert.ok(ids.length > 0, `write the person into a ${kind} above`)
      for (const id of ids)
        assert.notEqual(since[kind]?.[id], noted[kind]?.[id], `the feed says that ${kind} ${id} has changed`)
    }
    assert.deepEqual(
      await placesWith('quillfeather'),
      [],
      'the erasure takes it out (data/erasure/erase-writes.ts), or `notTheirWords` says why it cannot hold a person',
    )
  })

  it('is found, exported in full, erased everywhere, and others keep what is theirs', async () => {
    const { venue, owner, actor } = await newOwner()
    const { guest, reservation, other, sister } = await writeDown(venue, actor)
    const places = await placesWith('quillfeather')
    assert.ok(places.length >= 18, places.join())

    for (const typed of [email, phone, name]) {
      const { html } = await owner.get(`/office/data/person?${new URLSearchParams({ q: typed }).toString()}`)
      assert.ok(html.includes(`person?guest=${guest.id}"`), typed)
    }
    const shown = await owner.get(`/office/data/person?guest=${guest.id}`)
    for (const what of ['Reservations', 'Waitlist', 'Leads', 'Ticket orders', 'Email list', 'Activity log'])
      assert.ok(shown.html.includes(`<dt>${what}</dt>`), what)
    assert.ok(shown.html.includes('still to come'))

    const handed = JSON.parse((await owner.get(`/office/data/person.json?guest=${guest.id}`)).html)
    assert.deepEqual(
      handed.ticketOrders.map((one: { tickets: unknown }) => one.tickets),
      [[{ number: 1, inAt: '2026-10-06T19:00:00.000Z', door: 'Door 1', voidAt: null }]],
    )
    assert.ok(
      !JSON.stringify(handed).includes('_planted'),
      'where the card is at the processor is nobody’s to read',
    )
    assert.ok(!JSON.stringify(handed).includes('THECODE'), 'whoever has the document cannot enter with it')
    assert.deepEqual(
      Object.entries(handed).map(([key, all]) => [key, Array.isArray(all) ? all.length : 1]),
      [
        ['person', 1],
        ['guests', 1],
        ['reservations', 1],
        ['bookingsWaitingForAPress', 0],
        ['saidWhenBooking', 1],
        ['cardsAndDeposits', 1],
        ['waitlist', 1],
        ['texted', 3],
        ['textedBack', 2],
        ['leads', 1],
        ['leadNotes', 1],
        ['ticketsNotBought', 1],
        ['ticketOrders', 1],
        ['subscribers', 1],
        ['consents', 1],
        ['mails', 1],
        ['mailsThatCameBack', 1],
        ['doNotEmail', 0],
        ['events', 6],
        ['answersOfReceivers', 4],
        ['keptAnswers', 5],
        ['changes', 2],
      ],
    )
    assert.ok(!JSON.stringify(handed).includes(actor.email), 'nothing about staff')

    const unsure = await owner.post('/office/data/person/erase', { guest: String(guest.id) })
    assert.equal(unsure.status, 400)
    assert.match(
      unsure.words,
      /A card is kept behind their bookings and will be deleted at once: nothing can be charged after that/,
    )
    const done = await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })
    assert.equal(done.status, 200)
    assert.match(done.words, /The person was erased\./)
    // The sister has the same number; nobody else is found by what they were known by.
    assert.deepEqual(rowsIn(done.html), [[`guest=${sister.id}`, 'Ada Sister']])

    for (const word of [name, 'quillfeather', email, 'zephyrine'])
      assert.deepEqual(await placesWith(word), [], word)
    assert.deepEqual(await placesWith(phone), [])
    assert.deepEqual(await placesWith(digits), [])
    // A family's number stays with the others of it.
    assert.deepEqual((await placesWith('917 555 0142')).toSorted(), ['guest.phone', 'waitlist_entry.phone'])

    assert.deepEqual(
      await rows(
        `select status, sentence, look_at < '2026-10-08' as is_due from guarantee
          where venue_id = $1 and reservation_id is not null`,
        [venue.id],
      ),
      [{ status: 'released', sentence: 'Free until Thursday.', is_due: true }],
      'the card goes at once, and what was agreed on stays without the words about them',
    )
    const kept = (await service.call('GET', '/api/v1/reservations', { key: venue.key })).body[0]
    assert.equal(kept.id, reservation.id)
    assert.deepEqual([kept.guestName, kept.email, kept.phone, kept.notes], [null, null, null, null])
    assert.deepEqual([kept.partySize, kept.status, kept.date], [2, 'Requested', '2026-10-08'])
    const guests = (await service.call('GET', '/api/v1/guests', { key: venue.key })).body
    assert.deepEqual(
      guests.map((one: { id: number; name: string }) => [one.id, one.name]),
      [
        [sister.id, 'Ada Sister'],
        [other.id, 'Otto Other'],
        [guest.id, null],
      ],
    )
    const [notes] = await rows('select staff_notes from guest where venue_id = $1 and id = $2', [
      venue.id,
      other.id,
    ])
    assert.equal(notes?.staff_notes, 'Friend of [erased], [erased]')
    const house = await rows(
      `select vip::text as is from guest_house where venue_id = $1
        union all select occasion from reservation_house where venue_id = $1
        union all select name from house_tag where venue_id = $1 and id in (select id from house_tag)
        union all select 'tagged' from guest_house_tag where venue_id = $1
        union all select 'tagged' from reservation_house_tag where venue_id = $1`,
      [venue.id],
    )
    assert.deepEqual(
      house.map(({ is }) => is),
      ['[erased] turns 40', 'Wine list'],
      'what the house knew of them; what it knows of others stays',
    )
    const waiting = await rows(
      `select count(*)::int as n from delivery d join event e on e.venue_id = d.venue_id and e.id = d.event_id
        where d.venue_id = $1 and d.done_at is null and e.data is null`,
      [venue.id],
    )
    assert.equal(waiting[0]?.n, 0, 'nothing without bytes waits to be sent')
    const onList = await rows('select 1 from suppression where venue_id = $1', [venue.id])
    assert.equal(onList.length, 0, 'the address goes on no list')

    const again = await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })
    assert.equal(again.status, 200, 'erasing twice changes nothing')
    assert.match(again.words, /Nothing left under their email/)
    assert.deepEqual(await placesWith(name), [])
    const anew = await service.call('POST', '/api/v1/guests', { key: venue.key, body: { email, name } })
    assert.equal(anew.status, 201, 'a returning guest is a new guest')
    await owner.post('/office/data/person/erase', { guest: String(anew.body.guest.id), sure: 'yes' })
    assert.deepEqual(await placesWith('quillfeather'), [])
  })

  it('what staff had deleted of them goes from the trail and from events sent or waiting', async () => {
    const { venue, owner } = await newOwner()
    const key = venue.key
    await setRules(service, venue)
    const post = async (path: string, body: unknown) =>
      (await service.call('POST', `/api/v1/${path}`, { key, body })).body
    const events = ['reservation.created', 'reservation.cancelled', 'lead.created']
    await post('webhooks', { url: 'http://127.0.0.1:9/', events })
    const party = { partySize: 2, date: '2026-10-08', time: '19:00' }
    const { reservation } = await post('reservations', {
      ...party,
      guestName: name,
      email,
      notes: 'Swordfish allergy',
    })
    const { lead } = await post('leads', { name, email, notes: 'Swordfish at the wedding' })
    const others = await post('reservations', {
      ...party,
      guestName: 'Otto',
      email: 'otto@example.com',
      notes: 'No capers',
    })
    const noted = await owner.post(`/office/leads/${lead.id}/notes`, {
      token: crypto.randomUUID(),
      kind: 'note',
      text: 'Asked for swordfish',
    })
    assert.equal(noted.status, 303)
    const remove = async (path: string, table: string, id: number) => {
      const [{ version } = {}] = await rows(`select version from ${table} where id = $1`, [id])
      const fields = { version: String(version), sure: 'yes' }
      assert.equal((await owner.post(`${path}/delete`, fields)).status, 303, path)
    }
    await remove(`/office/bookings/${reservation.id}`, 'reservation', reservation.id)
    await remove(`/office/bookings/${others.reservation.id}`, 'reservation', others.reservation.id)
    await remove(`/office/leads/${lead.id}`, 'lead', lead.id)
    assert.deepEqual((await placesWith('swordfish')).toSorted(), [
      'activity.after',
      'activity.before',
      'event.data',
    ])

    const [guest] = await rows('select id from guest where venue_id = $1 and email = $2', [venue.id, email])
    const handed = (await owner.get(`/office/data/person.json?guest=${String(guest?.id)}`)).html
    assert.match(handed, /Swordfish allergy/)
    await owner.post('/office/data/person/erase', { guest: String(guest?.id), sure: 'yes' })
    for (const word of ['swordfish', 'quillfeather', email])
      assert.deepEqual(await placesWith(word), [], word)
    assert.deepEqual((await placesWith('no capers')).toSorted(), ['activity.before', 'event.data'])
    const waiting = await rows(
      `select e.name from delivery d join event e on e.venue_id = d.venue_id and e.id = d.event_id
        where d.venue_id = $1 order by e.id`,
      [venue.id],
    )
    assert.deepEqual(
      waiting.map((one) => one.name),
      ['reservation.created', 'reservation.cancelled'],
      'of Otto',
    )
  })

  it('is found among more kept answers than are read at a time, the oldest first', async () => {
    const { venue, owner } = await newOwner()
    const answer = (key: string, email: string, name: string) =>
      service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email, name },
        headers: { 'idempotency-key': key },
      })
    const { guest } = (await answer('z-last-of-all', email, name)).body
    await answer('a-first-of-all', 'mia@example.com', `Mia, a friend of ${name}`)
    await answer('m-of-another', 'otto@example.com', 'Otto Other')
    await rows(
      `insert into idempotency (venue_id, endpoint, key, body_hash, token, claimed_at, answered_at, status, body)
       select venue_id, endpoint, key || n, body_hash, gen_random_uuid(), claimed_at, answered_at, status, body
         from idempotency, generate_series(1, 2500) n where venue_id = $1 and key = 'm-of-another'`,
      [venue.id],
    )
    await rows(
      `update idempotency set claimed_at = claimed_at - interval '1 hour' where venue_id = $1 and key = 'z-last-of-all'`,
      [venue.id],
    )
    const { keptAnswers } = JSON.parse((await owner.get(`/office/data/person.json?guest=${guest.id}`)).html)
    assert.deepEqual(
      keptAnswers.map((one: unknown) => JSON.stringify(one).includes('mia@example.com')),
      [false, true],
    )
    await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })
    const left = await rows(
      `select key like 'erased:%' and body = '{}' as erased, count(*)::int as n from idempotency
        where venue_id = $1 group by 1 order by 1`,
      [venue.id],
    )
    assert.deepEqual(left, [
      { erased: false, n: 2501 },
      { erased: true, n: 2 },
    ])
  })

  it('is taken out of a long log of what receivers answered', async () => {
    const { venue, owner } = await newOwner()
    const { guest } = (
      await service.call('POST', '/api/v1/guests', { key: venue.key, body: { email, name } })
    ).body
    await rows(
      `insert into attempt (venue_id, delivery_id, token, endpoint_id, started_at, duration_ms, status_code, result, answer)
       select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 5, 500, 'HTTP 500',
              convert_to(case when n % 4000 = 1 then $2 else 'thanks' end, 'UTF8')
         from generate_series(1, 12000) n`,
      [venue.id, `who is ${name}?`],
    )
    await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })
    const kept = await rows(
      `select convert_from(answer, 'UTF8') as answer, count(*)::int as n from attempt
        where venue_id = $1 group by 1 order by 1`,
      [venue.id],
    )
    assert.deepEqual(kept, [
      { answer: 'thanks', n: 11_997 },
      { answer: null, n: 3 },
    ])
  })

  it('who left the mail list or must not be mailed stays protected, by a fingerprint', async () => {
    const { venue, owner } = await newOwner()
    const key = venue.key
    const consent = { source: 'Form' }
    const add = async (address: string) =>
      (await service.call('POST', '/api/v1/subscribers', { key, body: { email: address, consent } })).body
    for (const address of ['left@example.net', 'spam@example.net', 'stays@example.net']) await add(address)
    await rows(
      `update subscriber set status = 'unsubscribed', unsubscribed_at = now()
        where venue_id = $1 and email_key = 'left@example.net'`,
      [venue.id],
    )
    await rows(
      `insert into suppression (venue_id, email_key, reason, created_at) values ($1, 'spam@example.net', 'spam_report', now())`,
      [venue.id],
    )
    for (const address of ['left@example.net', 'spam@example.net', 'stays@example.net']) {
      const { html } = await owner.get(`/office/data/person?q=${address}`)
      assert.ok(html.includes(`person?email=${encodeURIComponent(address)}`), address)
      await owner.post('/office/data/person/erase', { email: address, sure: 'yes' })
    }
    assert.deepEqual(await placesWith('@example.net'), [])
    assert.equal((await add('left@example.net')).status, 'suppressed')
    assert.equal((await add('spam@example.net')).status, 'suppressed')
    assert.equal((await add('stays@example.net')).added, true)
  })

  it('is gone from what was written while they were being erased, too', async () => {
    const { venue, owner, actor } = await newOwner()
    await setRules(service, venue)
    await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: 'http://127.0.0.1:9/', events: ['reservation.updated'] },
    })
    const body = {
      guestName: 'Ida Latecomer',
      email: 'ida@late.example',
      partySize: 2,
      startsAt: '2026-10-08T23:00:00Z',
    }
    const { reservation } = (await service.call('POST', '/api/v1/reservations', { key: venue.key, body }))
      .body
    const committed = Promise.withResolvers<void>()
    const isMoved = Promise.withResolvers<void>()
    const moving = actAt(service, venue, async (work) => {
      await moveReservation(work, actor, { id: reservation.id, move: 'confirm' })
      isMoved.resolve()
      await committed.promise
    })
    await isMoved.promise
    const erasing = owner.post('/office/data/person/erase', { email: 'ida@late.example', sure: 'yes' })
    await eventually(async () => {
      const [{ waiting } = {}] = await rows(
        `select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%update reservation set%'`,
        [],
      )
      return waiting === 1
    })
    committed.resolve()
    await moving
    await erasing
    assert.deepEqual(await placesWith('ida@late.example'), [])
    assert.deepEqual(await placesWith('Ida Latecomer'), [])
  })

  it('who is no guest is found by number and name, in the own venue only', async () => {
    const { venue, owner } = await newOwner()
    await rows(
      `insert into waitlist_entry (venue_id, guest_name, phone, party_size, date, status, source, created_at, updated_at)
       values ($1, 'Bo Passing', '212 555 0177', 2, '2026-10-06', 'waiting', 'staff', now(), now()),
              ($1, 'Bo Passing', null, 2, '2026-10-06', 'waiting', 'staff', now(), now())`,
      [venue.id],
    )
    const byPhone = await owner.get('/office/data/person?q=%2B1+212+555+0177')
    assert.match(byPhone.html, /person\?phone=212\+555\+0177&amp;name=Bo\+Passing/)
    const stranger = await newOwner()
    assert.ok((await stranger.owner.get('/office/data/person?q=Bo+Passing')).html.includes('Nobody found'))
    await stranger.owner.post('/office/data/person/erase', {
      phone: '212 555 0177',
      name: 'Bo Passing',
      sure: 'yes',
    })
    assert.equal((await placesWith('Bo Passing')).length, 1)
    await owner.post('/office/data/person/erase', { phone: '212 555 0177', name: 'Bo Passing', sure: 'yes' })
    assert.deepEqual(await placesWith('212 555 0177'), [])
    assert.deepEqual(await placesWith('Bo Passing'), [], 'only one was called so')
  })

  /** The rows of a list of people: where each leads and how they are called. */
  const rowsIn = (html: string) =>
    [...html.matchAll(/href="\/office\/data\/person\?([^"]+)"\s*>([^<]*)<\/a/g)].map(([, to = '', name]) => [
      to.replaceAll('&amp;', '&'),
      name,
    ])

  it('is one row for all their contacts, and every way to it erases all of them', async () => {
    for (const typed of ['ada@lovelace.example', '(212) 555-0195', 'Ada Lovelace'] as const) {
      const { venue, owner } = await newOwner()
      const key = venue.key
      const body = { email: 'ada@lovelace.example', name: 'Ada Lovelace', phone: '(212) 555-0195' }
      const { guest } = (await service.call('POST', '/api/v1/guests', { key, body })).body
      const consent = { source: 'Form' }
      await service.call('POST', '/api/v1/subscribers', { key, body: { email: body.email, consent } })
      await rows(
        `insert into waitlist_entry (venue_id, guest_name, email, phone, party_size, date, status, source, created_at, updated_at)
         values ($1, 'A. Lovelace', 'ADA@lovelace.example', '917 555 0196', 2, '2026-10-06', 'cancelled', 'staff', now(), now()),
                ($1, 'Ada Lovelace', null, '+1 212 555 0195', 2, '2026-10-06', 'cancelled', 'staff', now(), now()),
                ($1, 'a. lovelace', null, '+1 917 555 0196', 2, '2026-10-06', 'cancelled', 'staff', now(), now()),
                ($1, 'Ada Lovelace', null, null, 2, '2026-10-06', 'cancelled', 'staff', now(), now())`,
        [venue.id],
      )
      const search = () => owner.get(`/office/data/person?${new URLSearchParams({ q: typed }).toString()}`)
      assert.deepEqual(rowsIn((await search()).html), [[`guest=${guest.id}`, 'Ada Lovelace']], typed)
      // As a page from before would ask, by the row of the subscriber.
      const pointed = typed.includes('@') ? { email: 'ada@lovelace.example' } : { guest: String(guest.id) }
      const done = await owner.post('/office/data/person/erase', { ...pointed, sure: 'yes' })
      assert.match(
        done.words,
        /The person was erased\..*Nothing left under their email, phone number or name\./,
      )
      for (const word of ['lovelace', '555-0195', '555 0195', '2125550195', '555 0196', '9175550196'])
        assert.deepEqual(
          (await placesWith(word)).filter((place) => !place.startsWith('staff.')),
          [],
          word,
        )
      assert.ok((await search()).html.includes('Nobody found'))
    }
  })

  it('is not the family that shares the number: they are rows of their own, stay, and are listed as left', async () => {
    const { venue, owner } = await newOwner()
    const key = venue.key
    const guestOf = async (body: object) =>
      (await service.call('POST', '/api/v1/guests', { key, body })).body.guest.id as number
    const joe = await guestOf({ email: 'joe@example.net', name: 'Joe Doe', phone: '212 555 0190' })
    const jane = await guestOf({ email: 'jane@example.net', name: 'Jane Doe' })
    await rows(
      `update guest set phone = '212 555 0190', phone_key = '2125550190' where venue_id = $1 and id = $2`,
      [venue.id, jane],
    )
    await rows(
      `insert into waitlist_entry (venue_id, guest_name, phone, party_size, date, status, source, created_at, updated_at)
       values ($1, 'Joe Doe', '212 555 0190', 2, '2026-10-06', 'cancelled', 'staff', now(), now()),
              ($1, 'Jane Doe', '212 555 0190', 2, '2026-10-06', 'cancelled', 'staff', now(), now()),
              ($1, 'Jim Doe', '212 555 0190', 2, '2026-10-06', 'cancelled', 'staff', now(), now())`,
      [venue.id],
    )
    const byNumber = await owner.get('/office/data/person?q=212+555+0190')
    assert.deepEqual(rowsIn(byNumber.html), [
      [`guest=${joe}`, 'Joe Doe'],
      [`guest=${jane}`, 'Jane Doe'],
      ['phone=212+555+0190&name=Jim+Doe', 'Jim Doe'],
    ])
    const done = await owner.post('/office/data/person/erase', { guest: String(joe), sure: 'yes' })
    assert.deepEqual(rowsIn(done.html), [
      [`guest=${jane}`, 'Jane Doe'],
      ['phone=212+555+0190&name=Jim+Doe', 'Jim Doe'],
    ])
    assert.match(done.words, /These may be other people, such as family/)
    assert.deepEqual(await placesWith('Joe Doe'), [])
    const names = await rows('select guest_name from waitlist_entry where venue_id = $1 order by id', [
      venue.id,
    ])
    assert.deepEqual(
      names.map(({ guest_name }) => guest_name),
      [null, 'Jane Doe', 'Jim Doe'],
    )
    const [kept] = await rows('select name, email, phone from guest where venue_id = $1 and id = $2', [
      venue.id,
      jane,
    ])
    assert.deepEqual(kept, { name: 'Jane Doe', email: 'jane@example.net', phone: '212 555 0190' })
  })

  it('an address-only subscriber and a number-only guest stay two: nothing links them, and what is left is listed', async () => {
    const { venue, owner } = await newOwner()
    const key = venue.key
    const body = { name: 'Ada Byron', phone: '212 555 0191' }
    const { guest } = (await service.call('POST', '/api/v1/guests', { key, body })).body
    const consent = { source: 'Form' }
    await service.call('POST', '/api/v1/subscribers', { key, body: { email: 'byron@example.net', consent } })
    await rows(
      `insert into waitlist_entry (venue_id, guest_name, email, party_size, date, status, source, created_at, updated_at)
       values ($1, 'Ada Byron', 'byron@example.net', 2, '2026-10-06', 'cancelled', 'staff', now(), now())`,
      [venue.id],
    )
    const other = ['email=byron%40example.net&name=Ada+Byron', 'Ada Byron']
    const byName = await owner.get('/office/data/person?q=Ada+Byron')
    assert.deepEqual(rowsIn(byName.html), [[`guest=${guest.id}`, 'Ada Byron'], other])
    const done = await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })
    assert.deepEqual(rowsIn(done.html), [other])
    assert.deepEqual(await placesWith('212 555 0191'), [])
    assert.ok((await placesWith('byron@example.net')).includes('subscriber.email'))
    const rest = await owner.post('/office/data/person/erase', { email: 'byron@example.net', sure: 'yes' })
    assert.match(rest.words, /Nothing left under/)
    assert.deepEqual(await placesWith('byron'), [])
  })

  it('a guest of another venue is not there', async () => {
    const { owner } = await newOwner()
    const { venue } = await newOwner()
    const { guest } = (
      await service.call('POST', '/api/v1/guests', { key: venue.key, body: { email: 'theirs@example.com' } })
    ).body
    assert.equal((await owner.get(`/office/data/person?guest=${guest.id}`)).status, 404)
    assert.equal(
      (await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })).status,
      404,
    )
    assert.ok((await placesWith('theirs@example.com')).length > 0)
  })
})
