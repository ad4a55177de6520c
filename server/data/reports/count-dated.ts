import type { VenueId } from '../../core/venue/venue.ts'
import type { Gate } from '../../platform/db/gate.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { enoughToCompare } from '../../marketing/campaigns/audience/holdout.ts'
import { bookedAfter, campaignsOfDates, leadsOfDates, listOfDates, ordersOfDates } from './dated-reads.ts'
import { demandMakers } from './demand/count-demand.ts'
import type { CountedFigure } from './figure-names.ts'
import { differenceOf } from './difference-of.ts'
import { openTally } from './open-tally.ts'
import type { Days } from './report-reads.ts'
import { type Tally, sumOf } from './tally.ts'

type Asked = Days & { readonly zone: string; readonly names: readonly CountedFigure[] }

/** The figures that are counted by another date than that of a service. */
export const countDated = async (db: Queries, gate: Gate, venue: VenueId, asked: Asked): Promise<Tally> => {
  const counted: Tally[] = []
  for (const name of asked.names) {
    const make = makers[name]
    if (make) counted.push(await gate(venue, () => make(db, venue, asked)))
  }
  return sumOf(counted)
}

type Maker = (db: Queries, venue: VenueId, asked: Asked) => Promise<Tally>

const ticketMoney: Maker = async (db, venue, asked) => {
  const { tally, count } = openTally()
  for (const { date, code, orders, unconfirmed, ...sums } of await ordersOfDates(db, venue, asked)) {
    for (const [measure, n] of Object.entries(sums)) count('ticket_money', { date, measure }, n)
    count('ticket_money', { date, measure: 'net' }, sums.gross - sums.refunded)
    count('ticket_money', { date, measure: 'unconfirmed' }, unconfirmed)
    if (code === null || orders === 0) continue
    count('ticket_money', { code, measure: 'orders' }, orders)
    count('code_discounts', { code }, sums.discounts)
  }
  return tally
}

const list: Maker = async (db, venue, asked) => {
  const { tally, count } = openTally()
  for (const { date, measure, source, people } of await listOfDates(db, venue, asked)) {
    count('list', { date, measure }, people)
    if (source !== null) count('list', { source, measure }, people)
  }
  return tally
}

const campaigns: Maker = async (db, venue, asked) => {
  const { tally, count } = openTally()
  const found = await campaignsOfDates(db, venue, asked)
  for (const { id: campaign, sent, failed, gone, complaints } of found) {
    const figures = { sent, failed, left: gone, complaints }
    for (const [measure, n] of Object.entries(figures)) count('campaigns', { campaign, measure }, n)
  }
  const tried = found.filter(({ held }) => held > 0)
  const enough = tried.filter(({ sent, held }) => Math.min(sent, held) >= enoughToCompare)
  const booked =
    enough.length > 0
      ? await bookedAfter(
          db,
          venue,
          enough.map(({ id }) => id),
        )
      : []
  for (const { id: campaign } of tried) {
    const [sent, held] = ['sent', 'held'].map((state) =>
      booked.find((row) => row.campaign_id === campaign && row.state === state),
    )
    if (!sent || !held || Math.min(sent.people, held.people) < enoughToCompare) {
      count('campaigns', { campaign, measure: 'difference' }, 0, 0)
      continue
    }
    count('campaigns', { campaign, measure: 'sent_booked' }, sent.booked, sent.people)
    count('campaigns', { campaign, measure: 'held_booked' }, held.booked, held.people)
    for (const [measure, value] of Object.entries(differenceOf(sent, held)))
      count('campaigns', { campaign, measure }, value, 1)
  }
  return tally
}

const leads: Maker = async (db, venue, asked) => {
  const { tally, count } = openTally()
  for (const { stage, leads: n } of await leadsOfDates(db, venue, asked)) {
    count('leads', { stage }, n)
    count('leads', { measure: 'won' }, stage === 'Booked' || stage === 'Completed' ? n : 0, n)
  }
  return tally
}

const makers: Readonly<Partial<Record<CountedFigure, Maker>>> = {
  ticket_money: ticketMoney,
  list,
  campaigns,
  leads,
  ...demandMakers,
}

/** The figures that are made here; the last two with those they belong to. */
export const datedFigures: ReadonlySet<CountedFigure> = new Set([
  ...(Object.keys(makers) as CountedFigure[]),
  ...(['refused_by_weekday', 'code_discounts'] as const),
])
