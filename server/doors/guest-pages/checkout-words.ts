import { formatsFor } from '../../messages/guest-words/formats.ts'
import { wordsIn } from '../../messages/guest-words/words.ts'
import type { CheckoutWords, Speaking } from '../../tickets/online/by-key/begin-checkout.ts'
import { sentenceIn, titleIn } from './doors/book-secured.ts'
import { ticketsInWords } from './doors/tickets-facts.ts'
import type { Visit } from './frame/visit.ts'

/* What a payment that software begins is called on our page and on the processor's: the words of our own doors. */

const speakingOf = ({ venue, language, now }: Speaking) => ({
  venue: venue as Visit['venue'],
  now,
  words: wordsIn(language),
  formats: formatsFor(language, venue),
})

export const checkoutWords: CheckoutWords = {
  ofTickets: (speaking, date, seats) => ticketsInWords(speakingOf(speaking), date, seats),
  ofTable: (speaking, terms, date, experience) => {
    const saying = speakingOf(speaking)
    return { title: titleIn(saying, terms, date, experience), sentence: sentenceIn(saying, terms) }
  },
}
