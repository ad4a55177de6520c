import { codeOf } from '../kernel/code-of.ts'
import { type Refusal, refuse } from '../kernel/refusal.ts'

/*
 * What a database error means for the caller. Decided by SQLSTATE or by the client's own code, never by
 * constraint names, since on a sharded table they contain shard numbers: but for what keeps erased records erased.
 */

/** A write would give an erased record personal data again: its caller is refused, whichever way it came. */
export const erasedAgain = (error: Error): Refusal | undefined => {
  const { code, constraint } = error as { readonly code?: unknown; readonly constraint?: unknown }
  return code === '23514' && typeof constraint === 'string' && /_stays_erased(?:_\d+)?$/.test(constraint)
    ? refuse('erased', 'This record was erased, and takes no personal data again.')
    : undefined
}

/** The database cannot be reached, is shutting down or starting up, or is out of resources: 503, try again. */
export const isDatabaseDown = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined && (downCodes.has(code) || /^(08|53)/.test(code))) return true
  const { message } = error as { message?: unknown }
  return typeof message === 'string' && downMessages.some((words) => message.includes(words))
}

/** The server has no room to write (disk, memory, or a limit of its own on either). Reading may well go on. */
export const isOutOfRoom = (error: unknown): boolean =>
  ['53100', '53200', '53400'].includes(codeOf(error) ?? '')

/** Waits for a write that its reader can do without: where there is no room for it, it is left undone. */
export const ifThereIsRoom = async (write: Promise<unknown>): Promise<void> => {
  await write.catch((error: unknown) => {
    if (!isOutOfRoom(error)) throw error
  })
}

/** The transaction lost a race with another one and may be run again as a whole. */
export const isWorthAnotherTry = (error: unknown): boolean => retryCodes.has(codeOf(error) ?? '')

/** Somebody else was first, as a write found out: the transaction is run again, and sees what they wrote. */
export const lostRace = (what: string): Error => Object.assign(new Error(what), { code: '40001' })

/**
 * The error is about the server, the schema or the connection, so anybody would get it. Errors caused by one venue's own
 * rows are different, including a statement that takes too long because there are so many.
 */
export const isForEverybody = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined && /^(0A|42|58)/.test(code)) return true
  return code !== '57014' && isDatabaseDown(error)
}

/** The columns that a prepared statement returns have changed since; it works on a new connection. */
export const isStale = (error: unknown): boolean => codeOf(error) === '0A000'

/** COMMIT was sent and no answer came: the work may or may not be done. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause })
    this.name = 'CommitUnknown'
  }
}

const downCodes = new Set([
  '57014', // statement_timeout, or cancelled by an administrator
  '57P01',
  '57P02',
  '57P03',
  '57P05', // idle in transaction for too long
  '25P03',
  '25006', // a read-only database, such as a former primary
  'XX000', // a shard's node went away halfway through
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])

/** Lost connections that the driver reports without a code. */
const downMessages = [
  'Connection terminated',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed',
  'Cannot use a pool after calling end',
]

const retryCodes = new Set([
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock_timeout
  '0A000', // see isStale
])
