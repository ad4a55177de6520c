import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { type EventName, kindOfEvent } from '@venue-data/contract/webhooks/events.ts'
import { type RecordKind, kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'

/*
 * What a key sees that may not see everything. With `contacts:hidden` records keep their shape, but fields that identify
 * a person or say how to reach them are null. Without the scope to read a kind, a write shows only which record it
 * changed or matched. Answers are masked as they are sent, including stored ones, which hold what the first key saw.
 */

export const hidesContacts = (scopes: readonly Scope[]): boolean => scopes.includes('contacts:hidden')

/** A record as a key with these scopes sees it. */
export const maskedFor = <T extends object>(scopes: readonly Scope[], kind: RecordKind, record: T): T => {
  return hidesContacts(scopes) ? (without(kinds[kind].contacts, record) as T) : record
}

/** Fields next to records that say something about a person. */
const wordsBeside: Readonly<Record<string, readonly string[]>> = { refundRequest: ['reason'] }

const without = (hidden: readonly string[], record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([field, value]) => [field, hidden.includes(field) ? null : value]),
  )

type Answered<T> = { readonly status: number; readonly body: T }

/** An answer as a key with these scopes sees it; every record in it is masked, at any depth. */
export const maskedAnswer = <T>(
  scopes: readonly Scope[],
  endpoint: Endpoint,
  { status, body }: Answered<T>,
): T => {
  // What a request has made, its caller knows already.
  const isBlind = status !== 201 && mayNotRead(scopes, endpoint)
  if (!isBlind && !hidesContacts(scopes)) return body
  return masked(isBlind ? blind : (kind, one) => maskedFor(scopes, kind, one), kindOf(endpoint), body) as T
}

/** The same for an answer already serialized. */
export const maskedText = (
  scopes: readonly Scope[],
  endpoint: Endpoint,
  { status, body }: Answered<string>,
): string =>
  seesAll(scopes, endpoint)
    ? body
    : JSON.stringify(maskedAnswer(scopes, endpoint, { status, body: JSON.parse(body) }))

/** Whether nothing in the answers of an endpoint is masked for a key with these scopes. */
export const seesAll = (scopes: readonly Scope[], endpoint: Endpoint): boolean =>
  !hidesContacts(scopes) && !mayNotRead(scopes, endpoint)

/**
 * Whether an endpoint answers a write with a record that was there before, of a kind that the key may not read: writing
 * must be no way around that.
 */
const mayNotRead = (scopes: readonly Scope[], endpoint: Endpoint): boolean => {
  if (!endpoint.precondition && !endpoint.looksUpPerson) return false
  const kind = kindAt(endpoint)
  return kind !== undefined && !scopes.includes(`${kinds[kind].scope}:read`)
}

/** A record of which nothing is shown but which one it is, and what a record cannot be without. */
const blind = (kind: RecordKind, record: object): object => {
  const shape = kinds[kind].record.properties as Readonly<Record<string, { readonly type?: unknown }>>
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => {
      if (Array.isArray(value)) return [field, []]
      return [field, [shape[field]?.type].flat().includes('null') ? null : value]
    }),
  )
}

/** An event's data, as JSON text, as a key with these scopes sees it. The same input always gives the same bytes. */
export const maskedData = (scopes: readonly Scope[], event: EventName, data: string): string => {
  const kind = hidesContacts(scopes) ? kindOfEvent(event) : undefined
  return kind === undefined ? data : JSON.stringify(maskedFor(scopes, kind, JSON.parse(data)))
}

/** A refusal's details, which may include the record's current state. */
export const maskedDetails = (
  scopes: readonly Scope[],
  endpoint: Endpoint,
  details: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const see: See = mayNotRead(scopes, endpoint) ? blind : (kind, record) => maskedFor(scopes, kind, record)
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      masked(see, name === 'current' ? kindAt(endpoint) : undefined, value),
    ]),
  )
}

/** The kind of the records in a list, or of the single record at a path. */
const kindOf = (endpoint: Endpoint): RecordKind | undefined =>
  endpoint.method === 'GET' ? kindAt(endpoint) : undefined

export const kindAt = ({ path }: Endpoint): RecordKind | undefined =>
  recordKinds.find((kind) => path === kinds[kind].path || path.startsWith(`${kinds[kind].path}/`))

/** What is shown of a record. */
type See = (kind: RecordKind, record: object) => object

/**
 * `kind`: what the value is if it is a record. Otherwise its fields determine their kind, by the names used in the
 * kind's replies.
 */
const masked = (see: See, kind: RecordKind | undefined, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => masked(see, kind, one))
  if (typeof value !== 'object' || value === null) return value
  if (kind) return see(kind, value)
  const told = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(told)
      // Knowing that something differs also reveals its content.
      .filter(([field]) => field !== 'conflicting')
      .map(([field, inner]) => [
        field,
        valuesBefore.has(field) ? {} : maskedIn(wordsBeside[field], masked(see, kindIn(told, field), inner)),
      ]),
  )
}

const maskedIn = (hidden: readonly string[] | undefined, value: unknown): unknown =>
  hidden && typeof value === 'object' && value !== null ? without(hidden, value) : value

/** Fields next to a record that hold its previous values. */
const valuesBefore: ReadonlySet<string> = new Set(['replaced', 'previous'])

const kindIn = (told: Record<string, unknown>, field: string): RecordKind | undefined => {
  const named = recordKinds.find((kind) => kinds[kind].field === field)
  if (named) return named
  // A change or an event names the kind of its data.
  if (field !== 'data') return undefined
  return recordKinds.find((kind) => kind === told['kind']) ?? kindOfEvent(told['event'] as EventName)
}

/** Whether a request searches people by contact details, which would reveal who has an address. */
export const looksForContact = (
  { list, query: known = {} }: Endpoint,
  query: Readonly<Record<string, unknown>>,
): boolean => {
  const words = ['email', 'phone'].filter((word) => word in known)
  return words.length > 0 && (list === undefined || words.some((word) => query[word] !== undefined))
}

/** Whether a body has a contact detail by which the answer would tell who is known. */
export const namesContact = ({ looksUpPerson }: Endpoint, body: object): boolean =>
  Array.isArray(looksUpPerson) && looksUpPerson.some((field) => Object.hasOwn(body, field))

/**
 * Whether trying a change would tell a key that sees no contact details what they are: a dry run says whether anything
 * would change, and so whether a guess is right, as often as one likes. The change itself writes over what is there.
 */
export const comparesHidden = (scopes: readonly Scope[], endpoint: Endpoint, body: object): boolean => {
  const kind = endpoint.method === 'PATCH' && hidesContacts(scopes) ? kindAt(endpoint) : undefined
  return kind !== undefined && kinds[kind].contacts.some((field) => Object.hasOwn(body, field))
}
