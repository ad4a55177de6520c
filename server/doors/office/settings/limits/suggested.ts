import { numberInWords } from '../../../../platform/kernel/time/in-words.ts'
import { wholeNumberIn } from '../../parts/forms/fields.ts'

/** How many guests a time should take by the report that led to a form; anything else in the address suggests nothing. */
export const guestsSuggested = (query: URLSearchParams): number | undefined => {
  const guests = wholeNumberIn(query.get('guests') ?? '')
  return guests !== undefined && guests > 0 && guests <= mostSuggested ? guests : undefined
}

const mostSuggested = 999

/** " of Dinner": the service, where a form has several. */
export const suggestedInWords = (guests: number, ofService = ''): string =>
  `By your report, ${numberInWords(guests)} under “Guests per slot”${ofService} would have been enough.`
