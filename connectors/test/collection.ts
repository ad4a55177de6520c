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
  readonly scope: (set: (name: string, value: unknown) => void, reply: unknown) => Record<string, unknown>
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

/** Sends the requests in an order, those that make something before those that need it. */
export const runCollection = async (
  { before, requests, scope }: Collection,
  { variables, nowMs }: Place,
): Promise<Answered[]> => {
  const values = new Map<string, unknown>(Object.entries(variables))
  const set = (name: string, value: unknown): void => void values.set(name, value)
  class HeldDate extends Date {
    static override now = (): number => nowMs
  }
  const run = (script: string, reply?: unknown): unknown =>
    runInNewContext(script, { ...scope(set, reply), Date: HeldDate })
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
    if (request.after !== undefined) run(request.after, body)
    answers.push({ request, status: response.status, body })
  }
  return answers
}

/**
 * An endpoint is created before the events it gets, and deleting comes last: what is read and changed is still there.
 */
export const inOrder = (requests: readonly CollectionRequest[]): CollectionRequest[] => {
  const place = ({ name, method }: CollectionRequest): number =>
    name === 'Add a webhook endpoint' ? 0 : method === 'DELETE' ? 2 : 1
  return requests.toSorted((a, b) => place(a) - place(b))
}
