import { answering, instead, json, mutant, records, sending, bodyOf, asking } from './mutant.ts'

const withoutZ = (moment: unknown): unknown =>
  typeof moment === 'string' ? moment.replace(/Z$/, '+00:00') : moment

export const conventionMutants = [
  mutant(
    'refuses in plain text',
    ['Conventions 1'],
    answering('* *', ({ status, headers }) => {
      if (status >= 400) headers['content-type'] = 'text/plain'
    }),
  ),
  mutant(
    'answers an unknown address with a page',
    ['Conventions 1'],
    answering('* *', (answer) => {
      if (answer.status === 404)
        Object.assign(answer, { headers: { 'content-type': 'text/html' }, body: '<h1>404</h1>' })
    }),
  ),
  mutant(
    'leaves out fields without a value',
    ['Conventions 2.1'],
    records('GET /guests/find', (guest) => {
      for (const [field, value] of Object.entries(guest)) if (value === null) delete guest[field]
    }),
  ),
  mutant(
    'has "" where there is no value',
    ['Conventions 2.1'],
    records('GET /guests/find', (guest) => {
      for (const [field, value] of Object.entries(guest)) if (value === null) guest[field] = ''
    }),
  ),
  mutant(
    'drops a field of reservations',
    ['Reservations 1'],
    records('* /reservations*', (one) => {
      delete one.cancelledBy
    }),
  ),
  mutant(
    'renames a field of reservations',
    ['Reservations 1'],
    records('* /reservations*', (one) => {
      one.name = one.guestName
      delete one.guestName
    }),
  ),
  mutant(
    'has numbers as text',
    ['Reservations 1'],
    records('* /reservations*', (one) => {
      one.partySize = String(one.partySize)
    }),
  ),
  mutant(
    'refuses unknown fields',
    ['Conventions 2.2'],
    instead('POST /tasks', (asked) =>
      'colour' in (bodyOf(asked) ?? {}) ? json(400, { error: 'colour is not known.' }) : undefined,
    ),
  ),
  mutant(
    'keeps unknown fields',
    ['Conventions 2.2'],
    answering('POST /tasks', ({ body }, asked) => {
      if (body.task) Object.assign(body.task, { ...bodyOf(asked), ...body.task })
    }),
  ),
  mutant(
    'has dates as moments',
    ['Conventions 3.1'],
    records('* /reservations*', (one) => {
      one.date = `${one.date}T00:00:00Z`
    }),
  ),
  mutant(
    'has times in 12 hours',
    ['Conventions 3.1'],
    records('* /reservations*', (one) => {
      one.time = `${Number(one.time.slice(0, 2)) % 12}${one.time.slice(2)} PM`
    }),
  ),
  mutant(
    'names no IANA time zone',
    ['Conventions 3.2'],
    answering('GET /me', ({ body }) => {
      if (body.venue) body.venue.timezone = 'Eastern Time'
    }),
  ),
  mutant(
    'ends moments in +00:00',
    ['Conventions 4'],
    records('* /guests*', (one) => {
      one.createdAt = withoutZ(one.createdAt)
    }),
  ),
  mutant(
    'has moments as numbers',
    ['Conventions 4'],
    records('* /guests*', (one) => {
      one.createdAt = Date.parse(one.createdAt)
    }),
  ),
  mutant(
    'has moments of the venue’s clock',
    ['Conventions 4'],
    records('* /guests*', (one) => {
      one.createdAt = new Date(Date.parse(one.createdAt) - 4 * 3_600_000).toISOString()
    }),
  ),
  mutant(
    'shows less in lists than in replies',
    ['Conventions 5'],
    answering('GET /guests', ({ body }) => {
      for (const guest of body) guest.phone = null
    }),
  ),
  mutant(
    'sends no request id',
    ['Conventions 6'],
    answering('* *', ({ headers }) => {
      delete headers['x-request-id']
    }),
  ),
  mutant(
    'has one request id for everything',
    ['Conventions 6'],
    answering('* *', ({ headers }) => {
      headers['x-request-id'] = '00000000-0000-4000-8000-000000000000'
    }),
  ),
  mutant(
    'lets pages of browsers call',
    ['Conventions 6'],
    answering('* *', ({ headers }) => {
      headers['access-control-allow-origin'] = '*'
    }),
  ),
  mutant(
    'lets caches keep answers',
    ['Conventions 6'],
    answering('* *', ({ headers }) => {
      headers['cache-control'] = 'max-age=60'
    }),
  ),
  mutant(
    'wraps lists in an object',
    ['Service 2', 'Lists 1'],
    answering('GET /guests', (answer) => {
      answer.body = { data: answer.body, total: 1 }
    }),
  ),
  mutant(
    'shows notes about guests',
    ['Service 7'],
    answering('POST /guests', ({ body }, asked) => {
      if (body.guest) body.guest.notes = bodyOf(asked).notes
    }),
  ),
  mutant(
    'serves version 2 as version 1',
    ['Versioning 1'],
    asking('* /api/v2/*', (asked) => {
      asked.path = asked.path.replace('/api/v2', '')
    }),
  ),
  mutant(
    'refuses unknown words of a query',
    ['Versioning 3'],
    instead('GET *', ({ query }) =>
      query.has('page') ? json(400, { error: 'page is not known.' }) : undefined,
    ),
  ),
  mutant(
    'reads "2" as a number',
    ['Reservations 2.2'],
    sending('POST /reservations', (body) => ({
      ...body,
      partySize: typeof body.partySize === 'string' ? Number(body.partySize) : body.partySize,
    })),
  ),
]
