import { type Static, type TBoolean, type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import { type RecordKind, kinds, recordKinds } from '../kinds.ts'
import { limits } from '../limits.ts'
import { type ListWords, listQuery } from '../list-words.ts'
import type { Reason } from '../reasons.ts'
import type { Scope } from '../scopes.ts'
import { listOf, ref } from '../shapes.ts'

/** The groups of endpoints, in the order in which they are shown. */
export const groups = {
  Account: 'Whose key this is, and what it may do.',
  Availability: 'What can be booked, and why not.',
  Changes: 'What changed, for every kind of record: to keep your own copy in step.',
  Events: 'What happened, event by event, and which events there are.',
  Reservations: 'Bookings of tables: requested by you, confirmed and seated by staff.',
  Guests: 'The people the venue knows.',
  Search: 'People and bookings by part of a name, an email address or a phone number.',
  Subscribers: 'The email list, with the evidence that each person agreed.',
  'Ticket orders': 'Tickets for events of the venue: what is on sale, and what was ordered.',
  Checkouts: 'Payments on your own site: for tickets, or for a table that has to be secured.',
  Waitlist: 'Parties waiting for a table.',
  Visits: 'Who came, at which tables, and for how long.',
  Leads: 'Inquiries about private events.',
  Tasks: "Things for the venue's staff to do.",
  Campaigns: 'Marketing emails: write one, build its list, test it, send or schedule it, stop it.',
  Figures: 'What happened, in numbers.',
  Batches: 'Many records in one request, written one after the other.',
  'Dry run': 'What a write would do, without doing it.',
  Erasures: 'People the venue erased: which of your copies to delete, and confirming that they are gone.',
  'Webhook endpoints': 'Your addresses that receive events as they happen.',
  'Automation-platform hooks': "What the venue's automation platform uses in place of webhook endpoints.",
} as const

export type Group = keyof typeof groups

/*
 * One row per endpoint. The routes, the checks before them, the OpenAPI document, the reference page and the
 * conformance test are all made from these rows; a new row is served, checked and documented.
 */

export type Endpoint = {
  /** Name of the operation in the OpenAPI document. */
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path below the base address; `{name}` marks a parameter. */
  path: `/api/v1/${string}`
  group: Group
  /** The day it was added to version 1; absent: there from the beginning. */
  since?: string
  /** It will be removed: announced at one moment, gone at another, with the address of its successor. */
  deprecated?: { readonly at: string; readonly sunset: string; readonly successor: string }
  summary: string
  description: string
  /**
   * `any-key`: every key. `write`: a read and write key of either kind. `own-software`: a read and write key of kind
   * `api`, for any method.
   */
  access: 'any-key' | 'write' | 'own-software'
  /** The answer has an `ETag`; sent back in `If-None-Match`, it gets 304 while nothing has changed. */
  tagged?: true
  /** The scope a key needs in addition to `access`, which is checked first; absent: any key with that access. */
  scope?: Scope
  /**
   * What the path's parameters may be; absent: any text. A record's id is digits, so that fixed words can share its
   * place in the path.
   */
  params?: { readonly id: 'record' }
  /** The kind of the one record that is read or changed. */
  kind?: RecordKind
  /** The caller names in `If-Match` the version of the record it means to change. A change of fields requires it, or it
   * would overwrite changes made in between; a move is guarded by the states it starts from, so there it is optional.
   */
  precondition?: 'required' | 'optional'
  /** The body names a record by its id, which may not exist. */
  namesRecord?: true
  /** Takes several transactions while the caller waits, with none open in between; it may take this many seconds. */
  callsOutForSeconds?: number
  /** May delay an empty answer for as long as `wait` says, up to this many seconds. */
  waitsForSeconds?: number
  query?: Readonly<Record<string, TSchema>>
  /** The parameters that are required: 400 without them. */
  queryRequired?: readonly string[]
  /** The list's further parameters; it comes page by page. */
  list?: ListWords
  /** It comes page by page and takes no other list parameters. */
  paged?: true
  body?: TSchema
  /** Every field is optional, and so is the body itself. */
  bodyOptional?: true
  /** Can be tried with `POST /dry-run`: it reaches nobody outside, and happens in one transaction. */
  dryRun?: true
  /** `null` empties a field that may be empty, instead of leaving it as it is. */
  nullClears?: true
  /**
   * Whether the answer reveals that a person is known, as a search by contact details would, so a key with
   * `contacts:hidden` may not call it; a list: not with one of these fields in the body.
   */
  looksUpPerson?: true | readonly string[]
  /** Fields that no key may set, since staff or the service itself do: a body with one of them is refused, since ignoring it would look like success. */
  refusedFields?: readonly string[]
  bodyLimit?: { bytes: number; status: 400 | 413 }
  /** What happens to a retry whose first attempt started but never finished: the caller learns that the outcome is
   * unknown, or the retry takes over. Absent: the endpoint takes no Idempotency-Key.
   */
  idempotency?: 'outcome-unknown' | 'take-over'
  replies: Readonly<Record<number, TSchema>>
  /** What a 400 can be about besides size and Idempotency-Key, for the reference. */
  badRequest?: string
  /** What a 409 without a reason can be about. */
  conflict?: string
  reasons?: readonly Reason[]
  /** Sentences of reasons that read otherwise here than in the list of reasons. */
  sentences?: Readonly<Partial<Record<Reason, string>>>
}

export const email = Type.String({
  description: 'Email address, compared without regard to letter case.',
  examples: ['maya.okafor@example.com'],
})
export const phone = Type.String({
  description: `Phone number with at least ${limits.phoneDigitsLeast} digits.`,
})

export const partySize = Type.Unsafe<string>({
  type: 'integer',
  minimum: 1,
  maximum: limits.partyGuests,
  description: 'Number of guests.',
  examples: [4],
})

export const list = <T extends TSchema, const L extends ListWords>(
  id: string,
  path: Endpoint['path'],
  group: Group,
  schema: T,
  words: { summary: string; description: string; since?: string },
  known: L,
) =>
  ({
    id,
    method: 'GET',
    path,
    group,
    ...words,
    access: 'any-key',
    scope: scopeToRead(path),
    query: listQuery(known),
    list: known,
    replies: { 200: listOf(schema, 'Newest first unless another order is requested; possibly empty.') },
    badRequest:
      'A query parameter cannot be read, or `after` is not a cursor of this list with these filters.',
  }) as const satisfies Endpoint

/** The scope that reads the records whose list is at a path. */
const scopeToRead = (path: string): Scope => {
  const kind = Object.values(kinds).find((one) => one.path === path)
  if (!kind) throw new Error(`There is no kind of records at ${path}.`)
  return `${kind.scope}:read`
}

export const byCreation = ['-createdAt', 'createdAt', 'changed'] as const

/** One record of a kind, by its id. */
export const single = <K extends RecordKind>(id: string, kind: K, group: Group, name: string) =>
  ({
    id,
    method: 'GET',
    path: `${kinds[kind].path}/{id}`,
    params: { id: 'record' },
    kind,
    tagged: true,
    group,
    since: '2026-11-23',
    summary: `Read a ${name}`,
    description: `The ${name} as lists show it. \`ETag\` identifies its version: send it back in \`If-None-Match\` to get 304 and no body while nothing has changed.`,
    access: 'any-key',
    scope: `${kinds[kind].scope}:read`,
    replies: { 200: ref(kinds[kind].record as (typeof kinds)[K]['record']) },
    reasons: kinds[kind].gone,
  }) as const satisfies Endpoint

/** What every endpoint with an Idempotency-Key may answer when the key is already in use. */
export const keyClash = [
  'still-processing',
  'different-body',
  'answer-erased',
] as const satisfies readonly Reason[]

export const body64 = { bytes: limits.bodyBytes, status: 400 } as const

type Words = { readonly summary: string; readonly description: string }

type RecordOf<K extends RecordKind> = (typeof kinds)[K]['record']

/** The reply to a write of a kind: the record as it is now, and whether anything changed. */
type Written<K extends RecordKind> = TObject<
  { [F in (typeof kinds)[K]['field']]: TUnsafe<Static<RecordOf<K>>> } & { changed: TBoolean }
>

const writtenOf = Object.fromEntries(
  recordKinds.map((kind) => {
    const { field, record } = kinds[kind] as { field: string; record: TSchema & { title?: string } }
    const changed = Type.Boolean({
      description: 'Whether anything changed; false when it was that way already.',
      examples: [true],
    })
    const words = { title: `${record.title}Written`, description: 'The record as it is now.' }
    return [kind, Type.Object({ [field]: ref(record), changed }, words)]
  }),
) as unknown as { readonly [K in RecordKind]: Written<K> }

/** What writes to one record have in common. */
const write = <K extends RecordKind>(kind: K, group: Group) =>
  ({
    group,
    kind,
    params: { id: 'record' },
    since: '2026-11-23',
    access: 'write',
    scope: `${kinds[kind].scope as (typeof kinds)[K]['scope'] & EditedKind}:edit`,
    bodyLimit: body64,
    idempotency: 'take-over',
    replies: { 200: writtenOf[kind] },
  }) as const

/** The kinds whose records a key may change. */
type EditedKind = Scope extends infer S ? (S extends `${infer K}:edit` ? K : never) : never

/** What any move of a record of a kind may be refused for. */
export const moveReasonsOf = <K extends RecordKind>(kind: K) =>
  [
    ...(kinds[kind].gone as (typeof kinds)[K]['gone']),
    'changed-meanwhile',
    ...keyClash,
  ] as const satisfies readonly Reason[]

/** What any change of fields may be refused for. */
export const editReasonsOf = <K extends RecordKind>(kind: K) =>
  [...moveReasonsOf(kind), 'precondition-required'] as const satisfies readonly Reason[]

/** Changes fields of one record. */
export const patch = <K extends RecordKind, B extends TSchema>(
  id: string,
  kind: K,
  group: Group,
  words: Words,
  body: B,
) =>
  ({
    ...write(kind, group),
    id,
    method: 'PATCH',
    path: `${kinds[kind].path}/{id}`,
    ...words,
    body,
    dryRun: true,
    nullClears: true,
    precondition: 'required',
    badRequest: 'No field is named, or one cannot be read.',
    reasons: editReasonsOf(kind),
  }) as const satisfies Endpoint

/** Moves one record to another state. */
export const move = <K extends RecordKind>(id: string, kind: K, verb: string, group: Group, words: Words) =>
  ({
    ...write(kind, group),
    id,
    method: 'POST',
    path: `${kinds[kind].path}/{id}/${verb}`,
    ...words,
    dryRun: true,
    precondition: 'optional',
    reasons: moveReasonsOf(kind),
  }) as const satisfies Endpoint

/** The body an endpoint's row describes, after it was checked. */
export type BodyOf<E extends Endpoint> = E extends { body: infer B extends TSchema } ? Static<B> : undefined

/** An answer an endpoint's row allows: a status together with the body for that status. */
export type ReplyOf<E extends Endpoint> = {
  [S in keyof E['replies'] & number]: { status: S; body: Static<E['replies'][S] & TSchema> }
}[keyof E['replies'] & number]
