import { giveBackUnanswered } from '../../book/reservations/guarantee/give-back-unanswered.ts'
import { followAsks } from '../../book/reservations/guarantee/asked/follow-asks.ts'
import { deleteCards } from '../../book/reservations/guarantee/jobs.ts'
import { makeCharges } from '../../book/reservations/guarantee/charging/make-charges.ts'
import { completeEndedServices, lapseChanges } from '../../book/reservations/jobs.ts'
import { lookAtCheckouts } from '../../core/money/sweep.ts'
import { lookingAtPaid } from '../../marketing/subscribers/looking-at-paid.ts'
import { lookAtCalls } from '../../tickets/online/money-back/called-about.ts'
import { checkBooks } from '../../tickets/online/reconciling/nightly.ts'
import { lookAfterwards } from '../../tickets/online/restored/look-first.ts'
import { refundOnline } from '../../tickets/online/money-back/refund-online.ts'
import { type Step, looking } from './guest-steps.ts'
import type { MoneyWorld } from './world.ts'

/* What workers, the clock and the processor do by themselves. */

const signal = new AbortController().signal

const jobs: readonly (readonly [name: string, run: (world: MoneyWorld) => Promise<unknown>])[] = [
  ['lapse changes', ({ context }) => lapseChanges(context)],
  ['give back what nobody answered', ({ context }) => giveBackUnanswered(context)],
  ['look at checkouts', (world) => lookAtCheckouts(looking(world), signal)],
  ['charge cards', ({ context }) => makeCharges(context, signal)],
  ['follow asks', ({ context }) => followAsks(context, signal)],
  ['delete cards', ({ context }) => deleteCards(context, signal)],
  ['look at calls', ({ context }) => lookAtCalls(context, signal)],
  ['make refunds', ({ context }) => refundOnline(context, signal)],
  ['look on after a backup', ({ context }) => lookAfterwards(context, lookingAtPaid, signal)],
]

const work: Step = async (world) => {
  const [name, run] = world.random.pick(jobs)
  await run(world)
  return name
}

/** Two workers at once, or a worker and a guest's own look. */
const workTogether: Step = async (world) => {
  const [one, other] = [world.random.pick(jobs), world.random.pick(jobs)]
  await Promise.all([one[1](world), other[1](world)])
  return `${one[0]} and ${other[0]}`
}

/** All of it once, as a worker does in a minute. */
export const workAll = async (world: MoneyWorld): Promise<void> => {
  for (const [, run] of jobs) await run(world)
}

export const finishServices = ({ context }: MoneyWorld): Promise<unknown> => completeEndedServices(context)

const passTime: Step = async ({ random, later, service }) => {
  later(
    random.weighted<Temporal.DurationLike>([
      [{ seconds: random.integer(1, 90) }, 6],
      [{ minutes: random.integer(2, 40) }, 8],
      [{ hours: random.integer(1, 12) }, 3],
      [{ hours: random.integer(20, 40) }, 0.5],
    ]),
  )
  return service.context.clock().toString()
}

/** A call of the processor arrives: of any age, in any order; most stay and come again. */
const call: Step = async ({ stripe, random }) => {
  if (stripe.held.length === 0) return 'nothing'
  const event = random.pick(stripe.held)
  const status = await stripe.call(event)
  if (status < 300 && random.chance(0.4)) stripe.held.splice(stripe.held.indexOf(event), 1)
  return `${event.type} ${status}`
}

const loseCall: Step = async ({ stripe, random }) => {
  if (stripe.held.length > 0) stripe.held.splice(stripe.held.indexOf(random.pick(stripe.held)), 1)
}

const ways = [
  'POST /v1/checkout',
  'GET /v1/checkout',
  'POST /v1/refunds',
  'GET /v1/refunds',
  'POST /v1/payment',
  'DELETE',
  'GET',
]
const misbehave: Step = async ({ stripe, random }) => {
  stripe.trouble = {
    at: random.pick(ways),
    how: random.pick(['busy', 'closed', 'failed', 'failed after'] as const),
  }
  return `${stripe.trouble.at} ${stripe.trouble.how}`
}

const changeMood: Step = async ({ stripe, random }) => {
  stripe.refundsPend = random.chance(0.4)
  stripe.declines = random.pick([undefined, undefined, 'card_declined', 'authentication_required'] as const)
  return `${String(stripe.refundsPend)} ${stripe.declines}`
}

const forgetKeys: Step = async ({ stripe, later }) => {
  later({ hours: 24 })
  stripe.forgetKeys()
}

const endRefund: Step = async ({ stripe, random }) => {
  const open = [...stripe.refunds.values()].filter(({ status }) => status === 'pending' || random.chance(0.1))
  if (open.length === 0) return 'nothing'
  const status = random.chance(0.6) ? 'succeeded' : 'failed'
  const refund = random.pick(open)
  // One that failed stays so.
  if (refund.status === 'failed') return 'nothing'
  await stripe.endRefund(refund.id, status)
  return status
}

