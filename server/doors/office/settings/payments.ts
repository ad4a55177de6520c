import { heldWithProcessor } from '../../../book/reservations/guarantee/charging/charge-store.ts'
import { type AccountRow, endAccount, openAccount } from '../../../core/money/account-store.ts'
import { callbackUrl, connectAccount, enterSigning, testAccount } from '../../../core/money/connect.ts'
import { currenciesOffered } from '../../../core/money/currency.ts'
import { venueCurrency } from '../../../core/money/venue-currency.ts'
import { chooseCurrency, hasPrices } from '../../../tickets/choose-currency.ts'
import type { Context } from '../../../context.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { type VenueRow, venueOfId } from '../../../core/venue/venues.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { choiceField, mistakePart } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import { formerCard, formerPages, keptKey } from './accounts/former.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/payments'

/** The venue's own account at the processor of payments: managers see how it is, owners connect it. */
export const paymentsPages = (context: Context): readonly VenuePage[] => {
  const transactOf =
    ({ venue, now }: OfficeWork) =>
    <T>(act: (work: Pick<OfficeWork, 'db' | 'venue' | 'now'>) => Promise<T>): Promise<T> =>
      context.db.transaction((db) => act({ db: db.within(venue.id), venue, now }))
  return [
    {
      method: 'GET',
      path: home,
      role: 'manager',
      answer: async (work) => page('Payments', await body(context, work)),
    },
    {
      method: 'POST',
      path: home,
      role: 'owner',
      apart: true,
      answer: async (work, { form }) => {
        const place = { ...work, venue: await wholeVenue(work) }
        const connected = await connectAccount(
          context,
          place,
          transactOf(work),
          actorOf(work.me),
          form.text('key'),
        )
        return go(
          home,
          connected === 'another'
            ? `Connected: another Stripe account than before. ${keptKey}`
            : 'Connected.',
        )
      },
      again: async (work, _asked, { message }) => page('Payments', await body(context, work, message)),
    },
    {
      method: 'POST',
      path: `${home}/signing`,
      role: 'owner',
      answer: async (work, { form }) => {
        await enterSigning(context, work, actorOf(work.me), form.text('signing'))
        return go(home, 'Saved. Calls of Stripe are checked with it from now on.')
      },
      again: async (work, _asked, { message }) => page('Payments', await body(context, work, message)),
    },
    {
      method: 'POST',
      path: `${home}/test`,
      role: 'owner',
      apart: true,
      answer: async (work) => {
        const isWell = await testAccount(context, { ...work, venue: await wholeVenue(work) })
        return go(home, isWell ? 'Everything works.' : warning('The test found something to fix.'))
      },
      again: async (work, _asked, { message }) => page('Payments', await body(context, work, message)),
    },
    {
      method: 'POST',
      path: `${home}/currency`,
      role: 'owner',
      answer: async (work, { form }) => {
        await chooseCurrency(work, actorOf(work.me), form.text('currency'))
        return go(home, 'Saved. All prices are in it from now on.')
      },
      again: async (work, _asked, { message }) => page('Payments', await body(context, work, message)),
    },
    {
      method: 'POST',
      path: `${home}/remove`,
      role: 'owner',
      answer: async (work, { form }) => {
        if (form.text('sure') !== 'yes') return page('Disconnect', await disconnectPage(work))
        await endAccount(work, actorOf(work.me))
        return go(home, 'Disconnected. What was paid can still be refunded.')
      },
    },
    ...formerPages(context),
  ]
}

const wholeVenue = async ({ db, venue }: OfficeWork): Promise<OfficeWork['venue'] & VenueRow> => {
  const row = await venueOfId(db, venue.id)
  if (!row) throw notFound('venue')
  return { ...row, plan: venue.plan }
}

const body = async (context: Context, work: OfficeWork, mistake?: string): Promise<Html> => {
  const { db, venue } = work
  const account = await openAccount(db, venue.id)
  const currency = venueCurrency(await wholeVenue(work))
  const isOwner = mayAct(work.me.staff.role, 'owner')
  return html`${settingsHead(home)}
    <div class="stack">
      <section class="card">
        <h2>Payments</h2>
        <p class="soft">
          With a Stripe account of your own, guests pay online for tickets, deposits and experiences, or leave a card on file. The money goes straight to your account; no card is ever seen or stored here. Stripe keeps its fee when you refund.
        </p>
        ${account && stateOf(account, venue.timezone)}
        ${account && nextSteps}
        ${currency === undefined && html`<p class="hint">Choose a currency below first: that of your country is not known here.</p>`}
        ${isOwner ? keyForm(account, mistake) : html`<p class="hint">Only owners connect payments.</p>`}
      </section>
      ${await currencyCard(work, currency, isOwner)}
      ${account && isOwner && html`${callsCard(context, venue.slug, account)}${actsCard}`}
      ${await formerCard(work, isOwner)}
    </div>`
}

/** What amounts are in: chosen by an owner while nothing has a price, and fixed from then on. */
const currencyCard = async (
  work: OfficeWork,
  currency: string | undefined,
  isOwner: boolean,
): Promise<Html> => {
  const isFixed = await hasPrices(work)
  return html`<section class="card">
    <h2>Currency</h2>
    ${
      isFixed || !isOwner
        ? html`<p>${currency === undefined ? 'Not chosen yet.' : currencyInWords(currency)}</p>
            ${isFixed && html`<p class="hint">It stays as it is: something has a price in it.</p>`}`
        : html`<form class="form" method="post" action="${home}/currency">
            ${choiceField(
              { typed: { currency: currency ?? '' } },
              {
                name: 'currency',
                label: 'All prices are in',
                choices: [
                  ...(currency === undefined ? [['', 'Choose'] as const] : []),
                  ...currenciesOffered.map((one) => [one, currencyInWords(one)] as const),
                ],
                hint: 'Fixed once something has a price or somebody has paid.',
              },
            )}
            <div class="inline"><button>Save</button></div>
          </form>`
    }
  </section>`
}

