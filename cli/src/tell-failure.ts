import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  OutcomeUnknownError,
  type VenueDataError,
} from '@venue-data/sdk'
import { type ExitCode, exitCodes } from './exit-codes.ts'
import { InterruptedError, LocalError, NoKeyError, UsageError, codeOf } from './failures.ts'
import { actions } from './generated/actions.ts'
import { paint } from './print/paint.ts'
import { printable } from './print/printable.ts'
import type { World } from './world.ts'

type Told = {
  readonly code: ExitCode
  readonly sentence: string
  /** What a person looks up after the sentence; a program has it in `fields`. */
  readonly mark?: string
  /** Further lines. */
  readonly more?: readonly string[]
  /** For programs. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Prints one sentence about what went wrong to standard error; returns the exit code. */
export const tell = (error: unknown, args: readonly string[], { err, signal }: World): ExitCode => {
  if (signal.aborted || error instanceof InterruptedError) return exitCodes.interrupted
  const { code, sentence, mark, more = [], fields = {} } = toldOf(error)
  if (args.includes('--json')) {
    err.write(withoutKeys(`${JSON.stringify({ error: sentence, ...fields })}\n`))
    return code
  }
  const lines = [
    `${paint(err, 'red', 'Error:')} ${printable(mark === undefined ? sentence : `${sentence} (${mark})`)}`,
    ...more.map((one) => `  ${printable(one)}`),
  ]
  err.write(withoutKeys(`${lines.join('\n')}\n`))
  return code
}

/** A key may have been typed where another word belongs. */
const withoutKeys = (text: string): string => text.replaceAll(/service_sk_\w+/g, '[key]')

const toldOf = (error: unknown): Told => {
  if (error instanceof UsageError) return { code: exitCodes.usage, sentence: error.message }
  if (error instanceof NoKeyError) return { code: exitCodes.noKey, sentence: error.message }
  if (error instanceof LocalError) return { code: exitCodes.local, sentence: error.message }
  if (error instanceof ApiError) return refusal(error)
  if (error instanceof ConnectionError) return noAnswer(error)
  // The system's own sentence: no such file, no space left.
  if (codeOf(error) !== undefined) return { code: exitCodes.local, sentence: (error as Error).message }
  const { stack = String(error) } = Object(error) as Error
  return {
    code: exitCodes.local,
    sentence: 'Something went wrong in this program. Please report it:',
    more: stack.split('\n'),
  }
}

const refusal = (error: ApiError): Told => {
  const { status, reason, requestId, sentence, errors } = error
  const mark = [status, reason, requestId && `request ${requestId}`].filter(Boolean).join(', ')
  return {
    code: error instanceof AuthenticationError ? exitCodes.noKey : exitCodes.refused,
    sentence,
    mark,
    more: [
      ...errors.map(
        ({ pointer, parameter, header, detail }) =>
          `${pointer?.slice(1) ?? parameter ?? header ?? ''}: ${detail}`,
      ),
      ...retryAdvice(error),
    ],
    fields: { status, reason, requestId, ...(errors.length > 0 && { errors }), ...keyOf(error) },
  }
}

const noAnswer = (error: ConnectionError): Told => ({
  code: exitCodes.unreachable,
  sentence: `The service could not be reached: ${error.cause.message.replace(/\.?$/, '.')}`,
  more: error.mayBeDone ? ['It may have been done anyway.', ...retryAdvice(error)] : [],
  fields: { mayBeDone: error.mayBeDone, ...keyOf(error) },
})

const keyOf = ({ idempotencyKey }: VenueDataError): object => (idempotencyKey ? { idempotencyKey } : {})

/** What to do about a write with an unknown outcome. Most can be repeated under their Idempotency-Key. */
const retryAdvice = (error: VenueDataError): string[] => {
  if (error instanceof OutcomeUnknownError) return lookFirst(error)
  const isOpen =
    error instanceof ConnectionError
      ? error.mayBeDone
      : error instanceof ApiError && (error.status >= 500 || error.reason === 'still-processing')
  return isOpen && error.idempotencyKey
    ? [`To try again without doing it twice, add: --idempotency-key ${error.idempotencyKey}`]
    : []
}

/** The same key will not be taken again, and under another it would be done twice if it was done. */
const lookFirst = ({ operation }: OutcomeUnknownError): string[] => {
  const made = actions.find(({ id }) => id === operation)
  const list = actions.find(({ kind, pages }) => pages && kind === made?.kind)
  const look =
    made?.ids.length === 0 && list
      ? `Look whether it is there: venue-data ${list.verb} ${list.kind}`
      : 'No list shows whether it was done: ask the venue.'
  return [look, 'If not, send it again without --idempotency-key, or with another one.']
}
