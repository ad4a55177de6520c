import { limits } from '@venue-data/contract/limits.ts'
import { changeKey, widenKey } from '../../../integrations/access/change-key.ts'
import { limitOf } from '../../../integrations/access/key-check.ts'
import { type KeyRow, keyOfVenue } from '../../../integrations/access/keys.ts'
import { firstDay, usageOfKeys } from '../../../integrations/access/usage-reads.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { type FormSeen, idOf, typedIn } from '../parts/forms/fields.ts'
import { changeAsked } from './key-fields.ts'
import { keyPage } from './key.ts'

const home = '/office/integrations/keys'

/** One key: what it may do, until when, from where, how often, and how much it was used. */
export const keyPages = (context: Context): readonly VenuePage[] => {
  const show = async (work: OfficeWork, { params }: OfficeRequest, seen?: FormSeen): Promise<PageAnswer> => {
    const key = await keyIn(work, params)
    const { config } = context
    const usage = await usageOfKeys(work.db, [key.id], firstDay(work.now(), limits.usageDaysDefault))
    return page(
      key.name,
      keyPage({
        ...{ key, usage, seen, zone: work.venue.timezone, now: work.now() },
        limit: limitOf(config, key.rate_per_minute),
        most: config.rateLimitMostPerMinute,
      }),
    )
  }
  return [
    { method: 'GET', path: `${home}/:id`, role: 'owner', answer: (work, asked) => show(work, asked) },
    {
      method: 'POST',
      path: `${home}/:id`,
      role: 'owner',
      asksPassword: true,
      answer: async (work, { params, form }) => {
        const key = await keyIn(work, params)
        await changeKey(context, work, actorOf(work.me), key.id, changeAsked(form, work.venue.timezone, key))
        return go(`${home}/${key.id}`, 'Saved.')
      },
      again: (work, asked, refusal) =>
        show(work, asked, { typed: typedIn(asked.form), mistake: refusal.message }),
    },
    {
      method: 'POST',
      path: `${home}/:id/widen`,
      role: 'owner',
      answer: async (work, { params }) => {
        const { id, name } = await keyIn(work, params)
        await widenKey(context, work, actorOf(work.me), id)
        return go(`${home}/${id}`, `${name} may now do everything its access includes today.`)
      },
    },
  ]
}

const keyIn = async (
  { db, venue }: OfficeWork,
  { id }: Readonly<Record<string, string>>,
): Promise<KeyRow> => {
  const key = await keyOfVenue(db, venue.id, idOf(id, 'key'))
  if (!key) throw notFound('key')
  return key
}
