import assert from 'node:assert/strict'
import { createCampaign } from '../../marketing/campaigns/actions.ts'
import { everyone } from '../../marketing/campaigns/audience/segments.ts'
import { cancelCampaign } from '../../marketing/campaigns/cancel.ts'
import { campaign } from '../../marketing/campaigns/reads.ts'
import { sendCampaign } from '../../marketing/campaigns/send.ts'
import { noteCounters } from '../../marketing/campaigns/sending/change-campaign.ts'
import { beginCampaign, finishCampaign, missCampaign } from '../../marketing/campaigns/sending/due.ts'
import { holdCampaign, noteWaiting } from '../../marketing/campaigns/sending/holds.ts'
import { editWords } from '../../marketing/campaigns/staff-edits.ts'
import { writeTested } from '../../marketing/campaigns/writes.ts'
import { type Scene, type Stage, afternoon, manager, post } from './stage.ts'

/** Every doing of the table with a campaign, played for real. */

const words = {
  ...{ name: 'Oysters', subject: 'Come', preheader: '', bodyHtml: '', bodyText: 'Hello', eventId: null },
  ...{ bodyFormat: 'guided' as const, seriesKey: '', seriesStep: null, seriesTotal: null },
}

const aDraft = async (stage: Stage) =>
  (
    await stage.act((work) =>
      createCampaign(work, manager, { ...words, bodyText: 'Hello', segment: everyone }),
    )
  ).id

/** A campaign in a status, tested and with people on its list. */
const inStatus = async (stage: Stage, status: string) => {
  const id = await aDraft(stage)
  await stage.query(
    `update campaign set status = $3, test_sent_at = $4, composed_at = $4, reliable = true, row_count = 2,
            scheduled_at = case when $3 = 'draft' then null else $4::timestamptz end,
            finished_at = case when $3 = 'sent' then $4::timestamptz end,
            failed_count = case when $3 = 'sent' then 2 else 0 end
      where venue_id = $1 and id = $2`,
    [stage.venue.id, id, status, afternoon],
  )
  return id
}

type Sending = (stage: Stage, id: number, now: Temporal.Instant) => Promise<unknown>

const sending =
  (status: string, doing: Sending): Scene =>
  async (stage) => {
    const id = await inStatus(stage, status)
    return async () => assert.ok(await doing(stage, id, stage.service.context.clock()))
  }

const hourAfter = (now: Temporal.Instant) => now.add({ hours: 1 })

export const campaignScenes = {
  'begin a campaign': [async (stage) => () => aDraft(stage)],
  'edit a campaign': [
    async (stage) => {
      const id = await aDraft(stage)
      return () => stage.act((work) => editWords(work, manager, { id, seenVersion: 1, words }))
    },
    async (stage) => {
      const id = await aDraft(stage)
      return () => post(stage, 'campaigns/compose', { id }, 200)
    },
    async (stage) => {
      const id = await aDraft(stage)
      const row = await stage.act(({ db }) => campaign(db, stage.venue.id, id))
      assert.ok(row)
      return () => stage.act(({ db }) => writeTested(db, stage.venue.id, row, stage.service.context.clock()))
    },
  ],
  'schedule a campaign': ['draft', 'sent'].map((status): Scene => async (stage) => {
    const id = await inStatus(stage, status)
    if (status === 'sent')
      await stage.query(
        `insert into recipient (venue_id, campaign_id, subscriber_id, email_key, state, why, due_at, ended_at)
       select $1, $2, n, 'a@example.com', 'failed', 'used-up', $3, $3 from generate_series(1, 2) as n`,
        [stage.venue.id, id, afternoon],
      )
    const asked = { id, scheduledAt: null, confirmCount: undefined }
    return () => stage.act((work) => sendCampaign(work, manager, async () => undefined, asked))
  }),
  'start a campaign': [
    sending('scheduled', ({ service, venue }, id, now) => beginCampaign(service.db, venue.id, id, now)),
  ],
  'count mails': [
    sending('sending', ({ service, venue }, id, now) =>
      noteCounters(service.db, venue.id, id, now.subtract({ hours: 48 }), now),
    ),
  ],
  'hold a campaign': [
    sending('sending', ({ service, venue }, id, now) =>
      holdCampaign(service.db, venue.id, id, hourAfter(now), 'The relay is down.', now),
    ),
  ],
  'say why a campaign waits': [
    sending('scheduled', ({ service, venue }, id, now) =>
      noteWaiting(service.db, venue.id, id, 'venue-paused', now),
    ),
  ],
  'finish a campaign': [
    sending('sending', ({ service, venue }, id, now) => finishCampaign(service.db, venue.id, id, now)),
  ],
  'cancel a campaign': [
    sending('scheduled', ({ service, venue }, id) =>
      cancelCampaign(service.context, { ...venue, plan: 'pro' }, manager, id),
    ),
  ],
  'miss a campaign': [
    sending('scheduled', ({ service, venue }, id, now) => missCampaign(service.db, venue.id, id, now)),
  ],
} as const satisfies Record<string, readonly Scene[]>
