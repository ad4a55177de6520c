import { termsNow } from '../../../../book/reservations/guarantee/ask-table.ts'
import type { AskedTerms } from '../../../../book/reservations/guarantee/open-experiences.ts'
import { type HoldRow, holdOfEntry } from '../../../../book/reservations/holds/hold-reads.ts'
import { whenHeld } from '../../../../book/reservations/holds/holds.ts'
import { bookingRulesAround } from '../../../../book/rules/rules-store.ts'
import { askForOffer } from '../../../../book/waitlist/secured-offer.ts'
import type { PlaceRow } from '../../../../book/waitlist/guest-place.ts'
import type { Work } from '../../../../context.ts'
import type { GuestAnswer, GuestAnswerLater, Visit } from '../../frame/visit.ts'
import { typed } from '../../frame/visit.ts'
import { agreedText, sentenceIn } from '../book-secured.ts'
import { leadToPayment } from '../pay.ts'

/* A table that was offered, at a time for which the venue's page asks for a card or a deposit: taken once it is secured. */

export const termsOfOffer = async (
  work: Work,
  { venue }: Visit,
  hold: HoldRow,
): Promise<AskedTerms | undefined> => {
  const when = whenHeld(hold)
  const rules = await bookingRulesAround(work.db, work.venue, when.date)
  return termsNow(work, venue.country, rules, { ...when, partySize: hold.party_size })
}

/** Leads to the processor's page; undefined where nothing is asked, or the offer is over. */
export const secureOffer = async (
  work: Work,
  visit: Visit,
  row: PlaceRow,
): Promise<GuestAnswer | GuestAnswerLater | undefined> => {
  const hold = row.status === 'offered' ? await holdOfEntry(work.db, work.venue.id, row.id) : undefined
  if (!hold || Temporal.Instant.compare(Temporal.Instant.from(hold.expires_at), visit.now) <= 0)
    return undefined
  const terms = await termsOfOffer(work, visit, hold)
  if (!terms) return undefined
  // Something else is asked by now: the page shows what.
  if (typed(visit, 'agreed') !== agreedText(terms, visit)) return { to: visit.link(visit.path) }
  const { words, formats, language } = visit
  const when = whenHeld(hold)
  const title = `${words.secure[terms.kind]}: ${visit.venue.name}, ${formats.day(when.date)}`
  const checkout = await askForOffer(work, {
    ...{ entry: row, hold, when, terms, language },
    sentence: sentenceIn(visit, terms),
    title: title.slice(0, mostOfTitle),
  })
  if (checkout === undefined) return { to: visit.link(visit.path) }
  return { after: (context) => leadToPayment(context, visit, checkout) }
}

const mostOfTitle = 200
