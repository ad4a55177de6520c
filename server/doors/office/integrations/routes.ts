import { installsOfVenue } from '../../../integrations/apps/installs.ts'
import { appsPart } from '../apps/apps-part.ts'
import { type KeyKind, keyKinds } from '@venue-data/contract/records/account.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { askForAccess, createOwnersKey, revokeOwnersKey } from '../../../integrations/access/owner.ts'
import { obstacleOf } from '../../../integrations/access/key-check.ts'
import { isTraded, keysOfVenue } from '../../../integrations/access/keys.ts'
import { accessOfVenue } from '../../../integrations/access/reads.ts'
import { firstDay, usageOfKeys } from '../../../integrations/access/usage-reads.ts'
import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { useFormToken } from '../../../platform/http/form-token.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { replay, sendAgain } from '../../../integrations/webhooks/deliveries/send-again.ts'
import {
  type OwnersEndpoint,
  triesByHour,
  enableEndpoint,
  endpointsForOwner,
} from '../../../integrations/webhooks/owner.ts'
import { type Form, type PageAnswer, go, nothing, page, part } from '../frame/page.ts'
import { type FormSeen, idOf, typedIn } from '../parts/forms/fields.ts'
import { warning } from '../parts/press-message.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { actorOf } from '../frame/actor.ts'
import { changesByApi } from '../../../book/rules/changes-by-api.ts'
import { accessPart } from './access.ts'
import { changesPages, changesPart } from './changes.ts'
import { triesChart } from './tries-chart.ts'
import { endpointPages } from './endpoint-routes.ts'
import { endpointsPart } from './endpoints.ts'
import { accessAsked, limitsAsked } from './key-fields.ts'
import { keyPages } from './key-routes.ts'
import { keysPart } from './keys.ts'
import { livePart, markOf } from './live.ts'
import { whyNothingIsSent } from './shut.ts'
import { useOfKeysPart } from './use-table.ts'

const home = '/office/integrations'

