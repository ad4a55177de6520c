import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Demo, makeDemo } from '../../server/demo/make-demo.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, startService } from '../../server/test/service.ts'
import { type HttpServer, startHttp } from '../src/http.ts'
import { writableScopes } from '../src/tools/all.ts'
import { type TestClient, type ToolAnswer, connectHttp } from './client.ts'

/* What people ask an assistant, on the full book of a Friday: few calls, and short answers. */

/** Friday 9 October 2026, 15:00 in New York. */
const fridayAfternoon = '2026-10-09T19:00:00Z'
const today = '2026-10-09'

type Ask = (name: string, args?: object) => Promise<ToolAnswer['data']>

describe('what people ask an assistant takes at most three calls and 4,000 tokens each', () => {
  let service: TestService
  let demo: Demo
  let http: HttpServer
  let client: TestClient

  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    service.setClock(fridayAfternoon)
    demo = await makeDemo(service.context)
    http = await startHttp({ baseUrl: service.url, allow: writableScopes, host: '127.0.0.1', port: 0 })
    client = await connectHttp(http.url, demo.keys.readWrite)
    const body = { partySize: 2, phone: '+1 212 555 0110', date: today }
    for (const guestName of ['Pat Quill', 'Uma Roth', 'Lee Stone', 'Ari Blum', 'Max Fell']) {
      const { status, text } = await service.call('POST', '/api/v1/waitlist', {
        ...{ key: demo.keys.readWrite, body: { ...body, guestName } },
      })
      assert.equal(status, 201, text)
    }
  })
  after(async () => {
    await client.close()
    await http.stop()
    await service.stop()
  })

  /** Somebody with a booking in the days to come, as their name begins. */
  const somebody = async (): Promise<{ id: number; start: string; guest: number }> => {
    const [row] = await rowsOf<{ id: number; start: string; guest: number }>(
      service,
      `select id::int, guest_id::int as guest, split_part(guest_name, ' ', 1) as start from reservation
       where venue_id = ${demo.venue.id} and date = '2026-10-10' and status = 'Confirmed' and guest_id is not null
       order by id limit 1`,
    )
    assert.ok(row)
    return row
  }

  const asked = async (work: (ask: Ask) => Promise<void>): Promise<void> => {
    let calls = 0
    await work(async (name, args = {}) => {
      calls++
      const { data, text, isError } = await client.call(name, args)
      assert.ok(!isError, `${name}: ${text}`)
      // What the tokenizers of large models make of this JSON is 3 to 4 characters a token.
      assert.ok(text.length / 3 <= 4000, `${name} answers ${text.length} characters`)
      return data
    })
    assert.ok(calls <= 3, `${calls} calls`)
  }

  const tasks: Readonly<Record<string, (ask: Ask) => Promise<void>>> = {
    'Who comes tonight?': async (ask) => {
      const { parties, reservations } = await ask('book_of_day')
      assert.ok(parties > 20 && (reservations as unknown[]).length > 20)
    },
    'Which large parties come after eight?': async (ask) => {
      const { reservations } = await ask('book_of_day', { timeFrom: '20:00', partySizeFrom: 5 })
      for (const { time, partySize } of reservations as { time: string; partySize: number }[])
        assert.ok(time >= '20:00' && partySize >= 5)
    },
    'When does somebody come, of whom only the first name is known?': async (ask) => {
      const { id, start } = await somebody()
      const { results } = await ask('find', { q: start, kinds: ['reservation'], limit: 25 })
      assert.ok((results as { record: { id: number } }[]).some(({ record }) => record.id === id))
    },
    'How often was a guest here, and when last?': async (ask) => {
      const { id } = await somebody()
      const { results } = await ask('find', { reservationId: id })
      const [{ record }] = results as [{ record: { id: number } }]
      const { guest } = await ask('guest_history', { guestId: record.id })
      assert.ok((guest as { visitCount: number }).visitCount >= 0)
    },
    'When can we fit six in this week?': async (ask) => {
      const { days } = await ask('availability', { date: today, partySize: 6, days: 7 })
      assert.equal((days as unknown[]).length, 7)
    },
    'Would eight o’clock be possible, and if not, when?': async (ask) => {
      const { ok, alternatives } = await ask('check_time', { date: today, time: '8 pm', partySize: 4 })
      assert.ok(ok || (alternatives as unknown[]).length > 0)
    },
    'Book Nia for two at the next open time.': async (ask) => {
      const { days } = await ask('availability', { date: '2026-10-13', partySize: 2 })
      const [{ times }] = days as [{ times: [{ date: string; time: string }] }]
      const [{ date, time }] = times
      const booking = { guestName: 'Nia Cole', partySize: 2, date, time }
      const { confirm } = await ask('create_reservation', booking)
      assert.equal((await ask('create_reservation', { ...booking, confirm })).status, 'done')
    },
    'Cancel somebody’s booking.': async (ask) => {
      const { id, start } = await somebody()
      await ask('find', { q: start, kinds: ['reservation'] })
      const { confirm } = await ask('cancel_reservation', { id, by: 'guest' })
      assert.equal((await ask('cancel_reservation', { id, by: 'guest', confirm })).status, 'done')
    },
    'Who waits for a table?': async (ask) => {
      const { parties } = await ask('waitlist')
      assert.ok((parties as unknown[]).length >= 5)
    },
    'What happened since this morning?': async (ask) => {
      const { events } = await ask('events_since', { since: '2026-10-09T12:00:00Z' })
      assert.ok((events as unknown[]).length >= 5)
    },
    'How does the next week look?': async (ask) => {
      const { days } = await ask('figures')
      assert.equal((days as unknown[]).length, 7)
    },
    'Which inquiries are new, and what is to do?': async (ask) => {
      const { leads } = await ask('leads', { includeNotes: true })
      assert.ok((leads as unknown[]).length > 0)
      await ask('tasks')
    },
  }
  for (const [question, work] of Object.entries(tasks)) it(question, () => asked(work))
})
