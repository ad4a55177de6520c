import type { Scope, VenueData } from '@venue-data/sdk'
import type { Confirmed } from '../confirmations.ts'
import type { Write } from '../generated/writes.ts'
import type { Session } from '../session.ts'
import { cleanText } from '../untrusted.ts'
import { type View, show, views } from '../views.ts'
import { checked } from './availability.ts'

/* The two calls of each write. */

type OperationId = Parameters<VenueData['call']>[0]
/** A tool's arguments, the request to the service, and its answer. */
export type Body = Readonly<Record<string, unknown>>
type Reply = { readonly status: number; readonly body: object }

const partsOf = ({ reads, body }: Write, { id, ...fields }: Body) => ({
  path: reads ? [id as number] : [],
  body: body ? fields : undefined,
})

/** The first call: says what would happen, and does nothing. */
export const tryWrite = async (name: string, write: Write, args: Body, session: Session): Promise<object> => {
  const { venue, confirmations } = session
  const { path, body } = partsOf(write, args)
  const before = write.reads ? await venue.call(write.reads as OperationId, { path }).withAnswer() : undefined
  const ifMatch = write.conditional ? before?.etag : undefined
  const tried = {
    method: write.method,
    path: `${write.path.replace('{id}', String(path[0]))}${write.alternatives ? '?alternatives=3' : ''}`,
    ...(body && { body }),
  }
  const [dry, check] = await Promise.all([
    venue.dryRun(tried, ifMatch === undefined ? {} : { ifMatch }) as Promise<{ wouldAnswer: Reply }>,
    checkOf(write, args, session),
  ])
  const { status, body: answer } = dry.wouldAnswer
  const shown = { before: before ? viewBefore(write, before.body, args) : null, check }
  if (status >= 300) return refused(write, answer as Body, shown)
  const say = [
    'Nothing was done yet.',
    ...aboutMatch(answer, 'would'),
    'Show this to the person you work for. If they agree, call again with the same arguments and `confirm` within ten minutes.',
  ].join(' ')
  return {
    ...{ status: 'needs-confirmation', confirm: confirmations.open(name, args, ifMatch), ...shown, say },
    ...outcome(write, { status, body: answer }, args, session),
  }
}

/** The second call: carries out what was confirmed. */
export const doWrite = async (
  write: Write,
  args: Body,
  session: Session,
  { idempotencyKey, ifMatch }: Confirmed,
): Promise<object> => {
  const request = { ...partsOf(write, args), idempotencyKey, ifMatch }
  const answer = await session.venue.call(write.operation as OperationId, request).withAnswer()
  const reply = { status: answer.status, body: answer.body as object }
  const say =
    reply.status === 202
      ? 'The venue was asked. Its staff will answer.'
      : ['It was done.', ...aboutMatch(reply.body, 'did')].join(' ')
  const came = outcome(write, reply, args, session)
  return { status: 'done', confirm: null, say, before: null, check: null, ...came }
}

/** What a new guest comes to who is on file already: what is empty is filled in, and nothing is replaced. */
const aboutMatch = (answer: object, mood: keyof typeof matched): string[] => {
  const { created, conflicting } = answer as Body
  if (created !== false) return []
  const fields = Object.keys(Object(conflicting) as object).join(' and ')
  const { found, kept } = matched[mood]
  return [found, ...(fields ? [`The record has another ${fields}, and ${kept}`] : [])]
}

const matched = {
  would: {
    found:
      'This guest is on file already: no new record would be made, and only empty fields would be filled in.',
    kept: 'would keep it; what was sent would go into the notes for staff.',
  },
  did: {
    found: 'This guest was on file already: no new record was made, and only empty fields were filled in.',
    kept: 'keeps it; what was sent went into the notes for staff.',
  },
}

/** What the rules say about the time of a new booking. */
const checkOf = async ({ operation }: Write, args: Body, { venue }: Session) => {
  if (operation !== 'createReservation') return null
  const { date, time, startsAt, partySize } = args as Record<
    'date' | 'time' | 'startsAt',
    string | undefined
  > & {
    readonly partySize: number
  }
  // The dry run decides whether they belong together.
  if (startsAt ? date || time : !(date && time)) return null
  const query = startsAt ? { startsAt, partySize } : { date, time, partySize }
  return venue.availability.check(query).then(checked, () => null)
}

const refused = (write: Write, { error, reason, alternatives }: Body, shown: object): object => ({
  ...{ status: 'refused', confirm: null, after: null, changed: null, venueIsAsked: false, ...shown },
  say: `It would be refused: ${cleanText(String(error))}${write.alternatives && Array.isArray(alternatives) ? ` Open instead: ${timesIn(alternatives)}.` : ''}`,
  reason: typeof reason === 'string' ? reason : null,
})

const timesIn = (times: readonly { readonly date?: unknown; readonly time?: unknown }[]): string =>
  times.map(({ date, time }) => `${String(date)} ${String(time)}`).join(', ') || 'nothing near it'

const outcome = (write: Write, { status, body }: Reply, args: Body, { account }: Session) => {
  const { [write.field]: record, changed, created } = body as Body
  // Somebody who was there before is not for everybody who may add one.
  const isHidden = created === false && !account.key.scopes.includes(readScopeOf(write))
  const shown = isHidden ? { id: (record as Body)['id'] } : record
  return {
    reason: null,
    after: shown == null ? null : viewAfter(write, shown as Body, args),
    changed: typeof changed === 'boolean' ? changed : null,
    venueIsAsked: status === 202,
  }
}

/** The scope that reads the kind of record. */
export const readScopeOf = ({ scope }: Write): Scope => `${scope.split(':')[0]}:read` as Scope

/** The record as it is, including the fields that the call itself names. */
const viewBefore = (write: Write, record: object, args: Body): object =>
  show(views[write.kind], record, { fields: Object.keys(namedBy(write, args)) })

/** As it came out. A create may have matched somebody: of contact details only those that were sent are shown. */
const viewAfter = (write: Write, record: Body, args: Body): object => {
  const view: View = views[write.kind]
  const sent = namedBy(write, args)
  const fields = Object.keys(sent).filter(
    (name) => !view.contact.includes(name) || isSameContact(sent[name], record[name]),
  )
  return show(view, record, { fields })
}

/** The arguments by the names of the record's fields: a new lead is sent with `email` and says `contactEmail`. */
const namedBy = ({ kind }: Write, { email, phone, ...others }: Body): Body => ({
  ...others,
  ...(email !== undefined && { [kind === 'lead' ? 'contactEmail' : 'email']: email }),
  ...(phone !== undefined && { [kind === 'lead' ? 'contactPhone' : 'phone']: phone }),
})

/** An email address ignoring letter case, a phone number by its digits. */
const isSameContact = (one: unknown, other: unknown): boolean => plainContact(one) === plainContact(other)

const plainContact = (value: unknown): string => {
  const text = typeof value === 'string' ? value.trim() : ''
  return text.includes('@') ? text.toLowerCase() : text.replaceAll(/\D/g, '')
}
