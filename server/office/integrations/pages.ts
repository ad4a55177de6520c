import { keyKinds, keyScopes } from '@venue-data/contract/account.ts'
import { askForAccess, createOwnersKey, revokeOwnersKey } from '../../access/owner.ts'
import { mayUseApi } from '../../access/key-check.ts'
import { keysOfVenue } from '../../access/keys.ts'
import { accessOfVenue } from '../../access/reads.ts'
import type { Context } from '../../context.ts'
import { html } from '../../html/html.ts'
import { badRequest, notFound } from '../../kernel/refusal.ts'
import { checkAgain } from '../../staff/sign-in.ts'
import { isUuid } from '../../kernel/uuid.ts'
import {
  deliveriesByHour,
  deliveriesOf,
  enableEndpoint,
  endpointsForOwner,
  sendAgain,
  sendAllSince,
  triesOf,
} from '../../webhooks/owner.ts'
import { type PageAnswer, go, page } from '../page.ts'
import type { OfficeWork, VenuePage } from '../serve-page.ts'
import { actorOf } from '../actor.ts'
import { accessPart } from './access-part.ts'
import { deliveriesChart } from './deliveries-chart.ts'
import { endpointPage, endpointsPart } from './endpoints-part.ts'
import { keysPart } from './keys-part.ts'

const home = '/office/integrations'

/** Integrations and API: the owner asks for access, makes keys, and sees where events go. */
export const integrationPages = (context: Context): readonly VenuePage[] => [
  {
    method: 'GET',
    path: home,
    role: 'owner',
    answer: async (work) => page('Integrations', await overview(work)),
  },
  {
    method: 'POST',
    path: `${home}/access`,
    role: 'owner',
    answer: async (work, { form }) => {
      await askForAccess(work, actorOf(work.me), form.text('description'))
      return go(home, 'You asked for access. The answer will appear here.')
    },
  },
  {
    method: 'POST',
    path: `${home}/keys`,
    role: 'owner',
    answer: async (work, { form, from }) => makeKey(context, work, form, from),
  },
  {
    method: 'POST',
    path: `${home}/keys/:id/revoke`,
    role: 'owner',
    answer: async (work, { params }) => {
      const key = await revokeOwnersKey(work, actorOf(work.me), idOf(params.id, 'key'))
      return go(home, `${key.name} was revoked. It is refused from now on.`)
    },
  },
  {
    method: 'GET',
    path: `${home}/endpoints/:id`,
    role: 'owner',
    answer: async ({ db, venue }, { params }) => {
      const id = uuidOf(params.id)
      const [endpoints, deliveries, tries] = await Promise.all([
        endpointsForOwner(db, venue.id),
        deliveriesOf(db, venue.id, id),
        triesOf(db, venue.id, id),
      ])
      const one = endpoints.find((endpoint) => endpoint.id === id)
      if (!one) throw notFound('webhook endpoint')
      return page('Endpoint', endpointPage(one, deliveries, tries, venue.timezone))
    },
  },
  {
    method: 'POST',
    path: `${home}/endpoints/:id/enable`,
    role: 'owner',
    answer: async (work, { params }) => {
      const id = uuidOf(params.id)
      await enableEndpoint(work, id)
      return go(`${home}/endpoints/${id}`, 'It is switched on again. What was held is sent now.')
    },
  },
  {
    method: 'POST',
    path: `${home}/endpoints/:id/send`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const id = uuidOf(params.id)
      await sendAgain(work, id, uuidOf(form.text('delivery')))
      return go(`${home}/endpoints/${id}`, 'It is sent again, with the same id.')
    },
  },
  {
    method: 'POST',
    path: `${home}/endpoints/:id/send-all`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const id = uuidOf(params.id)
      const hours = Number(form.text('hours'))
      if (![1, 6, 24, 48].includes(hours)) throw badRequest('Choose one of the spans offered.')
      const count = await sendAllSince(work, id, work.now().subtract({ hours }))
      return go(
        `${home}/endpoints/${id}`,
        `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} sent again.`,
      )
    },
  },
]

const overview = async ({ db, venue, now }: OfficeWork) => {
  const dayAgo = now().subtract({ hours: 24 })
  const [access, keys, endpoints, hours] = await Promise.all([
    accessOfVenue(db, venue.id),
    keysOfVenue(db, venue.id),
    endpointsForOwner(db, venue.id),
    deliveriesByHour(db, venue.id, dayAgo),
  ])
  const open = (kind: 'api' | 'automation') => mayUseApi(kind, venue.plan, access.access, false)
  const zone = venue.timezone
  return html`<div class="page-head">
      <h1>Integrations and API</h1>
      <a class="button quiet" href="/docs">API reference</a>
    </div>
    <div class="stack">
      ${accessPart(access, zone)} ${keysPart({ kind: 'api', keys, open: open('api'), zone })}
      ${endpointsPart(endpoints, zone)}
      ${
        hours.length > 0 &&
        html`<section class="card">
          <header><h2>Deliveries in the last 24 hours</h2></header>
          ${deliveriesChart(hours, now(), zone)}
        </section>`
      }
      ${keysPart({ kind: 'automation', keys, open: open('automation'), zone })}
    </div>`
}

/** The key is in the answer to the form and nowhere else: it cannot be shown again. */
const makeKey = async (
  context: Context,
  work: OfficeWork,
  form: Parameters<VenuePage['answer']>[1]['form'],
  from: string,
): Promise<PageAnswer> => {
  const kind = keyKinds.find((one) => one === form.text('kind'))
  const scope = keyScopes.find((one) => one === form.text('scope'))
  if (!kind || !scope) throw badRequest('Choose what the key may do.')
  const given = form.text('password')
  await checkAgain(context, work.me, { password: given, code: given, from })
  const { key, row } = await createOwnersKey(context, work, actorOf(work.me), {
    kind,
    scope,
    name: form.text('name'),
  })
  return page(
    'Your new key',
    html`<div class="page-head"><h1>${row.name}</h1></div>
      <section class="card">
        <p class="hint">Copy the key now. It is shown this once: only a fingerprint of it is kept.</p>
        <p class="code" id="key">${key}</p>
        <div class="inline">
          <button class="primary" type="button" data-copies="key">Copy</button
          ><a class="button" href="${home}">I have it</a>
        </div>
        <p class="soft">
          Try it: <code>curl ${context.config.publicUrl}/api/v1/me -H 'X-Service-Key: …'</code>
        </p>
      </section>`,
  )
}

const idOf = (text: string | undefined, what: string): number => {
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw notFound(what)
  return Number(text)
}

const uuidOf = (text: string | undefined): string => {
  if (text === undefined || !isUuid(text)) throw notFound('webhook endpoint')
  return text
}
