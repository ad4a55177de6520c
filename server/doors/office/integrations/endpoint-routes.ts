import { deliveryStatuses } from '@venue-data/contract/webhooks/logged-delivery.ts'
import { keysOfVenue } from '../../../integrations/access/keys.ts'
import type { Context } from '../../../context.ts'
import { html } from '../../../platform/html/html.ts'
import { useFormToken } from '../../../platform/http/form-token.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { deliveriesOf } from '../../../integrations/webhooks/deliveries/reads.ts'
import { type OwnersEndpoint, endpointForOwner, triesOf } from '../../../integrations/webhooks/owner.ts'
import { rotateSecret } from '../../../integrations/webhooks/rotate-secret.ts'
import { changeEndpoint } from '../../../integrations/webhooks/settings.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, nothing, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { typedIn } from '../parts/forms/fields.ts'
import { warning } from '../parts/press-message.ts'
import { type SettingsSeen, isOverlap, settingsParts } from './endpoint-settings.ts'
import { endpointPage, endpointState } from './endpoints.ts'
import { livePart, markOf } from './live.ts'
import { whyNothingIsSent } from './shut.ts'

const home = '/office/integrations/endpoints'
/** How many deliveries of an endpoint its page shows. */
const deliveriesShown = 50

/** One endpoint: how deliveries to it are doing, what is sent, and its secret. */
export const endpointPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'owner',
    answer: (work, asked) => show(work, asked),
  },
  {
    method: 'POST',
    path: `${home}/:id/pause`,
    role: 'owner',
    answer: async (work, { params }) => {
      const id = endpointIdOf(params)
      await changeEndpoint(work, context, actorOf(work.me), { id, changes: { status: 'paused' } })
      return go(`${home}/${id}`, 'Paused. What happens is held for 48 hours.')
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/settings`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const id = endpointIdOf(params)
      await changeEndpoint(work, context, actorOf(work.me), { id, changes: settingsIn(form) })
      return go(`${home}/${id}`, 'Saved.')
    },
    again: (work, asked, refusal) => show(work, asked, cameBack(asked, 'settings', refusal.message)),
  },
  {
    method: 'POST',
    path: `${home}/:id/secret`,
    role: 'owner',
    asksPassword: true,
    answer: (work, { params, form }) => makeSecret(context, work, endpointIdOf(params), form),
    again: (work, asked, refusal) => show(work, asked, cameBack(asked, 'secret', refusal.message)),
  },
]

const show = async (
  work: OfficeWork,
  { params, query, partOnly }: OfficeRequest,
  back?: SettingsSeen,
): Promise<PageAnswer> => {
  const { db, venue, now } = work
  const id = endpointIdOf(params)
  // Read before the lists: a change in between shows at the next refresh, instead of never.
  const [one, shut] = await Promise.all([endpointForOwner(db, venue.id, id), whyNothingIsSent(work)])
  if (!one) throw notFound('webhook endpoint')
  const mark = markOf([one], now(), shut)
  if (partOnly && query.get('seen') === mark) return nothing
  const [deliveries, tries, keys] = await Promise.all([
    deliveriesOf(db, venue.id, id, { limit: deliveriesShown, statuses: deliveryStatuses }, now()),
    triesOf(db, venue.id, id),
    keysOfVenue(db, venue.id),
  ])
  const state = livePart(
    { id: 'endpoint', address: `${home}/${id}`, mark },
    endpointState(one, { deliveries: deliveries.rows, tries, keys }, venue.timezone, shut),
  )
  if (partOnly) return part(state)
  const settings = isSettable(one) && settingsParts(one, venue.timezone, now(), back)
  return page('Endpoint', endpointPage(one, state, settings))
}

/** Not a hook. */
const isSettable = ({ kind }: OwnersEndpoint): boolean => kind === 'webhook'

const cameBack = ({ form }: OfficeRequest, which: SettingsSeen['form'], mistake: string): SettingsSeen => ({
  form: which,
  seen: { typed: typedIn(form), mistake },
})

const settingsIn = (form: Form) => {
  const description = form.text('description').trim()
  return {
    description: description === '' ? null : description,
    payload: form.has('thin') ? ('thin' as const) : ('full' as const),
    include: form.has('previous') ? (['previous'] as const) : [],
    signatures: form.has('standard') ? (['service', 'standard'] as const) : (['service'] as const),
  }
}

/** The secret is in the response to the form and nowhere else: it cannot be shown again. */
const makeSecret = async (
  context: Context,
  work: OfficeWork,
  id: string,
  form: Form,
): Promise<PageAnswer> => {
  const replace = form.has('replace')
  const hours = form.text('overlap')
  if (!replace && !isOverlap(hours))
    throw badRequest('Choose from the list how long the current secret keeps working.')
  const to = `${home}/${id}`
  if (!(await useFormToken(work.db, work.venue.id, 'webhook-secret', form.text('token'), work.now()))) {
    return go(to, warning('This secret was already made. If you did not copy it, make another.'))
  }
  const asked = { id, overlapHours: replace ? 0 : Number(hours), replace }
  const { secret } = await rotateSecret(work, context, actorOf(work.me), asked)
  return page(
    'Your new secret',
    html`<div class="page-head"><h1>New signing secret</h1></div>
      <section class="card">
        <p class="hint">Copy the secret now. It is shown only once.</p>
        <p class="code" id="secret">${secret}</p>
        <div class="inline">
          <button class="primary" type="button" data-copies="secret">Copy</button
          ><a class="button" href="${to}">Done</a>
        </div>
      </section>`,
  )
}

const endpointIdOf = ({ id }: Readonly<Record<string, string>>): string => {
  if (id === undefined || !isUuid(id)) throw notFound('webhook endpoint')
  return id
}
