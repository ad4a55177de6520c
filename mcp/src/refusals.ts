import {
  ApiError,
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  ServerError,
  VenueDataError,
} from '@venue-data/sdk'
import { cleanText } from './untrusted.ts'

/** A refusal by this server itself, with a sentence for the caller. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** Who calls is not signed in; `challenge` says where to do it. */
export class Unauthorized extends Refusal {
  override name = 'Unauthorized'
  readonly challenge: string | undefined
  constructor(sentence: string, challenge?: string) {
    super(sentence)
    this.challenge = challenge
  }
}

const sameAgain = 'use the same confirmation again, which does nothing twice.'

/** The sentence a tool answers with when something went wrong. It contains no part of a record, a key or a stack. */
export const sentenceOf = (error: unknown): string => {
  if (error instanceof Refusal) return error.message
  if (error instanceof OutcomeUnknownError)
    return 'An earlier attempt never finished, so nobody can say whether it was done. Look for the record before trying again.'
  if (error instanceof RateLimitError) {
    const { retryAfterSeconds: seconds } = error
    return `The service takes no more requests from this key for now.${seconds === undefined ? '' : ` Try again in ${Math.ceil(seconds)} seconds.`}`
  }
  if (isStillProcessing(error)) return `The service still works on it. In a few seconds, ${sameAgain}`
  if (error instanceof ApiError) {
    const { sentence, status, reason, requestId } = error
    const facts = [`status ${status}`, reason && `reason ${reason}`, requestId && `request ${requestId}`]
    const said = `The service refused: ${cleanText(sentence)} (${facts.filter(Boolean).join(', ')})`
    // Only writes that can be sent again carry an Idempotency-Key.
    const mayBeDone = error instanceof ServerError && error.idempotencyKey !== undefined
    return mayBeDone ? `${said} It may have done this nevertheless: ${sameAgain}` : said
  }
  if (error instanceof ConnectionError)
    return `The service could not be reached.${error.mayBeDone ? ` It may have done this nevertheless: ${sameAgain}` : ''}`
  if (error instanceof VenueDataError) return 'The call failed.'
  return 'Something went wrong in this server. Nothing is known of why.'
}

/** Whether an error leaves it unknown if a write was done, or says that it was not done and can be repeated. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  error instanceof ServerError ||
  error instanceof RateLimitError ||
  isStillProcessing(error)

/** An earlier attempt, whose answer was lost, has not ended yet. */
const isStillProcessing = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'still-processing'
