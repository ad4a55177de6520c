import assert from 'node:assert/strict'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import type { TestService } from '../service.ts'

/** What the scenes of the table are played on: a venue of its own, open for dinner, in the afternoon. */
export type Stage = TestBook & {
  readonly service: TestService
  readonly at: (moment: string) => void
  /** The contact details that come along, where a doing has any. */
  readonly contact: { readonly email: string | null; readonly phone: null }
}

/** Sets the scene, and gives what is then done: the one thing that the row of the table is about. */
export type Scene = (stage: Stage) => Promise<() => Promise<unknown>>

export const afternoon = '2026-10-06T19:00:00Z'
export const dinnerTime = '2026-10-06T23:00:00Z'
export const manager = staff('manager')

export const openStage = async (service: TestService, email: string | null): Promise<Stage> => {
  service.setClock(afternoon)
  return { ...(await openBook(service)), service, at: service.setClock, contact: { email, phone: null } }
}

/** A call of the API that must go through. */
export const post = async ({ service, venue }: Stage, path: string, body: object, status = 201) => {
  const answer = await service.call('POST', `/api/v1/${path}`, { key: venue.key, body })
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

/** Changes a record through the API from any state. */
export const patch = async ({ service, venue }: Stage, path: string, body: object, status = 200) => {
  const answer = await service.call('PATCH', `/api/v1/${path}`, {
    key: venue.key,
    body,
    headers: { 'if-match': '*' },
  })
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

/** What an action answered must be that it was done. */
export const done = async <T extends { readonly kind: string }>(outcome: Promise<T>, kind = 'done') => {
  const is = await outcome
  assert.equal(is.kind, kind, JSON.stringify(is))
  return is
}
