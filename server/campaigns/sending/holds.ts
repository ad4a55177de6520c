import type { Database } from '../../db/pool.ts'
import { columnsOf, sql } from '../../db/sql.ts'
import type { Outcome } from '../../mail/mailer.ts'
import type { VenueId } from '../../venue/venue.ts'
import { changeCampaign, changedRow } from './change-campaign.ts'
import { sendingLimits } from './limits.ts'
import { meaningOf } from './schedule.ts'
import { endSentence } from '../../kernel/sentence.ts'

/** Nothing of the campaign leaves before `until`, and everybody can read why. */
export const holdCampaign = (
  db: Database,
  venue: VenueId,
  campaign: number,
  until: Temporal.Instant,
  why: string,
  now: Temporal.Instant,
): Promise<boolean> =>
  changeCampaign(
    db,
    venue,
    now,
    (queries) =>
      queries.maybe(sql(changedRow)`
      update campaign
         set send_hold_until = ${until}, last_error = ${why}, revision = revision + 1, updated_at = ${now}
       where venue_id = ${venue} and id = ${campaign} and status in ('scheduled', 'sending')
         and (send_hold_until is null or send_hold_until < ${until})
      returning ${columnsOf(changedRow)}`),
    ['campaign.held'],
  )

/**
 * Says why a campaign that is due waits without an end in sight: its venue is paused, or sending is on hold. It is missed
 * after a while as ever.
 */
export const noteWaiting = (
  db: Database,
  venue: VenueId,
  campaign: number,
  why: string,
  now: Temporal.Instant,
): Promise<boolean> =>
  changeCampaign(db, venue, now, (queries) =>
    queries.maybe(sql(changedRow)`
      update campaign set last_error = ${why}, revision = revision + 1, updated_at = ${now}
       where venue_id = ${venue} and id = ${campaign} and status in ('scheduled', 'sending')
         and last_error <> ${why}
      returning ${columnsOf(changedRow)}`),
  )

export const pausedSentence = 'The venue is paused; sending resumes when the pause ends.'

export const restoredSentence =
  'The service was restored from a backup, or moved, and sending is on hold. It goes on when whoever runs the service ends the hold.'

export const senderSentence =
  'The venue has another sender by now, which is not confirmed. Confirm it under Settings, Venue; sending goes on within a quarter of an hour.'

/** Why a campaign that was due never began, from what it said meanwhile; where nothing held it, nobody looked. */
export const whyMissed = (lastError: string): string =>
  lastError === pausedSentence
    ? 'the venue was paused'
    : lastError === senderSentence
      ? "the venue's sender was not confirmed"
      : lastError === restoredSentence
        ? 'sending was on hold after a restore'
        : 'the service was not running'

/** One plain sentence on why nothing is sent for now; never an address. */
export const holdSentence = (outcome: Outcome): string => {
  const said = outcome.answer === '' ? '' : `: ${outcome.answer}`
  if (outcome.kind === 'relay-trouble') {
    return `The mail relay cannot be used (${outcome.phase}${said}). Sending resumes by itself when it can.`
  }
  if (outcome.kind === 'unknown')
    return `${endSentence(`The mail relay breaks off in the middle of mails${said}`)} Sending resumes by itself, one mail at a time.`
  return meaningOf(outcome).kind === 'failed'
    ? `${endSentence(`The mail relay refused ${sendingLimits.refusalsToHold} people in a row for good${said}`)} It is asked again every quarter of an hour, one mail at a time.`
    : `${endSentence(`The mail relay refuses the sender${said}`)} It is asked again every quarter of an hour.`
}
