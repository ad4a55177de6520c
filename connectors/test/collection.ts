import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'

/* A collection as the programs for them run it, one request after the other: variables, scripts and what is switched on. */

/** A request as written in the file, with its variables. */
export type CollectionRequest = {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** What runs after its reply. */
  readonly after: string | undefined
}

export type Collection = {
  /** What runs before each request. */
  readonly before: string
  readonly requests: readonly CollectionRequest[]
  /** What scripts find under the names of the program. */
  readonly scope: (
    set: (name: string, value: unknown) => void,
    answer: { readonly status: number; readonly body: unknown } | undefined,
  ) => Record<string, unknown>
}

export type Answered = {
  readonly request: CollectionRequest
  readonly status: number
  readonly body: Record<string, unknown>
}

type Place = {
  readonly variables: Readonly<Record<string, string>>
  /** The time that scripts see, in milliseconds. */
  readonly nowMs: number
}

/** What scripts of both programs check with. */
export const checks = {
  test: (_name: string, check: () => void): void => check(),
  expect: (list: readonly unknown[]) => ({
    to: {
      include: (one: unknown) =>
        assert.ok(list.includes(one), `${String(one)} is none of ${list.join(', ')}`),
    },
  }),
}

/** The clock that scripts see, held: no test passes on some weekdays only. */
const dateAt = (nowMs: number): DateConstructor =>
  class HeldDate extends Date {
    constructor(given: string | number = nowMs) {
      super(given)
    }
    static override now = (): number => nowMs
  } as DateConstructor

/** The variables that a collection makes before each request, at that moment. */
export const madeAt = ({ before, scope }: Collection, nowMs: number): ReadonlyMap<string, unknown> => {
  const made = new Map<string, unknown>()
  const set = (name: string, value: unknown): void => void made.set(name, value)
  runInNewContext(before, { ...scope(set, undefined), Date: dateAt(nowMs) })
  return made
}

/** Sends the requests from top to bottom. */
export const runCollection = async (
  { before, requests, scope }: Collection,
  { variables, nowMs }: Place,
): Promise<Answered[]> => {
  const values = new Map<string, unknown>(Object.entries(variables))
  const set = (name: string, value: unknown): void => void values.set(name, value)
  const run = (script: string, answer?: Answered): unknown =>
    runInNewContext(script, { ...scope(set, answer), Date: dateAt(nowMs) })
  const filled = (text: string): string =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
      if (name === '$guid') return crypto.randomUUID()
      if (!values.has(name)) throw new Error(`No variable is called ${name}.`)
      return String(values.get(name))
    })

  const answers: Answered[] = []
  for (const request of requests) {
    run(before)
    const response = await fetch(filled(request.url), {
      method: request.method,
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, filled(value)]),
      ),
      ...(request.body !== undefined && { body: filled(request.body) }),
    })
    const body = (await response.json()) as Record<string, unknown>
    const answer = { request, status: response.status, body }
    answers.push(answer)
    if (request.after === undefined) continue
    try {
      run(request.after, answer)
    } catch (error) {
      throw new Error(`${request.name}: ${response.status} ${JSON.stringify(body)}`, { cause: error })
    }
  }
  return answers
}
