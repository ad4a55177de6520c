import type { Answer, Asked, Broken, Next } from '../broken-proxy.ts'
import { answering, asking, bodyOf, isAt, json, mutant } from './mutant.ts'

const keyOf = ({ headers }: Asked): string | undefined => headers['idempotency-key']
const withoutKey = (asked: Asked): Asked => {
  const { 'idempotency-key': _key, ...headers } = asked.headers
  return { ...asked, headers }
}
const asReplay = (answer: Answer): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'idempotent-replayed': 'true', 'x-request-id': crypto.randomUUID() },
})

/** Keeps the first answer to a key by a rule of its own, and answers the rest of that key by it. */
const keeping =
  (
    keep: (answer: Answer) => boolean,
    again: (first: Answer, asked: Asked, next: Next, text: string | undefined) => Promise<Answer> | Answer,
    scope: (asked: Asked) => string = ({ path }) => path,
  ) =>
  (): Broken => {
    const first = new Map<string, { answer: Answer; text: string | undefined }>()
    return {
      request: async (asked, next) => {
        const key = keyOf(asked)
        if (key === undefined || asked.method !== 'POST') return next(asked)
        const name = `${scope(asked)} ${key}`
        const known = first.get(name)
        if (known) return again(known.answer, asked, next, known.text)
        const answer = await next(asked)
        if (keep(answer)) first.set(name, { answer, text: asked.text })
        return answer
      },
    }
  }

const clash = json(409, { error: 'This Idempotency-Key was used already.', reason: 'different-body' })
const isMade = ({ status }: Answer): boolean => status === 201

export const idempotencyMutants = [
  mutant(
    'ignores Idempotency-Key',
    ['Idempotency 1.5', 'Idempotency 1.6'],
    asking('POST *', (asked) => {
      delete asked.headers['idempotency-key']
    }),
  ),
  mutant(
    'does not mark a replay',
    ['Idempotency 1.5'],
    answering('POST *', ({ headers }) => {
      delete headers['idempotent-replayed']
    }),
  ),
  mutant(
    'marks every answer as a replay',
    ['Idempotency 1.1'],
    answering('POST *', ({ headers }) => {
      headers['idempotent-replayed'] = 'true'
    }),
  ),
  mutant(
    'replays with 200',
    ['Idempotency 1.2'],
    answering('POST *', (answer) => {
      if (answer.headers['idempotent-replayed']) answer.status = 200
    }),
  ),
  mutant(
    'does it again and says that it did not',
    ['Idempotency 1.6'],
    keeping(isMade, async (first, asked, next) => {
      await next(withoutKey(asked))
      return asReplay(first)
    }),
  ),
  mutant(
    'replays the newest record, not the first answer',
    ['Idempotency 1.4'],
    keeping(isMade, async (_first, asked, next) => asReplay(await next(withoutKey(asked)))),
  ),
  mutant(
    'compares bodies as text',
    ['Idempotency 1.7'],
    keeping(isMade, (_first, asked, next, text) => (text === asked.text ? next(asked) : clash)),
  ),
  mutant(
    'has one room for the keys of all endpoints',
    ['Idempotency 1.8'],
    keeping(
      isMade,
      (first) => asReplay(first),
      () => 'all',
    ),
  ),
  mutant(
    'does not compare bodies',
    ['Idempotency 2.1', 'Idempotency 2.5'],
    keeping(isMade, (first) => asReplay(first)),
  ),
  mutant(
    'takes another body as another request',
    ['Idempotency 2.5', 'Idempotency 2.6'],
    keeping(isMade, (_first, asked, next, text) => next(text === asked.text ? asked : withoutKey(asked))),
  ),
  mutant(
    'answers a clash with 422',
    ['Idempotency 2.3'],
    answering('POST *', (answer) => {
      if (answer.body?.reason === 'different-body') answer.status = 422
    }),
  ),
  mutant(
    'gives a clash no reason',
    ['Idempotency 2.2'],
    answering('POST *', ({ body }) => {
      if (body?.reason === 'different-body') delete body.reason
    }),
  ),
  mutant('does tries that arrive together each', ['Idempotency 3'], () => {
    const underWay = new Set<string>()
    return {
      request: async (asked, next) => {
        const key = keyOf(asked) ?? ''
        if (underWay.has(key)) return next(withoutKey(asked))
        underWay.add(key)
        return next(asked).finally(() => underWay.delete(key))
      },
    }
  }),
  mutant(
    'replays a refusal',
    ['Idempotency 5'],
    keeping(
      () => true,
      (first) => asReplay(first),
    ),
  ),
  mutant(
    'takes a key as used after a refusal',
    ['Idempotency 5'],
    keeping(
      ({ status }) => status === 409,
      (_first, asked, next, text) => (text === asked.text ? next(asked) : clash),
    ),
  ),
  mutant(
    'replays a reservation that was cancelled',
    ['Idempotency 6.1'],
    keeping(isMade, (first, asked, next) =>
      isAt(asked, 'POST /reservations') ? asReplay(first) : next(asked),
    ),
  ),
  mutant(
    'replays a lead that was deleted',
    ['Idempotency 6.2'],
    keeping(isMade, (first, asked, next) => (isAt(asked, 'POST /leads') ? asReplay(first) : next(asked))),
  ),
  mutant('takes two tasks of one title for one', ['Idempotency 7'], () => {
    const made = new Map<string, Answer>()
    return {
      request: async (asked, next) => {
        if (!isAt(asked, 'POST /tasks')) return next(asked)
        const { title } = bodyOf(asked)
        const known = made.get(title)
        if (known) return known
        const answer = await next(asked)
        made.set(title, answer)
        return answer
      },
    }
  }),
  mutant(
    'cuts a key that is too long',
    ['Idempotency 8.1'],
    asking('POST *', (asked) => {
      const key = keyOf(asked)
      if (key) asked.headers['idempotency-key'] = key.slice(0, 200)
    }),
  ),
  mutant(
    'takes a key with a blank',
    ['Idempotency 8.1'],
    asking('POST *', (asked) => {
      const key = keyOf(asked)
      if (key) asked.headers['idempotency-key'] = key.replaceAll(' ', '_')
    }),
  ),
  mutant(
    'keeps no answer about subscribers',
    ['Idempotency 1.3'],
    asking('POST /subscribers', ({ headers }) => {
      delete headers['idempotency-key']
    }),
  ),
  mutant(
    'lets the key of one lead do for another',
    ['Idempotency 2.4'],
    asking('POST /leads', ({ headers }) => {
      delete headers['idempotency-key']
    }),
  ),
]
