import type { Asked } from '../broken-proxy.ts'
import { answering, asking, instead, json, mutant } from './mutant.ts'

const list = 'GET /(reservations|guests|subscribers|ticket-orders|waitlist|leads|tasks)'
const without = (word: string) => asking(list, ({ query }) => query.delete(word))
const change = (word: string, to: (value: string) => string) =>
  asking(list, ({ query }) => {
    const value = query.get(word)
    if (value !== null) query.set(word, to(value))
  })
const over = ({ query }: Asked): boolean => Number(query.get('limit')) > 100

export const listMutants = [
  mutant(
    'lists the oldest first',
    ['Lists 1'],
    answering(list, ({ body }) => {
      if (Array.isArray(body)) body.reverse()
    }),
  ),
  mutant('ignores limit', ['Lists 2.1'], without('limit')),
  mutant(
    'gives 50 where 25 is the default',
    ['Lists 2.1'],
    asking(list, ({ query }) => {
      if (!query.has('limit')) query.set('limit', '50')
    }),
  ),
  mutant(
    'gives one record too few',
    ['Lists 2.1'],
    answering(list, ({ body }) => {
      if (Array.isArray(body)) body.pop()
    }),
  ),
  mutant(
    'refuses a limit over 100',
    ['Lists 2.2'],
    instead(list, (asked) => (over(asked) ? json(400, { error: 'limit must be at most 100.' }) : undefined)),
  ),
  mutant(
    'takes a limit over 100 as the default',
    ['Lists 2.2'],
    asking(list, (asked) => {
      if (over(asked)) asked.query.set('limit', '25')
    }),
  ),
  mutant(
    'leaves out the very moment of since',
    ['Lists 3.1'],
    change('since', (since) =>
      Number.isNaN(Date.parse(since)) ? since : new Date(Date.parse(since) + 1).toISOString(),
    ),
  ),
  mutant('ignores since', ['Lists 3.1'], without('since')),
  mutant(
    'ignores the offset of since',
    ['Lists 3.2'],
    change('since', (since) => since.replace(/[+-]\d\d:\d\d$/, 'Z')),
  ),
  mutant(
    'ignores an unreadable limit',
    ['Lists 4.1'],
    asking(list, ({ query }) => {
      if (!/^[1-9]\d*$/.test(query.get('limit') ?? '1')) query.delete('limit')
    }),
  ),
  mutant(
    'takes limit=0 as none',
    ['Lists 4.1'],
    asking(list, ({ query }) => {
      if (query.get('limit') === '0') query.delete('limit')
    }),
  ),
  mutant(
    'takes since without a zone as UTC',
    ['Lists 4.2'],
    change('since', (since) => (/T[\d:]+$/.test(since) ? `${since}Z` : since)),
  ),
  mutant(
    'does not say what since must be',
    ['Lists 4.2'],
    answering(list, (answer) => {
      if (answer.status === 400) answer.body = { error: 'Bad request.' }
    }),
  ),
  mutant(
    'says nothing of a next page',
    ['Pages 1.1'],
    answering(list, ({ headers }) => {
      delete headers['link']
      delete headers['x-next-cursor']
    }),
  ),
  mutant('gives the first page again and again', ['Pages 1.1', 'Pages 1.2'], without('after')),
  mutant(
    'takes any cursor',
    ['Pages 1.3'],
    asking(list, ({ query }) => {
      if (query.has('after') && (query.has('sort') || query.get('after') === 'l1_nonsense'))
        query.delete('after')
    }),
  ),
  mutant(
    'includes the moment of until',
    ['Pages 2.1'],
    change('until', (until) => new Date(Date.parse(until) + 1).toISOString()),
  ),
  mutant('ignores sort', ['Pages 2.2'], without('sort')),
  mutant(
    'turns sort around',
    ['Pages 2.2'],
    change('sort', (sort) =>
      sort === 'createdAt' ? '-createdAt' : sort === '-createdAt' ? 'createdAt' : sort,
    ),
  ),
  mutant('ignores status', ['Pages 3.1'], without('status')),
  mutant(
    'ignores an unknown status',
    ['Pages 3.1'],
    asking(list, ({ query }) => {
      if (query.get('status') === 'Foo') query.delete('status')
    }),
  ),
  mutant(
    'leaves out the day of dateTo',
    ['Pages 3.3'],
    answering('GET /reservations', (answer, { query }) => {
      if (!Array.isArray(answer.body) || !query.has('dateTo')) return
      answer.body = answer.body.filter(({ date }: { date: string }) => date < (query.get('dateTo') as string))
    }),
  ),
  mutant(
    'wants both email and phone',
    ['Pages 3.4'],
    asking(list, ({ query }) => {
      if (query.has('email')) query.delete('phone')
    }),
  ),
  mutant('ignores externalId', ['Pages 3.5'], without('externalId')),
  mutant(
    'counts the page alone',
    ['Pages 4.1'],
    answering(list, ({ headers, body }) => {
      if ('x-count' in headers) headers['x-count'] = String(body.length)
    }),
  ),
  mutant(
    'has nothing since a moment',
    ['Lists 5'],
    asking('GET /guests', ({ query }) => {
      if (query.has('since')) query.set('since', '2999-01-01T00:00:00Z')
    }),
  ),
]
