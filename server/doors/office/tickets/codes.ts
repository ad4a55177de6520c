import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { dateInWords } from '../../../platform/kernel/time/in-words.ts'
import { type EventRow, type PromoCodeRow, eventsPage, promoCodes } from '../../../tickets/event-reads.ts'
import { editPromoCode, makePromoCode } from '../../../tickets/promo-codes.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import {
  type FormSeen,
  idOf,
  mistakePart,
  tokenField,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { money } from '../parts/money.ts'
import { counted } from '../parts/pager.ts'
import { once } from '../parts/once.ts'
import { tag } from '../parts/tags.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { codeFields, codeIn, typedOf } from './code-form.ts'
import { ticketsHead } from './head.ts'

const home = '/office/tickets/codes'

/** Promo codes: add, change, turn off. For managers. */
export const codePages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => page('Promo codes', await codeList(work)),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const id = await once(
        work,
        'promo-code',
        form,
        async () => (await makePromoCode(work, actorOf(work.me), codeIn(form, form.text('code')))).id,
      )
      const { code } = await codeOf(work, String(id))
      return go(home, `Code ${code} added.`)
    },
    again: async (work, { form }, { message }) =>
      page('Promo codes', await codeList(work, { typed: typedIn(form), mistake: message })),
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'manager',
    answer: async (work, { params }) => {
      const code = await codeOf(work, params.id)
      return page(code.code, await codePage(work, code, { typed: typedOf(code) }))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const { id, code } = await codeOf(work, params.id)
      await editPromoCode(work, actorOf(work.me), { id, seenVersion: versionIn(form), ...codeIn(form, code) })
      return go(home, `Code ${code} saved.`)
    },
    again: async (work, { params, form }, { message }) => {
      const code = await codeOf(work, params.id)
      const changed = form.text('version') !== String(code.version)
      return page(
        code.code,
        await codePage(work, code, {
          typed: typedIn(form),
          mistake: message,
          ...(changed && { meanwhile: typedOf(code) }),
        }),
      )
    },
  },
]

const codeOf = async ({ db, venue }: OfficeWork, id: string | undefined) => {
  const wanted = idOf(id, 'code')
  const code = (await promoCodes(db, venue.id)).find((one) => one.id === wanted)
  if (!code) throw notFound('code')
  return code
}

/** Events a code can be for; more than a venue plans at one time. */
const eventsOffered = 200

const eventsOf = async ({ db, venue }: OfficeWork): Promise<readonly EventRow[]> =>
  (await eventsPage(db, venue.id, { limit: eventsOffered, after: null })).rows

const codeList = async (work: OfficeWork, sent?: FormSeen): Promise<Html> => {
  const [codes, events] = await Promise.all([promoCodes(work.db, work.venue.id), eventsOf(work)])
  const seen: FormSeen = sent ?? { typed: { kind: 'percent' } }
  return html`${ticketsHead(work, home)}
    <div class="stack">
      <section class="card">
        <details ${(codes.length === 0 || sent) && html`open`}>
          <summary class="strong">Add a code</summary>
          <form class="form" method="post" action="${home}">
            ${tokenField(seen.typed.token)} ${mistakePart(seen)} ${codeFields(seen, events, true)}
            <div><button class="primary">Add code</button></div>
          </form>
        </details>
      </section>
      <section class="card list-card">
        ${
          codes.length === 0
            ? html`<p class="empty">No codes yet.</p>`
            : html`<ul class="rows">
                ${codes.map((code) => codeRow(code, events))}
              </ul>`
        }
      </section>
    </div>`
}

const codeRow = (code: PromoCodeRow & { readonly uses: number }, events: readonly EventRow[]): Html => {
  const span = [
    code.valid_from && `from ${dateInWords(code.valid_from)}`,
    code.valid_to && `until ${dateInWords(code.valid_to)}`,
  ].filter(Boolean)
  const event = events.find(({ id }) => id === code.event_id)
  return html`<li>
    <div class="grow">
      <a class="row-link" href="${home}/${code.id}">${code.code}</a>
      <span class="small soft breaks"
        >${discountInWords(code)} · ${code.event_id === null ? 'all events' : (event?.name ?? 'one event')}${span.length > 0 && ` · ${span.join(' ')}`}</span
      >
    </div>
    <span class="small">${counted(code.uses, 'use')}${code.uses_most !== null && ` of ${code.uses_most}`}</span>
    ${code.switched_off ? tag('Off') : tag('On', 'good')}
  </li>`
}

/** "10% off", "$5.00 off". */
const discountInWords = ({ percent, amount_cents }: PromoCodeRow): string =>
  percent === null ? `${money(amount_cents ?? 0)} off` : `${percent}% off`

const codePage = async (work: OfficeWork, code: PromoCodeRow, seen: FormSeen): Promise<Html> => {
  const events = await eventsOf(work)
  return html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Promo codes</a></p>
        <h1>${code.code}</h1>
      </div>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}/${code.id}">
        ${versionField(code.version)} ${mistakePart(seen)} ${codeFields(seen, events, false)}
        <div class="inline">
          <button class="primary">Save</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`
}
