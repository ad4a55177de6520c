import type { Json } from '../../src/world.ts'
import { answering, asking, bodyOf, instead, isAt, json, mutant, sending } from './mutant.ts'

const dropHeader = (name: string) =>
  asking('* *', ({ headers }) => {
    delete headers[name]
  })

export const growthMutants = [
  mutant(
    'has one tag for every state',
    ['Single records 2.1'],
    answering('GET /tasks/*', ({ headers }) => {
      headers['etag'] = '"1.same"'
    }),
  ),
  mutant(
    'has another tag each time',
    ['Single records 2.1'],
    answering('GET /tasks/*', ({ headers }) => {
      headers['etag'] = `"1.${crypto.randomUUID().slice(0, 4)}"`
    }),
  ),
  mutant('knows no If-None-Match', ['Single records 2.2', 'Availability 4'], dropHeader('if-none-match')),
  mutant(
    'takes any tag for the present one',
    ['Single records 2.3'],
    asking('GET /tasks/*', ({ headers }) => {
      if (headers['if-none-match']) headers['if-none-match'] = '*'
    }),
  ),
  mutant(
    'shows more in a single record than in its list',
    ['Single records 1'],
    answering('GET /leads/*', ({ body }) => {
      if (body?.id) body.triage = 'hot'
    }),
  ),
  mutant(
    'takes a merged guest for unknown',
    ['Single records 3.1'],
    answering('GET /guests/*', (answer) => {
      if (answer.status === 410) Object.assign(answer, json(404, { error: 'There is no such guest.' }))
    }),
  ),
  mutant(
    'does not say who took the place',
    ['Single records 3.1'],
    answering('GET /guests/*', ({ body }) => {
      delete body?.mergedInto
    }),
  ),
  mutant(
    'changes without If-Match',
    ['Single records 4.1'],
    asking('PATCH *', ({ headers }) => {
      headers['if-match'] ??= '*'
    }),
  ),
  mutant(
    'writes over what came in between',
    ['Single records 4.2', 'Single records 4.3'],
    asking('PATCH *', ({ headers }) => {
      if (headers['if-match']) headers['if-match'] = '*'
    }),
  ),
  mutant(
    'does not show what came in between',
    ['Single records 4.2'],
    answering('PATCH *', ({ body }) => {
      delete body?.current
    }),
  ),
  mutant(
    'knows no weak tags in If-Match',
    ['Single records 4.4'],
    instead('PATCH *', ({ headers }) =>
      headers['if-match']?.startsWith('W/') ? json(400, { error: 'If-Match cannot be read.' }) : undefined,
    ),
  ),
  mutant(
    'judges the precondition before the kept answer',
    ['Single records 4.5'],
    asking('PATCH *', ({ headers }) => {
      delete headers['idempotency-key']
    }),
  ),
  mutant(
    'asks for a precondition before it asks for the right',
    ['Single records 4.6', 'Single records 4.7'],
    instead('PATCH *', ({ headers }) =>
      'if-match' in headers
        ? undefined
        : json(428, { error: 'Send If-Match.', reason: 'precondition-required' }),
    ),
  ),
  mutant(
    'takes null for left out',
    ['Changing 1.1'],
    sending('PATCH *', (body) =>
      Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)),
    ),
  ),
  mutant(
    'empties what is left out',
    ['Changing 1.1'],
    sending('PATCH /tasks/*', (body) => ({ client: null, ...body })),
  ),
  mutant(
    'always says that something changed',
    ['Changing 1.2', 'Changing 2.4', 'Changing 5', 'Changing 6.1'],
    answering('* *', ({ body }) => {
      if (body && 'changed' in body) body.changed = true
    }),
  ),
  mutant(
    'ignores fields that only staff set',
    ['Changing 1.4'],
    sending('PATCH *', ({ status: _status, ...body }) => body),
  ),
  mutant(
    'moves a confirmed booking at once',
    ['Changing 2.3'],
    answering('PATCH /reservations/*', (answer) => {
      if (answer.status === 202) answer.status = 200
    }),
  ),
  mutant(
    'refuses to cancel twice',
    ['Changing 2.4'],
    answering('POST /reservations/*/cancel', (answer) => {
      if (answer.body?.changed === false)
        Object.assign(answer, json(409, { error: 'Cancelled.', reason: 'not-in-state' }))
    }),
  ),
  mutant(
    'forgets what it replaced',
    ['Changing 3'],
    answering('PATCH /guests/*', ({ body }) => {
      if (body?.replaced) body.replaced = {}
    }),
  ),
  mutant(
    'does not say which stages there are',
    ['Changing 4.1'],
    answering('PATCH /leads/*', ({ body }) => {
      if (body?.stages) body.stages = []
    }),
  ),
  mutant(
    'shows a note for staff',
    ['Changing 4.2'],
    answering('POST /leads/*/notes', ({ body }, asked) => {
      Object.assign(body, bodyOf(asked))
    }),
  ),
  mutant(
    'ignores after=latest',
    ['Changes 1.1'],
    asking('GET /changes', ({ query }) => {
      if (query.get('after') === 'latest') query.delete('after')
    }),
  ),
  mutant(
    'leaves records out of the first copy',
    ['Changes 1.2'],
    answering('GET /changes', ({ body }) => {
      body.changes?.splice(3, 1)
    }),
  ),
  mutant(
    'lists a record twice',
    ['Changes 1.2', 'Changes 1.3'],
    answering('GET /changes', ({ body }) => {
      if (body.changes?.[0]) body.changes.push(body.changes[0])
    }),
  ),
  mutant(
    'says that there is no more',
    ['Changes 1.4'],
    answering('GET /changes', ({ body }) => {
      if (body) body.more = false
    }),
  ),
  mutant('goes back by one', ['Changes 1.5'], () => {
    const before = new Map<string, Json>()
    return {
      request: async (asked, next) => {
        const answer = await next(asked)
        const last = before.get(asked.query.get('after') ?? '')
        if (asked.path !== '/changes' || !answer.body?.next) return answer
        if (answer.body.changes.length > 0) before.set(answer.body.next, answer.body.changes.at(-1))
        else if (last) answer.body.changes.push(last)
        return answer
      },
    }
  }),
  mutant(
    'ignores kinds',
    ['Changes 2.1'],
    asking('GET /changes', ({ query }) => query.delete('kinds')),
  ),
  mutant(
    'shows records where only ids are wanted',
    ['Changes 2.2'],
    asking('GET /changes', ({ query }) => query.delete('data')),
  ),
  mutant(
    'takes any number of seconds to wait',
    ['Changes 2.3'],
    asking('GET /changes', ({ query }) => {
      if (query.get('wait') === '26') query.set('wait', '0')
    }),
  ),
  mutant(
    'shows a cursor of another venue as unreadable',
    ['Changes 2.4'],
    answering('GET /changes', (answer) => {
      if (answer.status === 410) answer.status = 400
    }),
  ),
  mutant(
    'does not wait',
    ['Changes 3'],
    asking('GET /changes', ({ query }) => query.delete('wait')),
  ),
  mutant(
    'says nothing of what was deleted',
    ['Changes 4.1'],
    answering('GET /changes', ({ body }) => {
      if (body.changes) body.changes = body.changes.filter(({ change }: Json) => change !== 'deleted')
    }),
  ),
  mutant(
    'calls a merged guest deleted',
    ['Changes 4.2'],
    answering('GET /changes', ({ body }) => {
      for (const one of body.changes ?? [])
        if (one.change === 'merged') Object.assign(one, { change: 'deleted' })
    }),
  ),
  mutant(
    'lists the events of a record in reverse order',
    ['What happened 1.1', 'What happened 1.2'],
    answering('GET /events', ({ body }) => {
      body.items?.reverse()
    }),
  ),
  mutant(
    'has another eventId than deliveries',
    ['What happened 1.3'],
    answering('GET /events', ({ body }) => {
      for (const item of body.items ?? []) item.eventId = crypto.randomUUID()
    }),
  ),
  mutant(
    'gives another reason for a refused time',
    ['Availability 1.2'],
    answering('GET /availability', ({ body }) => {
      for (const { slots } of body.days ?? []) for (const slot of slots) slot.reason &&= 'blocked'
    }),
  ),
  mutant(
    'shows refused times unasked',
    ['Availability 1.3'],
    asking('GET /availability', ({ query }) => query.set('show', 'all')),
  ),
  mutant(
    'takes more days than it says',
    ['Availability 1.5'],
    asking('GET /availability', ({ query }) => {
      if (query.get('days') === '15') query.set('days', '14')
    }),
  ),
  mutant('keeps an old answer', ['Availability 1.6'], () => {
    const kept = new Map<string, Json>()
    return {
      request: async (asked, next) => {
        const answer = await next(asked)
        if (asked.path !== '/availability/check') return answer
        const name = String(asked.query)
        kept.set(name, kept.get(name) ?? answer.body)
        return { ...answer, body: kept.get(name) }
      },
    }
  }),
  mutant(
    'judges a check by another rule',
    ['Availability 2.1'],
    answering('GET /availability/check', ({ body }) => {
      if (body.reason) body.reason = 'closed'
    }),
  ),
  mutant(
    'offers times that are refused',
    ['Availability 3.1'],
    answering('POST /reservations', ({ body }) => {
      for (const one of body?.alternatives ?? []) one.date = '2020-01-07'
    }),
  ),
  mutant(
    'offers other times unasked',
    ['Availability 3.2'],
    asking('POST /reservations', ({ query }) => {
      query.set('alternatives', '1')
    }),
  ),
  mutant(
    'has problems for everybody',
    ['Problem form 2'],
    asking('* *', ({ headers }) => {
      headers['accept'] = 'application/problem+json'
    }),
  ),
  mutant('knows no problem form', ['Problem form 1'], dropHeader('accept')),
  mutant(
    'has 200 in a problem',
    ['Problem form 1'],
    answering('* *', ({ body }) => {
      if (body?.title && body.status) body.status = 200
    }),
  ),
  mutant(
    'names one wrong field at a time',
    ['Problem form 3.1'],
    answering('POST /tasks', ({ body }) => {
      body?.errors?.splice(1)
    }),
  ),
  mutant(
    'repeats what was sent',
    ['Problem form 3.3'],
    answering('POST /tasks', ({ body }, asked) => {
      if (body?.detail) body.detail = `${bodyOf(asked).due} is no date.`
    }),
  ),
  mutant(
    'does what it should only try',
    ['Dry run 1.2'],
    instead('POST /dry-run', async (asked, next) => {
      const { method, path, body } = bodyOf(asked)
      await next({ ...asked, method, path: path.replace('/api/v1', ''), text: JSON.stringify(body) })
      return undefined
    }),
  ),
  mutant(
    'gives an id to what was only tried',
    ['Dry run 1.1'],
    answering('POST /dry-run', ({ body }) => {
      if (body?.wouldAnswer?.body?.lead) body.wouldAnswer.body.lead.id = 1
    }),
  ),
  mutant(
    'tries what only reads',
    ['Dry run 2'],
    answering('POST /dry-run', (answer) => {
      if (answer.body?.reason === 'no-dry-run')
        Object.assign(answer, json(200, { wouldAnswer: {}, events: [], changes: [] }))
    }),
  ),
  mutant(
    'writes what it should only check',
    ['Batches 1.2'],
    sending('POST /batches', (body) => ({ ...body, mode: 'write' })),
  ),
  mutant(
    'gives up a batch at the first refusal',
    ['Batches 1.1'],
    answering('GET /batches/*/results', ({ body }) => {
      const at = body.findIndex(({ status }: Json) => status === 'refused')
      if (at >= 0) body.splice(at + 1)
    }),
  ),
  mutant(
    'writes a batch again',
    ['Batches 1.3'],
    asking('POST /batches', ({ headers }) => {
      delete headers['idempotency-key']
    }),
  ),
  mutant(
    'takes one ref twice',
    ['Batches 2'],
    sending('POST /batches', (body) => ({
      ...body,
      items: body.items.map((item: Json, at: number) => ({ ...item, ref: `${item.ref}-${at}` })),
    })),
  ),
  mutant(
    'takes reading scopes for none',
    ['Scopes 1.1'],
    answering('GET /me', ({ body }) => {
      body.key?.scopes?.push('guests:edit')
    }),
  ),
  mutant(
    'names no other times',
    ['Availability 3.1'],
    answering('POST /reservations', ({ body }) => {
      delete body?.alternatives
    }),
  ),
  mutant(
    'finds no other times',
    ['Availability 3.1'],
    answering('POST /reservations', ({ body }) => {
      if (body?.alternatives) body.alternatives = []
    }),
  ),
  mutant(
    'finds fewer other times than asked for',
    ['Availability 3.1'],
    answering('POST /reservations', ({ body }) => {
      body?.alternatives?.pop()
    }),
  ),
  mutant(
    'holds nothing',
    ['Availability 5.1'],
    instead('POST /holds', () =>
      json(201, {
        id: 'pX4sT9vQmN2kLw7RbC1dZg',
        expiresAt: new Date(Date.now() + 300_000).toISOString(),
      }),
    ),
  ),
  mutant(
    'holds for an hour',
    ['Availability 5.1'],
    answering('POST /holds', ({ body }) => {
      if (body?.expiresAt) body.expiresAt = new Date(Date.parse(body.expiresAt) + 3_300_000).toISOString()
    }),
  ),
  mutant(
    'does not know its own holds',
    ['Availability 5.1'],
    sending('POST /reservations', ({ holdId: _holdId, ...body }) => body),
  ),
  mutant(
    'holds what it would refuse',
    ['Availability 5.2'],
    answering('POST /holds', (answer) => {
      if (answer.status === 409)
        Object.assign(
          answer,
          json(201, { id: 'pX4sT9vQmN2kLw7RbC1dZg', expiresAt: new Date().toISOString() }),
        )
    }),
  ),
  mutant(
    'holds any number',
    ['Availability 5.3'],
    answering('POST /holds', (answer) => {
      if (answer.body?.reason === 'too-many-holds')
        Object.assign(
          answer,
          json(201, { id: 'pX4sT9vQmN2kLw7RbC1dZg', expiresAt: new Date().toISOString() }),
        )
    }),
  ),
  mutant(
    'replaces no hold',
    ['Availability 5.3'],
    sending('POST /holds', ({ holdId: _holdId, ...body }) => body),
  ),
  mutant(
    'refuses a hold that it does not know',
    ['Availability 5.4'],
    answering('POST /dry-run', ({ body }, asked) => {
      if (bodyOf(asked)?.body?.holdId)
        body.wouldAnswer = { status: 409, body: { error: 'No such hold.', reason: 'not-in-state' } }
    }),
  ),
  mutant(
    'shows no times at all unasked',
    ['Availability 1.3'],
    answering('GET /availability', ({ body }, { query }) => {
      if (query.get('show') !== 'all') for (const day of body.days ?? []) day.slots = []
    }),
  ),
  mutant(
    'has open and refused times the wrong way around',
    ['Availability 1.1'],
    answering('GET /availability', ({ body }) => {
      for (const { slots } of body.days ?? [])
        for (const slot of slots) Object.assign(slot, { open: !slot.open, reason: null, sentence: null })
    }),
  ),
  mutant(
    'says of a closed day that something is open',
    ['Availability 1.4'],
    answering('GET /availability', ({ body }) => {
      for (const day of body.days ?? []) if (day.closed) day.anyOpen = true
    }),
  ),
  mutant('keeps a read-only key from asking', ['Availability 2.2'], (fullKey) =>
    instead('GET /availability/check', ({ headers }) =>
      headers['x-service-key'] === fullKey ? undefined : json(403, { error: 'This key is read-only.' }),
    )(),
  ),
  mutant(
    'counts no requests',
    ['Scopes 2.3'],
    answering('GET /usage', ({ body }) => {
      for (const day of body.days ?? []) day.requests = 0
    }),
  ),
  mutant(
    'hides from a read-only key what it may not change',
    ['Scopes 1.3'],
    answering('PATCH *', (answer) => {
      if (answer.status === 403) answer.status = 404
    }),
  ),
  mutant(
    'shows its rate limit to callers without a key',
    ['Scopes 2.2'],
    answering('GET /me', ({ status, headers }) => {
      if (status === 401) headers['ratelimit-limit'] = '120'
    }),
  ),
  mutant(
    'gives another reason to a key that may not replace itself',
    ['Scopes 3'],
    answering('POST /key/rotate', ({ body }) => {
      if (body?.reason) body.reason = 'scope-missing'
    }),
  ),
  mutant(
    'leaves an event out of the catalog',
    ['What happened 2'],
    answering('GET /events/types', ({ body }) => {
      body.splice(20, 1)
    }),
  ),
  mutant(
    'has a sample without what the record has',
    ['What happened 2'],
    answering('GET /events/types', ({ body }) => {
      delete body.at(20)?.sample?.id
    }),
  ),
  mutant(
    'names another scope of an event',
    ['What happened 2'],
    answering('GET /events/types', ({ body }) => {
      body[0].scope = 'guests:read'
    }),
  ),
  mutant(
    'takes any cursor of events for the first',
    ['What happened 3'],
    asking('GET /events', ({ query }) => {
      if (query.get('after') === 'nonsense') query.delete('after')
    }),
  ),
  mutant(
    'calls what was erased updated',
    ['Changes 4.3'],
    answering('GET /changes', ({ body }) => {
      for (const one of body.changes ?? []) if (one.change === 'erased') one.change = 'updated'
    }),
  ),
  mutant('reports a request that was refused', ['Changes 5'], () => {
    let guestName: string | undefined
    return {
      request: async (asked, next) => {
        const answer = await next(asked)
        if (isAt(asked, 'POST /reservations') && answer.status === 409) guestName = bodyOf(asked).guestName
        if (isAt(asked, 'GET /changes') && guestName) {
          const change = { kind: 'reservation', id: 1, change: 'created', revision: 1 }
          answer.body.changes.push({ ...change, at: new Date().toISOString(), data: { guestName } })
        }
        return answer
      },
    }
  }),
  mutant(
    'shows the visit of another booking',
    ['Visits 1'],
    answering('GET /visits/*', ({ body }) => {
      body.partySize++
    }),
  ),
  mutant(
    'names tables that no room has',
    ['Visits 2'],
    answering('GET /rooms', ({ body }) => {
      for (const room of body) room.tables = []
    }),
  ),
  mutant(
    'names a word of a query as a field',
    ['Problem form 3.2'],
    answering('GET /guests', ({ body }) => {
      for (const one of body?.errors ?? []) Object.assign(one, { pointer: '/limit', parameter: undefined })
    }),
  ),
  mutant(
    'gives another reason for what was only tried',
    ['Dry run 1.3'],
    answering('POST /dry-run', ({ body }) => {
      if (body?.wouldAnswer?.body?.reason) body.wouldAnswer.body.reason = 'closed'
    }),
  ),
  mutant('lets every key try everything', ['Dry run 3'], (fullKey) =>
    asking('POST /dry-run', ({ headers }) => {
      headers['x-service-key'] = fullKey
    })(),
  ),
  mutant(
    'orders changed records the other way around',
    ['Pages 2.3'],
    answering('GET /tasks', ({ body }, { query }) => {
      if (query.has('updatedSince') && Array.isArray(body)) body.reverse()
    }),
  ),
  mutant(
    'refuses a stage that it does not know',
    ['Pages 3.2'],
    instead('GET /leads', ({ query }) =>
      query.get('stage') === 'Daydream' ? json(400, { error: 'stage is unknown.' }) : undefined,
    ),
  ),
  mutant(
    'has a cursor that is always of now',
    ['Pages 4.2'],
    answering('GET /tasks', ({ headers }) => {
      headers['x-changes-cursor'] = 'latest'
    }),
  ),
  mutant(
    'takes a deleted reservation for unknown',
    ['Single records 3.2'],
    answering('GET /reservations/*', (answer) => {
      if (answer.status === 410) Object.assign(answer, json(404, { error: 'There is no such reservation.' }))
    }),
  ),
  mutant(
    'takes a change of nothing',
    ['Changing 1.3'],
    sending('PATCH /tasks/*', (body) =>
      Object.keys(body).length === 0 || 'colour' in body ? { priority: 'Low' } : body,
    ),
  ),
  mutant(
    'keeps the notes of a booking',
    ['Changing 2.1'],
    sending('PATCH /reservations/*', ({ notes: _notes, ...body }) => body),
  ),
  mutant(
    'moves a request without asking the rules',
    ['Changing 2.2'],
    sending('PATCH /reservations/*', (body) => (body.date < '2021' ? { notes: 'Moved.' } : body)),
  ),
  mutant(
    'takes a party at its table for unknown',
    ['Changing 2.5'],
    answering('POST /reservations/*/cancel', (answer) => {
      if (answer.status === 409) Object.assign(answer, json(404, { error: 'There is no such reservation.' }))
    }),
  ),
  mutant(
    'takes a party that nobody can reach',
    ['Changing 6.2'],
    sending('POST /waitlist', (body) => ({ phone: '+1 999 200 0000', ...body })),
  ),
  mutant(
    'takes no tag away',
    ['Changing 7'],
    sending('POST /subscribers/*/tags', ({ remove: _remove, ...body }) => body),
  ),
  mutant(
    'takes who left for suppressed',
    ['Changing 8'],
    answering('POST /subscribers/*/unsubscribe', ({ body }) => {
      if (body?.subscriber) body.subscriber.suppressed = true
    }),
  ),
]
