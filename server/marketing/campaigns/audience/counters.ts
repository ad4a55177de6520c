import type { Composed } from '@venue-data/contract/records/campaign.ts'
import { leastForHoldout, whatItTakes } from './holdout.ts'
import type { ComposedRow } from './list.ts'
import { recipientsOf } from '../reads.ts'
import type { Sources } from './sources.ts'
import { numberInWords } from '../../../platform/kernel/time/in-words.ts'

export type Asked = {
  readonly isDraft: boolean
  /** The segment says `all`, which does not include unconfirmed sign-ups. */
  readonly isAll: boolean
  /** The venue's hold-out share; the row has the one that was used. */
  readonly holdoutPct: number
  readonly sources: Pick<Sources, 'isMatchedKnown' | 'isWhole' | 'unknownTags'>
}

/**
 * The counters that a compose returns (docs/api.md#the-list). People left out by exclude.tags, mailedWithinDays or
 * campaigns are not part of what the segment describes. Once the count is confirmed, neither are people who could
 * have been added since, or who were skipped and are not put back. So matched = noEmail + suppressed + unsubscribed +
 * excludedTicketHolders + heldBack + added + alreadyPresent.
 */
export const countersOf = (row: ComposedRow, asked: Asked): Omit<Composed, 'ok' | 'campaign'> => {
  const pending = asked.isAll ? 0 : row.pending
  const unsubscribed = row.never_subscribed + pending + row.left_list + row.paused + row.no_birthday_mails
  return {
    recipientsTotal: recipientsOf(row),
    heldBack: row.held,
    holdoutPct: row.holdout_pct,
    added: row.added,
    alreadyPresent: row.present,
    removed: row.removed,
    keptInFlight: row.in_flight,
    matched:
      row.no_address +
      row.suppressed +
      unsubscribed +
      row.ticket_holders +
      row.mailable -
      row.newcomers -
      row.skipped_before,
    noEmail: row.no_address,
    unsubscribed,
    suppressed: row.suppressed,
    excludedTicketHolders: row.ticket_holders,
    holdUntil: row.send_hold_until,
    matchedKnown: asked.sources.isMatchedKnown,
    reliable: asked.sources.isMatchedKnown && asked.sources.isWhole,
    notes: notesOf(row, asked),
  }
}

const mostNotes = 10

const notesOf = (row: ComposedRow, { isDraft, holdoutPct, sources }: Asked): string[] =>
  [
    !sources.isMatchedKnown &&
      'Something the segment names is not there any more, so not everybody it means could be found.',
    !sources.isWhole && 'The event whose ticket holders are to be left out is not there any more.',
    row.newcomers > 0 &&
      `${people(row.newcomers)} would be new and ${were(row.newcomers)} left out, because the count was confirmed already.`,
    row.skipped_before > 0 &&
      `${people(row.skipped_before)} ${were(row.skipped_before)} taken off the list before and ${were(row.skipped_before)} not put back.`,
    row.in_flight > 0 &&
      `${people(row.in_flight)} no longer ${row.in_flight === 1 ? 'matches' : 'match'}, but their mail is on its way or sent.`,
    sources.unknownTags > 0 &&
      `${sources.unknownTags === 1 ? 'One of the tags is' : `${sources.unknownTags} of the tags are`} not in use at this venue.`,
    isDraft &&
      holdoutPct > 0 &&
      row.holdout_pct === 0 &&
      `Nobody was held back, because the list has fewer than ${leastForHoldout} people.`,
    isDraft &&
      row.holdout_pct > 0 &&
      whatItTakes({ people: row.mailable, held: row.held, percent: row.holdout_pct }),
    row.cut > 0 && `${people(row.cut)} ${were(row.cut)} left out by the segment's own exclusions.`,
    row.pending > 0 &&
      `${people(row.pending)} ${row.pending === 1 ? 'has' : 'have'} not confirmed their sign-up and ${were(row.pending)} left out.`,
    row.never_subscribed > 0 &&
      `${people(row.never_subscribed)} never subscribed and ${were(row.never_subscribed)} left out.`,
    row.left_list > 0 &&
      `${people(row.left_list)} ${row.left_list === 1 ? 'is' : 'are'} unsubscribed and ${were(row.left_list)} left out.`,
    row.paused > 0 && `${people(row.paused)} paused their mail and ${were(row.paused)} left out.`,
    row.no_birthday_mails > 0 &&
      `${people(row.no_birthday_mails)} ${row.no_birthday_mails === 1 ? 'wants' : 'want'} no birthday mail and ${were(row.no_birthday_mails)} left out.`,
  ]
    .filter((note) => typeof note === 'string')
    .slice(0, mostNotes)

const people = (count: number): string => (count === 1 ? '1 person' : `${numberInWords(count)} people`)
const were = (count: number): string => (count === 1 ? 'was' : 'were')