/** "US Dollar (USD)". */
const currencyInWords = (currency: string): string =>
  `${new Intl.DisplayNames('en', { type: 'currency' }).of(currency) ?? currency} (${currency})`

const keyForm = (account: AccountRow | undefined, mistake: string | undefined): Html =>
  html`<form class="form" method="post" action="${home}">
          ${mistakePart(mistake === undefined ? {} : { mistake })}
          <label class="field"
            ><span>${account ? 'Another restricted key' : 'Restricted key'}</span
            ><input name="key" type="password" autocomplete="off" maxlength="250" placeholder="rk_…" />
            <small>Stored encrypted and never shown again.</small></label
          >
          <details ${!account && html`open`}>
            <summary>What the key must be allowed to do</summary>
            <p class="small">
              In Stripe, under Developers, API keys, create a restricted key. Write: Checkout Sessions, Charges and Refunds, PaymentIntents, Customers, Webhook Endpoints. Read: SetupIntents, Disputes, Balance.
            </p>
          </details>
          <div class="inline"><button class="primary">${account ? 'Replace the key' : 'Connect'}</button></div>
        </form>`

/** What an account is for, and where it is turned on. */
const nextSteps = html`<p class="small">
  Choose what guests pay for: <a href="/office/settings/guest-pages">tickets on your guest pages</a>,
  <a href="/office/settings/guarantees">cards and deposits</a>, <a href="/office/settings/experiences">experiences</a>.
</p>`

const stateOf = ({ live, checked_at, trouble }: AccountRow, zone: string): Html =>
  html`<p>${live ? html`Payments are <span class="strong">live</span>.` : html`<span class="strong">Test payments: no money moves.</span>`}</p>
    ${
      checked_at !== null &&
      html`<p class="small soft">
        Last tested ${momentInWords(checked_at, zone)}${trouble === null && ': everything worked'}.
      </p>`
    }
    ${trouble !== null && html`<p class="error">${trouble}</p>`}`

/** Where the processor calls; what it signs with is asked for where the key could not register that. */
const callsCard = (context: Context, slug: string, account: AccountRow): Html =>
  html`<section class="card">
    <h2>Calls from Stripe</h2>
    <p class="soft">
      Stripe says here what was paid and refunded: <code class="breaks">${callbackUrl(context, { venue: { slug } })}</code>
    </p>
    ${
      account.callback_ref === null &&
      html`<p class="${account.signing_sealed === null ? 'error' : 'soft'}">
          Your key may not register this address, or Stripe did not take it. Add it in Stripe under Developers, Webhooks, for all events of checkout sessions, payment intents, refunds and disputes, and paste its signing secret.
        </p>
        <form class="form" method="post" action="${home}/signing">
          <label class="field"
            ><span>Signing secret</span
            ><input name="signing" type="password" autocomplete="off" maxlength="250" placeholder="whsec_…" />
            <small>${account.signing_sealed === null ? 'Stored encrypted and never shown again.' : 'Stored. Paste another one to replace it.'}</small></label
          >
          <div class="inline"><button>Save</button></div>
        </form>`
    }
  </section>`

const actsCard = html`<section class="card">
    <div class="inline">
      <form method="post" action="${home}/test"><button>Test</button></form>
      <form method="post" action="${home}/remove"><button class="danger">Disconnect…</button></form>
    </div>
  </section>`

/** What ends with the account, and what it is still needed for: asked before anything is done. */
const disconnectPage = async ({ db, venue }: OfficeWork): Promise<Html> => {
  const { cards, asked, refunds } = await heldWithProcessor(db, venue.id)
  const left = [
    ...(cards > 0
      ? [
          `${counted(cards, 'card')} kept behind bookings. ${cards === 1 ? 'It stays' : 'They stay'} at Stripe and can still be charged until ${cards === 1 ? 'its' : 'their'} day, and ${cards === 1 ? 'is' : 'are'} deleted then.`,
        ]
      : []),
    ...(asked > 0
      ? [
          `${counted(asked, 'booking')} whose guest was asked for a card or a deposit: they can no longer give it.`,
        ]
      : []),
    ...(refunds > 0 ? [`${counted(refunds, 'refund')} on ${refunds === 1 ? 'its' : 'their'} way back.`] : []),
  ]
  return html`${settingsHead(home)}
    <section class="card">
      <h2>Disconnect payments?</h2>
      <p>Guests can then pay nothing online: tickets are sold at the venue, and no card or deposit is asked for a table. What was paid can still be refunded.</p>
      ${left.length > 0 && html`<p>There ${cards === 1 || (cards === 0 && (asked || refunds) === 1) ? 'is' : 'are'} still:</p><ul>${left.map((one) => html`<li>${one}</li>`)}</ul>`}
      <p class="soft small">Keep the key valid in Stripe for as long as something can be refunded, charged or deleted with it.</p>
      <form class="inline" method="post" action="${home}/remove">
        <button class="danger" name="sure" value="yes">Disconnect</button>
        <a class="button" href="${home}">Stay connected</a>
      </form>
    </section>`
}
