import type { Figures } from '@venue-data/contract/records/figures.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { letterAddress } from '../../../core/staff/weekly-letter.ts'
import { withHoursBefore } from '../../../data/reports/past-hours.ts'
import { firstServiceDate } from '../../../data/reports/report-reads.ts'
import { type FiguresAsked, countFigures } from '../../../data/reports/count-figures.ts'
import { unsubscribeMailbox } from '../../../mail/copy-address.ts'
import { makeLinkToken } from '../../../mail/link-token.ts'
import type { Gate } from '../../../platform/db/gate.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { readBy } from '../../../platform/kernel/time/in-words.ts'
import { formatsFor } from '../../guest-words/formats.ts'
import { type Writing, type Written, speakingIn } from '../writing.ts'
import { letterOf } from './letter-of-week.ts'
import { whatWaits } from './waiting.ts'

/** A worker's connections are not those that a venue's requests wait for. */
const withoutGate: Gate = (_venue, work) => work()

/**
 * The letter about a week to one of the venue's staff, in English like the office it leads to: the seven days until Sunday in
 * every country, as a letter on Monday that leaves out yesterday is of no use, those from Monday on, and what waits for an
 * answer as of when it is written. No guest is named in it.
 */
export const weeklyLetter = async ({ work, context, venue, settings, mail }: Writing): Promise<Written> => {
  const to = await letterAddress(work.db, venue.id, mail.record_id)
  if (to === undefined || mail.week === null) return { dropped: 'they no longer get the letter' }
  const { week: first } = mail
  const count = (asked: FiguresAsked): Promise<Figures> => countFigures(work, withoutGate, asked)
  const form = { country: venue.country, clockHours: venue.clock_hours }
  const past = await count({
    ...{ from: addDays(first, -7), to: addDays(first, -1), compare: 'before' },
    names: [
      'parties',
      'covers',
      'no_shows',
      'cancelled',
      'guests',
      'sources',
      'sizes',
      'open_ends',
      'refused',
    ],
  })
  const ahead = await count({ from: first, to: addDays(first, 6), compare: undefined, names: ['booked'] })
  const rules = await withHoursBefore(work.db, venue, await allBookingRules(work.db, venue.id))
  const since = await firstServiceDate(work.db, venue.id)
  const facts = { venue, first, past, ahead, rules, since, waiting: await whatWaits(work) }
  const token = makeLinkToken(context.secrets, 'letter', {
    ...{ venue: venue.id, subscriber: mail.record_id, campaign: 0 },
  })
  const { publicUrl, mailBounceDomain: domain } = context.config
  const mailbox = domain === undefined ? null : unsubscribeMailbox(token, domain)
  return {
    speaking: { ...speakingIn('en', settings, venue), formats: formatsFor('en', venue, venue.clock_hours) },
    letter: readBy(form, () => ({
      ...letterOf(facts, publicUrl),
      to,
      replyTo: null,
      why: 'You get this letter on Mondays because you asked for it in the office, under Your account.',
      leave: { words: 'Stop this letter', url: `${publicUrl}/l/${token}`, mailbox },
    })),
  }
}
