import { netOf } from '../../tickets/online/reconciling/movement-reads.ts'
import { reconcile } from '../../tickets/online/reconciling/reconcile.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { staffOf, visitOffice } from '../office.ts'
import { seen } from './guest-steps.ts'
import type { MoneyWorld } from './world.ts'

/* What an owner reads of each week: the page, the file and the comparison with the processor say the same to the cent. */

/** Sundays, as the office of an American venue begins its weeks. */
const firstWeek = '2026-10-04'
const weeks = 6

export const faultsOfWeeks = async (world: MoneyWorld): Promise<string[]> => {
  const { service, venue, rows } = world
  const office = visitOffice(service)
  await office.signIn((await staffOf(service, venue, 'manager')).email)
  const faults: string[] = []
  let net = 0
  for (let week = 0; week < weeks; week++) {
    const from = addDays(firstWeek, 7 * week)
    const to = addDays(from, 6)
    const page = await office.get(`/office/payments?week=${from}`)
    const file = await office.get(`/office/payments/payments.csv?from=${from}&to=${to}`)
    const { moved } = await reconcile(service.context, seen(world), { from, to })
    const said = {
      page: figuresOf(page.html),
      file: sumsOf(file.html),
      books: Object.fromEntries(
        moved.flatMap((sums) => [
          [`${sums.payments} payment${sums.payments === 1 ? '' : 's'}`, sums.cents_in],
          ['refunded', sums.cents_back],
          ...(sums.cents_lost > 0 ? [['lost to disputes', sums.cents_lost] as const] : []),
          ...(sums.cents_returned > 0 ? [['came back again', sums.cents_returned] as const] : []),
          ['net', netOf(sums)],
        ]),
      ),
    }
    const [first, ...others] = Object.values(said).map((sums) => JSON.stringify(sums))
    if (others.some((one) => one !== first))
      faults.push(`the week of ${from} is not the same in all three: ${JSON.stringify(said)}`)
    net += said.file['net'] ?? 0
  }
  const [written] = await rows<{ net: number }>(
    `select (select coalesce(sum(amount_cents), 0) from payment where venue_id = $1 and state = 'succeeded' and via = 'processor')::int
       - (select coalesce(sum(amount_cents + beyond_cents), 0) from refund where venue_id = $1 and state = 'succeeded' and payment_id is not null and via = 'processor')::int as net`,
  )
  if (written?.net !== net)
    faults.push(`the weeks add up to ${net}, and ${written?.net} is left of what was paid`)
  return faults
}

/** The figures of the week: those of the first card on the page of one that is past, of the second this week. */
const figuresOf = (html: string): Record<string, number> => {
  const cards = html.split('<section class="card')
  const card = cards.find((one) => /<h2>(?:This week|[A-Z][a-z]+ \d|[^<]* – )/.test(one)) ?? ''
  return Object.fromEntries(
    Array.from(
      card.matchAll(/<strong>([^<]*)<\/strong><span>([^<]*)<\/span>/g),
      ([, amount = '', name = '']) => [
        name,
        Math.round(Number(amount.replaceAll(/[$,]/g, '').replace('−', '-')) * 100),
      ],
    ),
  )
}

const sumsOf = (csv: string): Record<string, number> => {
  const moved = csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([, , kind = '', , , amount]) => ({ kind, cents: Math.round(Number(amount) * 100) }))
  if (moved.length === 0) return {}
  const of = (...kinds: string[]) => moved.filter(({ kind }) => kinds.includes(kind))
  const sum = (rows: typeof moved) => rows.reduce((all, { cents }) => all + cents, 0)
  const paid = of('payment', 'fee charged')
  const lost = -sum(of('dispute lost'))
  const returned = sum(of('refund came back', 'dispute won'))
  return {
    [`${paid.length} payment${paid.length === 1 ? '' : 's'}`]: sum(paid),
    refunded: 0 - sum(of('refund')),
    ...(lost > 0 && { 'lost to disputes': lost }),
    ...(returned > 0 && { 'came back again': returned }),
    net: sum(moved),
  }
}
