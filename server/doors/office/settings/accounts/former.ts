import {
  type FormerAccount,
  beginRemoving,
  formerAccount,
  formerAccounts,
  keepFormerAccount,
} from '../../../../core/money/former-accounts.ts'
import { feeDays } from '../../../../book/reservations/guarantee/charging/make-charges.ts'
import type { Context } from '../../../../context.ts'
import { type Html, html } from '../../../../platform/html/html.ts'
import { Refusal, notFound } from '../../../../platform/kernel/refusal.ts'
import { moneyOf } from '../../../../platform/kernel/money.ts'
import { momentInWords } from '../../../../platform/kernel/time/in-words.ts'
import { isUuid } from '../../../../platform/kernel/uuid.ts'
import {
  type HeldByAccount,
  heldByAccount,
  refundableOfAccount,
} from '../../../../tickets/online/removing/held-by-account.ts'
import { actorOf } from '../../frame/actor.ts'
import { go, page } from '../../frame/page.ts'
import type { OfficeWork, VenuePage } from '../../frame/serve-page.ts'
import { counted } from '../../parts/pager.ts'
import { warning } from '../../parts/press-message.ts'
import { settingsHead } from '../tabs.ts'

/* Accounts that took payments before: what each still holds, and how an owner removes one. */

const home = '/office/settings/payments'

/** What is said where money was taken by an account that is no longer connected. */
export const keptKey =
  'What an earlier account took is refunded, and its cards are charged and deleted, with that account’s key: keep it valid in Stripe.'

export const formerPages = (context: Pick<Context, 'hold'>): readonly VenuePage[] => [
  {
    method: 'POST',
    path: `${home}/former/:id/remove`,
    role: 'owner',
    answer: async (work, { params, form }) => {
      const id = idIn(params.id)
      const account = await formerAccount(work.db, work.venue.id, id)
      if (context.hold.isOn())
        throw new Refusal(
          409,
          'This copy was restored and asks Stripe nothing until the service sends again, so no account can be removed.',
        )
      if (form.text('sure') !== 'yes') return page('Remove an account', await removePage(work, account))
      await beginRemoving(work, actorOf(work.me), id)
      return go(home, 'The account is being removed. Its key is deleted once nothing needs it.')
    },
    again: async (_work, _asked, { message }) => go(home, warning(message)),
  },
  {
    method: 'POST',
    path: `${home}/former/:id/keep`,
    role: 'owner',
    answer: async (work, { params }) => {
      await keepFormerAccount(work, actorOf(work.me), idIn(params.id))
      return go(home, 'Kept. What it took can be refunded again; cards that were deleted stay deleted.')
    },
    again: async (_work, _asked, { message }) => go(home, warning(message)),
  },
]

const idIn = (text: string | undefined): string => {
  if (text === undefined || !isUuid(text)) throw notFound('former account')
  return text
}

/** Those whose key is still here; nothing where there are none. */
export const formerCard = async (work: OfficeWork, isOwner: boolean): Promise<Html | undefined> => {
  const { db, venue, now } = work
  const accounts = await formerAccounts(db, venue.id)
  if (accounts.length === 0) return undefined
  const rows = accounts.map(async (account) => ({
    account,
    waits:
      account.remove_at === null ? undefined : waitsFor(await heldByAccount(db, venue.id, account.id, now())),
  }))
  return html`<section class="card">
    <h2>Former accounts</h2>
    <p class="soft">${keptKey}</p>
    <ul class="rows">
      ${(await Promise.all(rows)).map(
        ({ account, waits }) =>
          html`<li>
            <div class="grow">
              <span class="strong">${nameOf(account, venue.timezone)}</span>
              ${waits && html`<p class="small soft">${beingRemoved(waits)}</p>`}
            </div>
            ${isOwner && (waits ? keepButton(account) : removeButton(account))}
          </li>`,
      )}
    </ul>
  </section>`
}

const removeButton = ({ id }: FormerAccount): Html =>
  html`<form method="post" action="${home}/former/${id}/remove"><button class="danger">Remove…</button></form>`

