import type { Database } from '../../../platform/db/pool.ts'
import { columnsOf, sql } from '../../../platform/db/sql.ts'
import type { Outcome } from '../../../mail/mailer.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Wait } from '../reasons-to-wait.ts'
import { changeCampaign, changedRow } from './change-campaign.ts'
import { sendingLimits } from './limits.ts'
import { meaningOf } from './schedule.ts'
import { endSentence } from '../../../platform/kernel/sentence.ts'

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
  why: Wait,
  now: Temporal.Instant,
): Promise<boolean> =>
  changeCampaign(db, venue, now, (queries) =>
    queries.maybe(sql(changedRow)`
      update campaign set last_error = ${why}, revision = revision + 1, updated_at = ${now}
       where venue_id = ${venue} and id = ${campaign} and status in ('scheduled', 'sending')
         and last_error <> ${why}
      returning ${columnsOf(changedRow)}`),
  )

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
