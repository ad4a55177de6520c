import type { Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { followExpiry } from '../integrations/access/follow-expiry.ts'
import { forgetOldCodes } from '../integrations/apps/codes.ts'
import { forgetOldTokens } from '../integrations/apps/tokens.ts'
import { forgetOldUsage } from '../integrations/access/usage-reads.ts'
import { forgetOldBatches, runBatches } from '../integrations/batches/run.ts'
import { ringDoorbells } from '../integrations/changes/doorbell.ts'
import { fillFeeds } from '../integrations/changes/fill.ts'
import { forgetGone } from '../integrations/changes/forget.ts'
import { startSending } from '../marketing/campaigns/sending/engine.ts'
import { probeLimits, probeRelay } from '../marketing/campaigns/sending/probe.ts'
import { countOutcomes, showSending } from '../marketing/campaigns/sending/metrics.ts'
import { forgetOldDemand } from '../data/reports/demand/forget-demand.ts'
import { rollingUp } from '../data/reports/roll-up.ts'
import { forgetUploads, runImports } from '../data/imports/run.ts'
import { forgetOldKeys } from '../platform/http/idempotency.ts'
import { type LoopWatch, watchLoops } from '../platform/kernel/running/loop-watch.ts'
import { sweepHolds } from '../book/reservations/holds/holds.ts'
import { forgetGuestMails, sendGuestMails } from '../messages/guest-mail/send-due-mails.ts'
import { queueWeeklyLetters } from '../messages/guest-mail/weekly/queue-letters.ts'
import { sendGuestTexts } from '../messages/guest-mail/send-texts.ts'
import { followSignUps } from '../marketing/subscribers/jobs.ts'
import { forgetFrameSites } from '../core/venue/frame-sites.ts'
import { forgetBookingNetworks } from '../book/reservations/guest/booking-networks.ts'
import { forgetUnmade } from '../book/reservations/guest/booking-proof.ts'
import { forgetGuestWindows } from '../core/venue/guest-window.ts'
import { makeCharges } from '../book/reservations/guarantee/charging/make-charges.ts'
import { followAsks } from '../book/reservations/guarantee/asked/follow-asks.ts'
import { giveBackUnanswered } from '../book/reservations/guarantee/give-back-unanswered.ts'
import { removeAccounts } from '../tickets/online/removing/remove-account.ts'
import { deleteCards } from '../book/reservations/guarantee/jobs.ts'
import { completeEndedServices, lapseChanges } from '../book/reservations/jobs.ts'
import { forgetOldInvitations } from '../core/staff/invitations.ts'
import { forgetEndedLinks } from '../core/staff/password-links.ts'
import { forgetEndedSessions } from '../core/staff/sessions.ts'
import { forgetOldTries } from '../core/staff/sign-in-attempts.ts'
import { lookAtFreed, lookByTheMinute } from '../book/waitlist/freed-job.ts'
import { expireOffers, expireWaitlist } from '../book/waitlist/jobs.ts'
import { forgetOldCheckouts, lookAtCheckouts } from '../core/money/sweep.ts'
import { checkBooks } from '../tickets/online/reconciling/nightly.ts'
import { lookingAtPaid } from '../marketing/subscribers/looking-at-paid.ts'
import { lookAtCalls } from '../tickets/online/money-back/called-about.ts'
import { lookAfterwards } from '../tickets/online/restored/look-first.ts'
import { refundOnline } from '../tickets/online/money-back/refund-online.ts'
import { giveTablesByDay } from '../book/tables/turn-on.ts'
import { mailAboutEndpoints } from '../integrations/webhooks/mail-about-endpoints.ts'
import { startEngine } from '../integrations/webhooks/engine/engine.ts'
import { engineLimits } from '../integrations/webhooks/engine/limits.ts'
import { countResults, showEngine } from '../integrations/webhooks/engine/metrics.ts'
import type { Result } from '../integrations/webhooks/engine/settle.ts'
import { prune } from '../integrations/webhooks/engine/prune.ts'
import { sweep } from '../integrations/webhooks/engine/sweep.ts'
import { fillContactKeys } from './fill-contact-keys.ts'
import { type Job, startJobs } from './loop.ts'
import { showFailing, watchJobs } from './metrics.ts'
import { singlePosts } from './single-posts.ts'

export type Worker = {
  /** After the clock was moved: immediately runs the periodic work that is now due. */
  readonly catchUp: () => Promise<void>
  /** Whether nothing is left to do until the clock advances. */
  readonly isAtRest: () => Promise<boolean>
  readonly stop: () => Promise<void>
}

/**
 * The worker's part of the process (ROLE=worker and all): the delivery engine, campaign sending, and periodic work. Any
 * number of processes can do this on one database. `stop` takes up to about fifteen seconds: running attempts and mails
 * may finish. `watch` receives the outcome of each loop's runs.
 */
export const startWorker = (owned: Context, registry?: Registry, watch: LoopWatch = watchLoops()): Worker => {
  const context = { ...owned, db: owned.workerDb }
  const before = namesIn(registry)
  const countResult = registry && countResults(registry)
  const engine = startEngine(context, {
    watch,
    onResult: (result) => {
      countDelivery(context, result)
      countResult?.(result)
    },
  })
  if (registry) showEngine(registry, context, engine)
  const sending = startSending(context, { watch, ...(registry && { onOutcome: countOutcomes(registry) }) })
  if (registry) showSending(registry, sending)
  const own = jobsOf(context, owned)
  const jobs = startJobs(registry ? watchJobs(registry, own) : own, { ...context, watch })
  if (registry) showFailing(registry, watch)
  const figures = namesIn(registry).difference(before)
  return {
    catchUp: jobs.runDue,
    // In this order: a campaign that stops emits nothing, but its earlier work may have.
    isAtRest: async () => (await sending.isAtRest()) && engine.isAtRest(),
    stop: async () => {
      await Promise.all([engine.stop(), sending.stop(), jobs.stop()])
      // A worker started after this one has its own metrics.
      for (const name of figures) registry?.removeSingleMetric(name)
    },
  }
}

/** A finished delivery, as its key's owner sees it. */
const countDelivery = ({ usage }: Context, result: Result): void => {
  if (result.kind === 'tried' && typeof result.next === 'string')
    usage.delivered(result.leased.key_id, result.next === 'delivered')
}

const namesIn = (registry?: Registry): Set<string> =>
  new Set(registry?.getMetricsAsArray().map(({ name }) => name))

/** In this order a job comes before those it leaves work to (`startJobs`). */
const jobsOf = (context: Context, owned: Context): Job[] => [
  // What time alone does, and work somebody handed in.
  { name: 'complete ended services', everyMs: 60_000, run: () => completeEndedServices(context) },
  { name: 'lapse changes', everyMs: 30_000, run: () => lapseChanges(context) },
  { name: 'give back what nobody answered', everyMs: 60_000, run: () => giveBackUnanswered(context) },
  { name: 'sweep holds', everyMs: 60_000, run: () => sweepHolds(context) },
  // The next party is made its offer when this one has ended.
  { name: 'expire offers', everyMs: 5_000, run: () => expireOffers(context) },
  { name: 'expire waitlist', everyMs: 30_000, run: () => expireWaitlist(context) },
  // With the connections of requests, whose commits wait for the disk: money must not be sent twice after a crash.
  {
    name: 'look at checkouts',
    everyMs: 1_000,
    bell: owned.paidBell,
    run: (signal) => lookAtCheckouts(lookingAtPaid(owned), signal),
  },
  {
    name: 'look at what was done since a backup',
    everyMs: 60_000,
    run: (signal) => lookAfterwards(owned, lookingAtPaid, signal),
  },
  { name: 'charge cards', everyMs: 1_000, run: (signal) => makeCharges(owned, signal) },
  { name: 'follow what guests are asked for', everyMs: 60_000, run: (signal) => followAsks(owned, signal) },
  { name: 'remove former accounts', everyMs: 1_000, run: (signal) => removeAccounts(owned, signal) },
  { name: 'delete cards', everyMs: 1_000, run: (signal) => deleteCards(owned, signal) },
  { name: 'look at calls about money', everyMs: 1_000, run: (signal) => lookAtCalls(owned, signal) },
  { name: 'make refunds', everyMs: 1_000, run: (signal) => refundOnline(owned, signal) },
  { name: 'run imports', everyMs: 1_000, run: (signal) => runImports(context, signal) },
  { name: 'run batches', everyMs: 1_000, run: (signal) => runBatches(context, singlePosts, signal) },
  { name: 'remind and end sign-ups', everyMs: 60_000, run: () => followSignUps(context) },
  { name: 'follow the end of keys', everyMs: 60_000, run: () => followExpiry(context) },
  { name: 'mail about endpoints', everyMs: 60_000, run: () => mailAboutEndpoints(context) },
  // What that freed.
  { name: 'give tables', everyMs: 1_000, run: () => giveTablesByDay(context) },
  { name: 'give and offer what came free', everyMs: 1_000, run: () => lookAtFreed(context) },
  { name: 'look who is without a table', everyMs: 1_000, run: lookByTheMinute(context) },
  { name: 'write the letters about a week', everyMs: 60_000, run: () => queueWeeklyLetters(context) },
  // What goes out because of it.
  { name: 'send mail to guests', everyMs: 1_000, run: (signal) => sendGuestMails(context, signal) },
  { name: 'send texts to guests', everyMs: 1_000, run: (signal) => sendGuestTexts(context, signal) },
  { name: 'ring doorbells', everyMs: 1_000, run: () => ringDoorbells(context) },
  { name: 'sweep deliveries', everyMs: engineLimits.sweepMs, run: () => sweep(context) },
  // Upkeep.
  { name: 'roll up days of reports', everyMs: 10_000, run: rollingUp(context) },
  { name: 'forget old idempotency keys', everyMs: 60_000, run: () => forgetOldKeys(context) },
  { name: 'forget ended sessions', everyMs: 600_000, run: () => forgetEndedSessions(context) },
  { name: 'forget old invitations', everyMs: 3_600_000, run: () => forgetOldInvitations(context) },
  { name: 'forget links for passwords', everyMs: 3_600_000, run: () => forgetEndedLinks(context) },
  { name: 'forget old tries to sign in', everyMs: 600_000, run: () => forgetOldTries(context) },
  { name: 'probe the mail relay', everyMs: probeLimits.everyMs, run: () => probeRelay(context) },
  { name: 'forget gone records', everyMs: 3_600_000, run: (signal) => forgetGone(context, signal) },
  // Another database may still have processes of an earlier release, so there an operator says when (docs/operator.md).
  ...(context.config.databaseUrl === undefined
    ? [{ name: 'fill feeds', everyMs: 600_000, run: (signal: AbortSignal) => fillFeeds(context, signal) }]
    : []),
  { name: 'check the books of payments', everyMs: 3_600_000, run: (signal) => checkBooks(owned, signal) },
  { name: 'forget old checkouts', everyMs: 3_600_000, run: () => forgetOldCheckouts(context) },
  { name: 'forget old mail to guests', everyMs: 3_600_000, run: () => forgetGuestMails(context) },
  { name: 'forget old windows of guests', everyMs: 600_000, run: () => forgetGuestWindows(context) },
  { name: 'forget bookings nobody made', everyMs: 60_000, run: () => forgetUnmade(context) },
  { name: 'forget networks of bookings', everyMs: 3_600_000, run: () => forgetBookingNetworks(context) },
  { name: 'forget quiet sites', everyMs: 3_600_000, run: () => forgetFrameSites(context) },
  { name: 'forget old codes of apps', everyMs: 3_600_000, run: () => forgetOldCodes(context) },
  { name: 'forget old tokens of assistants', everyMs: 3_600_000, run: () => forgetOldTokens(context) },
  { name: 'forget old demand', everyMs: 3_600_000, run: () => forgetOldDemand(context) },
  { name: 'forget old usage', everyMs: 3_600_000, run: () => forgetOldUsage(context) },
  { name: 'forget old batches', everyMs: 3_600_000, run: () => forgetOldBatches(context) },
  { name: 'forget uploads', everyMs: 600_000, run: () => forgetUploads(context) },
  { name: 'fill the keys of contacts', everyMs: 3_600_000, run: () => fillContactKeys(context) },
  { name: 'prune deliveries', everyMs: engineLimits.pruneMs, run: () => prune(context) },
]