/** Integrations and API: the owner requests access, creates keys, and sees where events go. */
export const integrationPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'owner',
    answer: async (work, { query, partOnly }) => {
      if (!partOnly) return page('Integrations', await overview(context, work))
      const [endpoints, shut] = await Promise.all([
        endpointsForOwner(work.db, work.venue.id),
        whyNothingIsSent(work),
      ])
      if (query.get('seen') === markOf(endpoints, work.now(), shut)) return nothing
      return part(await deliveriesPart(work, endpoints, shut))
    },
  },
  {
    method: 'POST',
    path: `${home}/access`,
    role: 'owner',
    answer: async (work, { form }) => {
      await askForAccess(work, actorOf(work.me), form.text('description'))
      return go(home, 'Access requested. The answer will appear here.')
    },
    again: async (work, { form }, refusal) =>
      page('Integrations', await overview(context, work, { typed: typedIn(form), mistake: refusal.message })),
  },
  {
    method: 'POST',
    path: `${home}/keys`,
    role: 'owner',
    asksPassword: true,
    answer: async (work, { form }) => makeKey(context, work, form),
    again: async (work, { form }, refusal) =>
      page('Integrations', await overview(context, work, { typed: typedIn(form), mistake: refusal.message })),
  },
  {
    method: 'POST',
    path: `${home}/keys/:id/revoke`,
    role: 'owner',
    answer: async (work, { params }) => {
      const key = await revokeOwnersKey(work, actorOf(work.me), idOf(params.id, 'key'))
      return go(home, `${key.name} was revoked and no longer works.`)
    },
  },
  ...keyPages(context),
  ...endpointPages(context),
  {
    method: 'POST',
    path: `${home}/endpoints/:id/enable`,
    role: 'owner',
    answer: async (work, { params }) => {
      const id = uuidOf(params.id)
      await enableEndpoint(work, actorOf(work.me), id)
      const shut = await whyNothingIsSent(work)
      return go(`${home}/endpoints/${id}`, `Active again. ${shut ?? 'Waiting events are being sent now.'}`)
    },
  },
  {
    method: 'POST',
    path: `${home}/endpoints/:id/send`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const id = uuidOf(params.id)
      await sendAgain(work, actorOf(work.me), id, uuidOf(form.text('delivery')))
      const shut = await whyNothingIsSent(work)
      return go(
        `${home}/endpoints/${id}`,
        shut === undefined
          ? 'Resending, with the same id.'
          : warning(`It will be resent with the same id. ${shut}`),
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/endpoints/:id/send-all`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const id = uuidOf(params.id)
      const hours = Number(form.text('hours'))
      if (![1, 6, 24, 48].includes(hours)) throw badRequest('Choose a time range from the list.')
      const since = work.now().subtract({ hours })
      const count = await replay(work, actorOf(work.me), id, { since, only: 'all' })
      const shut = await whyNothingIsSent(work)
      const deliveries = count === 1 ? 'delivery' : 'deliveries'
      return go(
        `${home}/endpoints/${id}`,
        shut === undefined
          ? `${count} ${deliveries} ${count === 1 ? 'is' : 'are'} being resent.`
          : warning(`${count} ${deliveries} will be resent. ${shut}`),
      )
    },
  },
  ...changesPages,
]

const overview = async (
  { config }: Context,
  work: OfficeWork,
  seen: FormSeen = { typed: {} },
): Promise<Html> => {
  const { db, venue } = work
  const [access, keys, endpoints, changes, shut, installs] = await Promise.all([
    accessOfVenue(db, venue.id),
    keysOfVenue(db, venue.id),
    endpointsForOwner(db, venue.id),
    changesByApi(db, venue.id),
    whyNothingIsSent(work),
    installsOfVenue(db, venue.id, work.now()),
  ])
  const own = keys.filter((key) => key.install_id === null)
  const usage = await usageOfKeys(
    db,
    keys.map(({ id }) => id),
    firstDay(work.now(), limits.usageDaysDefault),
  )
  const zone = venue.timezone
  const keysOf = (kind: KeyKind) =>
    keysPart({
      ...{ kind, keys: own, obstacle: obstacleOf(kind, access), zone, seen },
      mostPerMinute: config.rateLimitMostPerMinute,
      now: work.now(),
    })
  return html`<div class="page-head">
      <h1>Integrations and API</h1>
      <a class="button quiet" href="/docs">API reference</a>
    </div>
    <div class="stack">
      ${accessPart(access, zone, seen)} ${appsPart({ installs, keys, usage, endpoints, zone, now: work.now() })} ${keysOf('api')} ${await deliveriesPart(work, endpoints, shut)}
      ${keysOf('automation')} ${useOfKeysPart(
        keys.filter((key) => !isTraded(key)),
        usage,
      )} ${changesPart(changes)}
    </div>`
}

/** Where events go and how deliveries are doing, live. */
const deliveriesPart = async (
  { db, venue, now }: OfficeWork,
  endpoints: readonly OwnersEndpoint[],
  shut: string | undefined,
): Promise<Html> => {
  const moment = now()
  const hours = await triesByHour(db, venue.id, moment.subtract({ hours: 24 }))
  return livePart(
    { id: 'deliveries', address: home, mark: markOf(endpoints, moment, shut) },
    html`${endpointsPart(endpoints, venue.timezone, shut)}
    ${
      hours.length > 0 &&
      html`<section class="card">
        <header><h2>Delivery attempts in the last 24 hours</h2></header>
        ${triesChart(hours, moment, venue.timezone)}
      </section>`
    }`,
  )
}

/** The key is in the response to the form and nowhere else: it cannot be shown again. */
const makeKey = async (context: Context, work: OfficeWork, form: Form): Promise<PageAnswer> => {
  const kind = keyKinds.find((one) => one === form.text('kind'))
  if (!kind) throw badRequest("Choose the key's access.")
  const { scope, ...scopes } = { scope: undefined, ...accessAsked(form, kind) }
  const terms = { ...scopes, ...limitsAsked(form, work.venue.timezone) }
  if (!(await useFormToken(work.db, work.venue.id, 'api-key', form.text('token'), work.now()))) {
    return go(
      home,
      warning('This key was already created. If you did not copy it, revoke it and create another.'),
    )
  }
  const { key, row } = await createOwnersKey(context, work, actorOf(work.me), {
    kind,
    ...(scope && { scope }),
    name: form.text('name'),
    terms,
  })
  return page(
    'Your new key',
    html`<div class="page-head"><h1>${row.name}</h1></div>
      <section class="card">
        <p class="hint">Copy the key now. It is shown only once; we store just a fingerprint of it.</p>
        <p class="code" id="key">${key}</p>
        <div class="inline">
          <button class="primary" type="button" data-copies="key">Copy</button
          ><a class="button" href="${home}">Done</a>
        </div>
        <p class="soft">
          Try it: <code>curl ${context.config.publicUrl}/api/v1/me -H 'X-Service-Key: …'</code>
        </p>
      </section>`,
  )
}

const uuidOf = (text: string | undefined): string => {
  if (text === undefined || !isUuid(text)) throw notFound('webhook endpoint')
  return text
}