const keepButton = ({ id }: FormerAccount): Html =>
  html`<form method="post" action="${home}/former/${id}/keep"><button>Keep it after all</button></form>`

/** Nothing of its own name is known here: it is told apart by when it was in use. */
const nameOf = ({ live, made_at, ended_at }: FormerAccount, zone: string): string =>
  `${live ? 'Stripe account' : 'Test account at Stripe'}, connected ${momentInWords(made_at, zone)}, until ${momentInWords(ended_at, zone)}`

/** What it waits for, in the words of a list. */
const waitsFor = ({ cards, awaited, charges, refunds, pages, calls, looks }: HeldByAccount): string[] => [
  ...(cards > awaited ? [`${counted(cards - awaited, 'card')} to be deleted`] : []),
  ...(awaited > 0
    ? [`${counted(awaited, 'guest')} who may still pay a fee after a refused card, within ${feeDays} days`]
    : []),
  ...(charges > 0 ? [`${counted(charges, 'card')} being charged`] : []),
  ...(refunds > 0 ? [`${counted(refunds, 'refund')} on the way`] : []),
  ...(pages > 0 ? [`${counted(pages, 'payment')} that may still arrive`] : []),
  ...(calls + looks > 0 ? ['news of Stripe that is still looked at'] : []),
]

const beingRemoved = (waits: readonly string[]): string =>
  waits.length === 0
    ? 'Being removed.'
    : `Being removed. It waits for ${waits.join('; ')}. If this takes more than a day, Stripe may no longer take its key: connect a new key of that account, then your present one again, and remove it then.`

/** What its removal ends, and what it waits for: shown before anything is done. */
const removePage = async (work: OfficeWork, account: FormerAccount): Promise<Html> => {
  const { db, venue, now } = work
  const held = await heldByAccount(db, venue.id, account.id, now())
  const refundable = await refundableOfAccount(db, venue.id, account.id)
  const { cards, chargeable, disputes } = held
  const waits = waitsFor({ ...held, cards: 0 })
  const ends = [
    ...refundable.map(
      ({ currency, payments, cents }) =>
        `${moneyOf(cents, currency)} of ${counted(payments, 'payment')} could still be refunded here. After that only in Stripe itself: note it here then as refunded another way.`,
    ),
    ...(cards > 0
      ? [
          `${counted(cards, 'card')} kept on file: ${cards === 1 ? 'it is' : 'they are'} deleted at Stripe and can no longer be charged.${chargeable > 0 ? ` For ${chargeable}, the guest did not come or canceled too late: charge ${chargeable === 1 ? 'it' : 'them'} first if you want to.` : ''}`,
        ]
      : []),
    ...(disputes > 0
      ? [
          `${counted(disputes, 'dispute')} that ${disputes === 1 ? 'is' : 'are'} not decided: how ${disputes === 1 ? 'it ends' : 'they end'} is no longer recorded here.`,
        ]
      : []),
    'Calls from Stripe about this account are no longer heard: refunds made in Stripe, banks that send money back, and disputes are no longer recorded, and the nightly check of the books leaves it out.',
  ]
  return html`${settingsHead(home)}
    <section class="card">
      <h2>Remove this account?</h2>
      <p class="soft">${nameOf(account, venue.timezone)}.</p>
      <p>Its key and signing secrets are deleted here, and Stripe is asked to stop calling this service about it. What ends with it:</p>
      <ul>${ends.map((one) => html`<li>${one}</li>`)}</ul>
      ${waits.length > 0 && html`<p>Before that it waits for:</p><ul>${waits.map((one) => html`<li>${one}</li>`)}</ul><p class="soft small">Nothing new can be refunded or charged through it while it waits.</p>`}
      <p class="soft small">Its payments stay in your books, figures, and files. To bring it back, connect a key of the same Stripe account; deleted cards stay deleted.</p>
      <form class="inline" method="post" action="${home}/former/${account.id}/remove">
        <button class="danger" name="sure" value="yes">Remove</button>
        <a class="button" href="${home}">Keep it</a>
      </form>
    </section>`
}
