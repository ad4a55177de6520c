import { campaignsToCome, isMissed } from '../../marketing/campaigns/sending/due.ts'
import { lookingAtPaid } from '../../marketing/subscribers/looking-at-paid.ts'
import { allVenues } from '../../core/venue/venues.ts'
import { lookFirst } from '../../tickets/online/restored/look-first.ts'
import { countWaiting } from '../../integrations/webhooks/engine/sweep.ts'
import { bare, command } from './command.ts'
import { sheet, table } from './print.ts'

/** After a restore nothing is sent automatically (platform/db/sending-hold.ts) until somebody has looked and says so. */
export const resumeCommand = command({
  words: 'resume sending',
  about:
    'Ends the hold that a restored copy starts with: what was paid since the backup is looked at first, then waiting webhooks, hooks and campaigns go out within seconds. With --dry-run it only prints them. Safe to repeat.',
  flags: { 'dry-run': bare },
  run: async (context, { 'dry-run': isDryRun }) => {
    const { db, hold, clock } = context
    const now = clock()
    const venues = new Map((await allVenues(db)).map(({ id, slug }) => [id as number, slug]))
    const deliveries = await countWaiting(db, now)
    const campaigns = (await campaignsToCome(db)).map((row) => ({
      venue: venues.get(row.venue_id) ?? '',
      id: row.id,
      name: row.name,
      status: row.status,
      scheduledAt: row.scheduled_at,
      pending: row.pending,
      tooLate: row.status === 'scheduled' && isMissed(row, now),
    }))
    const since = await hold.look()
    const payments =
      since === null || isDryRun
        ? null
        : await lookFirst(context, Temporal.Instant.from(since), lookingAtPaid)
    const heldSince = isDryRun ? since : await hold.release()
    return {
      json: { heldSince, resumed: !isDryRun, deliveries, campaigns, payments },
      text: [
        sheet({ heldSince, resumed: !isDryRun, deliveries, campaigns: campaigns.length }),
        ...(payments === null || payments.notHere + payments.checkouts === 0
          ? []
          : [
              `Payments under way: ${payments.checkouts} looked at; ${payments.notHere} of Stripe’s are not written here.`,
            ]),
        ...(payments?.denied ?? []).map(
          (slug) =>
            `Stripe does not take a key of ${slug}, or does not let it read disputes: what was paid with it, or disputed, since the backup is not known yet. It is looked at again every 15 minutes for a week, and at once when an owner pastes another key.`,
        ),
        ...(campaigns.length === 0
          ? []
          : [
              '',
              table(campaigns, {
                VENUE: ({ venue }) => venue,
                ID: ({ id }) => id,
                CAMPAIGN: ({ name }) => name,
                STATUS: ({ status }) => status,
                'SCHEDULED AT': ({ scheduledAt }) => scheduledAt,
                PENDING: ({ pending }) => pending,
                'TOO LATE': ({ tooLate }) => tooLate,
              }),
            ]),
      ].join('\n'),
    }
  },
})
