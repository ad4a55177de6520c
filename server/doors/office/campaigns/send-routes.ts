import type { Blocker } from '@venue-data/contract/records/campaign.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { cancelCampaign } from '../../../marketing/campaigns/cancel.ts'
import { checkContent } from '../../../marketing/campaigns/checklist/check-content.ts'
import { countsOf } from '../../../marketing/campaigns/present.ts'
import { sendCampaign } from '../../../marketing/campaigns/send.ts'
import { testCampaign } from '../../../marketing/campaigns/send-a-test.ts'
import { askSender } from '../../../marketing/campaigns/checklist/sender-facts.ts'
import type { Context } from '../../../context.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { typedTime } from '../../../platform/kernel/typed-fields.ts'
import { momentOfWall } from '../../../platform/kernel/time/venue-clock.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, go } from '../frame/page.ts'
import { idOf, typedIn, wholeNumberIn } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { sendPage } from './send.ts'
import { home } from './words.ts'
import { campaignOf } from './write.ts'

/** Tested, sent or scheduled, stopped, sent again. For managers. */
export const sendPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: `${home}/:id/send`,
    role: 'manager',
    answer: async (work, { params }) => sendPage(context, work, await campaignOf(work, params.id)),
  },
  {
    method: 'POST',
    path: `${home}/:id/test`,
    role: 'manager',
    apart: true,
    answerWithinSeconds: limits.campaignTestSeconds,
    answer: async ({ venue }, { params }) => {
      const id = idOf(params.id, 'campaign')
      const here = `${home}/${id}/send`
      try {
        const { to, alsoSent, alsoFailed } = await testCampaign(context, venue, id)
        const reached = `The test went to ${[to, ...alsoSent].join(', ')}. Check it before you send.`
        return go(
          here,
          alsoFailed.length === 0
            ? reached
            : warning(`${reached} Not delivered to: ${alsoFailed.join(', ')}.`),
        )
      } catch (error) {
        if (error instanceof Refusal && [409, 503].includes(error.status))
          return go(here, warning(error.message))
        throw error
      }
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/send`,
    role: 'manager',
    before: ({ db, venue }) => askSender(context, db, venue.id),
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'campaign')
      const { row, pending } = await sendCampaign(work, actorOf(work.me), checkContent(context), {
        id,
        scheduledAt: scheduledIn(work, form),
        confirmCount: confirmedIn(form),
      })
      return go(
        `${home}/${row.id}/report`,
        `On its way to ${counted(pending, 'person', 'people')}; see below.`,
      )
    },
    again: async (work, { params, form }, refusal) => {
      const row = await campaignOf(work, params.id)
      const blockers = (refusal.details['blockers'] ?? []) as readonly Blocker[]
      return sendPage(context, work, row, { typed: typedIn(form), mistake: refusal.message, blockers })
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/cancel`,
    role: 'manager',
    apart: true,
    answerWithinSeconds: limits.cancelSeconds,
    answer: async (work, { params }) => {
      const id = idOf(params.id, 'campaign')
      const row = await cancelCampaign(context, work.venue, actorOf(work.me), id)
      const { sent, pending } = countsOf(row)
      return go(
        `${home}/${id}/report`,
        sent + pending === 0
          ? 'Stopped. Nobody was emailed.'
          : warning(
              `Stopped. ${counted(sent, 'email was', 'emails were')} already sent and cannot be recalled.${pending > 0 ? ` ${counted(pending, 'is', 'are')} on the way right now.` : ''}`,
            ),
      )
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'campaign')}/report`, warning(message)),
  },
]

/** When it goes out: now, or at a day and time, venue local. */
const scheduledIn = ({ venue, now }: OfficeWork, form: Form): Temporal.Instant | null => {
  if (form.text('when') !== 'later') return null
  const date = readDate(form.text('date').trim())
  if (date === undefined) throw badRequest('Choose the day to send it.')
  const time = typedTime('The time', form.text('time'))
  if (time === null) throw badRequest(`Enter the time to send it, such as ${timeInWords('10:00')}.`)
  const clock = now()
  const moment = momentOfWall({ date, time }, venue.timezone, clock)
  if (!moment) throw badRequest('That time does not exist on that day at the venue: the clocks go forward.')
  if (Temporal.Instant.compare(moment, clock) < 0) throw badRequest('That time has already passed.')
  return moment
}

const confirmedIn = (form: Form): number => {
  const count = wholeNumberIn(form.text('confirmCount').replaceAll(/[\s,.]/g, ''))
  if (count === undefined) throw badRequest('Type the number of people it goes to, to confirm it.')
  return count
}
