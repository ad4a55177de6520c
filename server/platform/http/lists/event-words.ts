import { isEventOrPattern } from '@venue-data/contract/webhooks/events.ts'
import { inQuery } from '../../kernel/problem.ts'
import { badRequest } from '../../kernel/refusal.ts'

/**
 * The comma-separated events and patterns in a query parameter.
 *
 * @throws Refusal 400 when one is unknown or repeated.
 */
export const eventWords = (parameter: string, text: string): readonly string[] => {
  const words = text.split(',')
  if (!words.every(isEventOrPattern) || new Set(words).size !== words.length) {
    throw badRequest(
      `${parameter} must be different events, such as reservation.created or reservation.*, separated by commas.`,
      inQuery(parameter, 'not-a-word'),
    )
  }
  return words
}
