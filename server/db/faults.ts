import { codeOf } from '../kernel/code-of.ts'

/*
 * What a database error means for the caller. Decided by SQLSTATE or by the client's own code, never by
 * constraint names: behind a sharded table they carry shard numbers.
 */

/** The database cannot be reached, is going down or coming up, or has no room: 503, try again. */
export const isDatabaseDown = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined && (downCodes.has(code) || /^(08|53)/.test(code))) return true
  const { message } = error as { message?: unknown }
  return typeof message === 'string' && downMessages.some((words) => message.includes(words))
}

/** The transaction lost a race with another one and may be run again as a whole. */
export const isWorthAnotherTry = (error: unknown): boolean => retryCodes.has(codeOf(error) ?? '')

/**
 * It is about the server, the schema or the connection, so whoever asks meets it; what one venue's own rows bring about is
 * something else, a statement that takes too long for their number included.
 */
export const isForEverybody = (error: unknown): boolean => {
  const code = codeOf(error)
  if (code !== undefined && /^(0A|42|58)/.test(code)) return true
  return code !== '57014' && isDatabaseDown(error)
}

/** A named statement outlived a change of the columns it returns; it works on a new connection. */
export const isStale = (error: unknown): boolean => codeOf(error) === '0A000'

/** COMMIT was sent and no answer came: the work may be done or not. */
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
  '25006', // a database that only reads, such as one that is no primary any more
  'XX000', // a shard's node went away in the middle
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])

/** Losses the driver reports without a code. */
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
