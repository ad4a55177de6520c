import type { VenueData } from '@venue-data/sdk'
import type { Confirmed } from '../confirmations.ts'
import type { Write } from '../generated/writes.ts'
import type { Session } from '../session.ts'
import { cleanText } from '../untrusted.ts'
import { type Include, show, views } from '../views.ts'
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
  const shown = { before: before ? view(write, before.body, args) : null, check }
  if (status >= 300) return refused(write, answer as Body, shown)
  return {
    ...{ status: 'needs-confirmation', confirm: confirmations.open(name, args, ifMatch), ...shown },
    say: 'Nothing was done yet. Show this to the person you work for. If they agree, call again with the same arguments and `confirm` within ten minutes.',
    ...outcome(write, { status, body: answer }, args),
  }
}

/** The second call: carries out what was confirmed. */
export const doWrite = async (
  write: Write,
  args: Body,
  { venue }: Session,
  { idempotencyKey, ifMatch }: Confirmed,
): Promise<object> => {
  const request = { ...partsOf(write, args), idempotencyKey, ifMatch }
  const { status, body } = await venue.call(write.operation as OperationId, request).withAnswer()
  const say = status === 202 ? 'The venue was asked. Its staff will answer.' : 'It was done.'
  const came = outcome(write, { status, body }, args)
  return { status: 'done', confirm: null, say, before: null, check: null, ...came }
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

const outcome = (write: Write, { status, body }: Reply, args: Body) => {
  const { [write.field]: record, changed } = body as Body
  return {
    reason: null,
    after: record == null ? null : view(write, record, args),
    changed: typeof changed === 'boolean' ? changed : null,
    venueIsAsked: status === 202,
  }
}

/** The record, including the fields that the call itself names. */
const view = ({ kind }: Write, record: unknown, args: Body): object => {
  const include: Include = { fields: Object.keys(args) }
  return show(views[kind], record as object, include)
}