/** A bank sends back what had arrived, and mostly no call about that refund ever comes again. */
const refundComesBack: Step = async ({ stripe, random }) => {
  const arrived = [...stripe.refunds.values()].filter(({ status }) => status === 'succeeded')
  if (arrived.length === 0) return 'nothing'
  const { id } = random.pick(arrived)
  await stripe.endRefund(id, 'failed')
  if (random.chance(0.3)) return 'called about'
  const others = stripe.held.filter(({ data }) => (data.object as { readonly id?: string }).id !== id)
  stripe.held.splice(0, stripe.held.length, ...others)
  return 'unheard'
}

const paidThere = ({ stripe }: MoneyWorld) =>
  [...stripe.intents.values()].filter(({ status }) => status === 'succeeded')

const backThere = ({ stripe }: MoneyWorld, intent: string): number =>
  [...stripe.refunds.values()]
    .filter((row) => row.payment_intent === intent && row.status !== 'failed')
    .reduce((sum, row) => sum + row.amount, 0)

const isDisputed = ({ stripe }: MoneyWorld, intent: string): boolean =>
  [...stripe.disputes.values()].some(
    (one) => one.payment_intent === intent && !['won', 'warning_needs_response'].includes(one.status),
  )

const refundInDashboard: Step = async (world) => {
  const paid = paidThere(world).filter(({ id }) => !isDisputed(world, id))
  if (paid.length === 0) return 'nothing'
  const intent = world.random.pick(paid)
  const amount = world.random.chance(0.5) ? intent.amount : world.random.integer(1, intent.amount)
  // Its dashboard refuses more than is left.
  if (backThere(world, intent.id) + amount > intent.amount) return 'nothing'
  await world.stripe.refundThere(intent.id, amount)
  return String(amount)
}

const dispute: Step = async (world) => {
  // A bank may dispute all of a payment of which a part went back. What it decided for the venue it may take up again.
  const paid = paidThere(world).filter(({ id, amount }) => backThere(world, id) < amount)
  if (paid.length === 0) return 'nothing'
  const status = world.random.pick(['needs_response', 'lost', 'won', 'warning_needs_response'] as const)
  await world.stripe.dispute(world.random.pick(paid).id, status)
  return status
}

/** A bank takes all of a payment of which a part went back, mostly one of several that were made for the same booking. */
const takeTwice: Step = async (world) => {
  const several = await world.rows<{ ref: string }>(
    `select p.processor_ref as ref from payment p
      where p.venue_id = $1 and p.guarantee_id in (
        select guarantee_id from payment where venue_id = $1 and state = 'succeeded' group by 1 having count(*) > 1)`,
  )
  const paid = paidThere(world).filter(
    ({ id, amount }) => !isDisputed(world, id) && backThere(world, id) + 1 < amount,
  )
  const fitting = paid.filter(({ id }) => several.some(({ ref }) => ref === id))
  const [intent] = world.random.shuffled(fitting.length > 0 ? fitting : paid)
  if (!intent) return 'nothing'
  const part = world.random.integer(1, intent.amount - backThere(world, intent.id) - 1)
  await world.stripe.refundThere(intent.id, part)
  await world.stripe.dispute(intent.id, 'lost')
  return `${part} of ${intent.amount}`
}

/** The venue takes payments there that are not ours. */
const otherBusiness: Step = async ({ stripe, random, service }) => {
  const id = `pi_other${stripe.intents.size}`
  const created = Math.floor(service.context.clock().epochMilliseconds / 1_000)
  stripe.intents.set(id, {
    ...{ id, object: 'payment_intent', amount: random.integer(100, 9_000), created, currency: 'usd' },
    ...{ metadata: {}, status: 'succeeded' },
  })
}

export const machineSteps: readonly (readonly [name: string, step: Step, weight: number])[] = [
  ['work', work, 12],
  ['work together', workTogether, 4],
  ['services end', finishServices, 2],
  ['the books are compared', ({ context }) => checkBooks(context, signal), 1],
  ['time passes', passTime, 9],
  ['a call arrives', call, 8],
  ['a call is lost', loseCall, 3],
  ['the processor misbehaves', misbehave, 4],
  ['the processor changes', changeMood, 3],
  ['the processor forgets its keys', forgetKeys, 0.5],
  ['a refund ends', endRefund, 4],
  ['a refund comes back', refundComesBack, 4],
  ['a refund in the dashboard', refundInDashboard, 2],
  ['a dispute', dispute, 2],
  ['a part goes back, and a bank takes all', takeTwice, 1],
  ['other business', otherBusiness, 1],
]
