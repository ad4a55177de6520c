import assert from 'node:assert/strict'
import type { Answer } from '../../../test/service.ts'

/** One change as a client reads it. */
export type Item = {
  readonly kind: string
  readonly id: number
  readonly change: string
  readonly revision: number
  readonly at: string
  readonly mergedInto?: number
  readonly data: { readonly id: number; readonly revision: number; readonly [field: string]: unknown } | null
}

export type Ask = (query: string) => Promise<Answer>

export const readChanges = async (
  ask: Ask,
  query = '',
): Promise<{ items: Item[]; next: string; more: boolean }> => {
  const { status, text, body } = await ask(query)
  assert.equal(status, 200, text)
  return { items: body.changes, next: body.next, more: body.more }
}

/** Follows the feed from a cursor, or from the beginning, until there is no more. `words` are added to each query. */
export const walkChanges = async (
  ask: Ask,
  after?: string,
  words = '',
): Promise<{ items: Item[]; next: string; pages: number }> => {
  const items: Item[] = []
  for (let pages = 1, from = after; ; pages++) {
    const page = await readChanges(
      ask,
      [from === undefined ? '' : `after=${from}`, words].filter(Boolean).join('&'),
    )
    items.push(...page.items)
    if (!page.more) return { items, next: page.next, pages }
    assert.notEqual(page.next, from, 'the cursor did not move')
    from = page.next
  }
}

/** A copy as the guide to the API says to keep it. */
export const makeCopy = () => {
  const records = new Map<string, NonNullable<Item['data']>>()
  return {
    records,
    apply: (items: readonly Item[]): void => {
      for (const { kind, id, data } of items) {
        const key = `${kind} ${id}`
        const mine = records.get(key)
        if (data === null) records.delete(key)
        else if (!mine || data.revision >= mine.revision) records.set(key, data)
      }
    },
  }
}

/** One event as a client reads it. */
export type Told = {
  readonly eventId: string
  readonly event: string
  readonly names: readonly string[]
  readonly occurredAt: string
  readonly record: { readonly kind: string; readonly id: number; readonly revision: number } | null
  readonly changed: readonly string[]
  readonly data: Readonly<Record<string, unknown>> | null
}

export const readEvents = async (
  ask: Ask,
  query = '',
): Promise<{ items: Told[]; next: string; more: boolean }> => {
  const { status, text, body } = await ask(query)
  assert.equal(status, 200, text)
  return body
}

/** Goes from page to page of the events, as `walkChanges` does. */
export const walkEvents = async (
  ask: Ask,
  after?: string,
  words = '',
): Promise<{ items: Told[]; next: string; pages: number }> => {
  const items: Told[] = []
  for (let pages = 1, from = after; ; pages++) {
    const page = await readEvents(
      ask,
      [from === undefined ? '' : `after=${from}`, words].filter(Boolean).join('&'),
    )
    items.push(...page.items)
    if (!page.more) return { items, next: page.next, pages }
    assert.notEqual(page.next, from, 'the cursor did not move')
    from = page.next
  }
}
