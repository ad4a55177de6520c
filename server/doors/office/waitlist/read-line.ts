import { eveningOf } from '../../../book/waitlist/actions.ts'
import { lineOf, outOfLine, partiesShown } from '../../../book/waitlist/evening.ts'
import { labelsPaged } from '../../../book/day/tables-of-booking-reads.ts'
import { textSenderOf } from '../../../book/texts/sender-store.ts'
import { lastTexts } from '../../../book/texts/texts-store.ts'
import { quoteFor } from '../../../book/waitlist/quote.ts'
import { unreachedParties } from '../../../book/waitlist/messages/failed-party-mails.ts'
import { partiesAhead } from '../../../book/waitlist/reads.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { minuteMark } from '../parts/each-minute.ts'
import { actorOf } from '../frame/actor.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import type { LinePlace } from './entry.ts'

export type LineSeen = {
  readonly place: LinePlace
  readonly inLine: readonly EntryRow[]
  readonly more: boolean
  /** Counted from 0. */
  readonly page: number
  readonly out: readonly EntryRow[]
  /** Parties ahead of a newcomer. */
  readonly ahead: number
  /** The wait quoted to a party of two that comes now, in minutes. */
  readonly quote: number
  readonly mark: string
}

export const readLine = async (work: OfficeWork, page: number): Promise<LineSeen> => {
  const { db, venue, me } = work
  const [mark, evening] = await Promise.all([minuteMark(work), eveningOf(work, work.now())])
  const [inLine, out, ahead, { minutes: quote }] = await Promise.all([
    lineOf(db, venue.id, page),
    outOfLine(db, venue.id, evening.serviceDateNow),
    partiesAhead(db, venue.id, evening.serviceDateNow, null),
    quoteFor(work, { serviceDate: evening.serviceDateNow, partySize: 2 }),
  ])
  const [texts, paged, unreached, sender] = await Promise.all([
    lastTexts(
      db,
      venue.id,
      'waitlist_entry',
      inLine.map(({ id }) => id),
    ),
    labelsPaged(db, venue.id, work.now()),
    unreachedParties(db, venue.id, evening.serviceDateNow),
    textSenderOf(db, venue.id),
  ])
  return {
    place: {
      ...evening,
      actor: actorOf(me),
      texts,
      mayText: sender !== undefined,
      unreached: new Set(unreached.map(({ id }) => id)),
      paged,
    },
    inLine: inLine.slice(0, partiesShown),
    more: inLine.length > partiesShown,
    page,
    out,
    ahead,
    quote,
    mark,
  }
}
