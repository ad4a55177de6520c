import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Context } from '../../context.ts'
import { keyOf, usedAccounts } from '../../core/money/account-store.ts'
import { standInKey } from '../../core/money/stand-in-key.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { venueOfSlug } from '../../core/venue/actions.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { readDate } from '../../platform/kernel/time/written-time.ts'
import { moneyOf } from '../../platform/kernel/money.ts'
import { type Difference, reconcile } from '../../tickets/online/reconciling/reconcile.ts'
import { netOf } from '../../tickets/online/reconciling/movement-reads.ts'
import { command, needed, text } from './command.ts'
import { sheet, table } from './print.ts'

const reconcileCommand = command({
  words: 'payments reconcile',
  about:
    'Compares what moved in a venue’s Stripe account on some of its days with what is written here, and says what to do about each difference; with one, it ends with exit code 1.',
  flags: { venue: needed(text('S')), from: needed(text('YYYY-MM-DD')), to: text('YYYY-MM-DD') },
  run: async (context, { venue: slug, from, to }) => {
    const row = await venueOfSlug(context.db, slug)
    const venue = { ...row, plan: row.plan as Plan }
    const days = { from: dayOf('from', from), to: dayOf('to', to ?? from) }
    if (days.to < days.from) throw badRequest('--to is before --from.')
    await knowStandIn(context, venue.id)
    const found = await reconcile(context, venue, days)
    const { moved, differences, denied, ...sums } = found
    return {
      json: {
        venue: venue.slug,
        ...days,
        moved: moved.map((one) => ({
          ...{ currency: one.currency, payments: one.payments, inCents: one.cents_in },
          ...{ refundedCents: one.cents_back, lostCents: one.cents_lost, returnedCents: one.cents_returned },
        })),
        ...sums,
        differences: differences.map(shown),
        denied: denied.length,
      },
      text: [
        sheet({ venue: venue.slug, ...days, ...sums, differences: differences.length }),
        ...(moved.length === 0
          ? []
          : [
              '',
              table(moved, {
                CURRENCY: ({ currency }) => currency,
                IN: ({ cents_in, currency }) => moneyOf(cents_in, currency),
                REFUNDED: ({ cents_back, currency }) => moneyOf(cents_back, currency),
                'LOST TO DISPUTES': ({ cents_lost, currency }) => moneyOf(cents_lost, currency),
                'CAME BACK': ({ cents_returned, currency }) => moneyOf(cents_returned, currency),
                NET: (one) => moneyOf(netOf(one), one.currency),
              }),
            ]),
        ...(denied.length === 0
          ? []
          : [
              '',
              `Stripe does not take the key of ${denied.length === 1 ? 'an account' : `${denied.length} accounts`} of this venue, so nothing is known of what moved there, or does not let it read disputes. An owner pastes another key under Settings, Payments.`,
            ]),
        '',
        differences.length === 0
          ? sums.settled === 0
            ? 'Nothing differs.'
            : 'Nothing differs but what was marked as done under Payments.'
          : table(differences, {
              WHAT: ({ what }) => what,
              DIFFERENCE: ({ how }) => how,
              MOVED: ({ movedAt }) => {
                const { date, time } = wallTimeOf(movedAt, venue.timezone)
                return `${date} ${time}`
              },
              'IN STRIPE': ({ how, amountCents, currency }) =>
                how === 'missing-there' ? '' : moneyOf(amountCents, currency),
              HERE: ({ hereCents, currency }) => (hereCents === null ? '' : moneyOf(hereCents, currency)),
              ORDER: ({ order }) => order ?? '',
              BOOKING: ({ booking }) => booking ?? '',
              REF: ({ ref }) => ref,
              'WHAT TO DO': (one) => whatToDo(one, context.hold.isOn()),
            }),
      ].join('\n'),
      ...(differences.length + denied.length > 0 && { failed: true }),
    }
  },
})

export const paymentCommands = [reconcileCommand]

/** A key of the stand-in is for the stand-in alone. */
const knowStandIn = async ({ db, secrets, config }: Context, venue: VenueId): Promise<void> => {
  if (config.paymentsUrl !== undefined) return
  const accounts = await usedAccounts(db.within(venue), venue)
  if (accounts.some((account) => keyOf(secrets, venue, account) === standInKey))
    throw new Refusal(
      409,
      'This venue has the key of the stand-in, and nothing says where that runs: start the command with PRACTICE=on and the PAYMENTS_URL of the service, such as PAYMENTS_URL=http://127.0.0.1:9200.',
    )
}

const dayOf = (flag: string, given: string): string => {
  const date = readDate(given)
  if (date === undefined) throw badRequest(`--${flag} must be a date such as 2026-11-29.`)
  return date
}

/** What Stripe calls it stays here. */
const shown = ({ objectRef: _, ...rest }: Difference) => rest

/** Our ref is in the metadata of what Stripe has, where its dashboard finds it. */
const whatToDo = ({ what, how }: Pick<Difference, 'what' | 'how'>, isOnHold: boolean): string => {
  if (how === 'missing-here' && isOnHold)
    return 'Nothing yet: this copy was restored and is on hold. Run resume sending, which looks at it first and writes it where it belongs; what belongs nowhere then waits under Payments.'
  if (how === 'twice') return 'Search for the ref in Stripe, and give one of them back there.'
  if (how === 'amount') return 'Compare it with Stripe; give the rest back there, or write it down by hand.'
  if (how === 'missing-there') return 'Look whether another account took it; if not, write it off by hand.'
  return what === 'payment'
    ? 'It may be found within a minute; if not, give it back in Stripe, or sell by hand.'
    : 'Nothing has to be written down: where its payment is written here, it is added automatically after the refund that is under way, or once a restored copy sends again; otherwise compare both in Stripe, and mark it as done under Payments.'
}
