import type { Priority } from '@venue-data/contract/records/lead.ts'
import type { TaskCategory } from '@venue-data/contract/records/task.ts'
import { addDays } from '../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import type { DemoLead } from './leads.ts'
import type { Random } from './random.ts'
import { dayMs, wallAt } from './venue-time.ts'

export type DemoTask = {
  readonly title: string
  readonly due: LocalDate | null
  readonly priority: Priority
  readonly category: TaskCategory
  readonly client: string | null
  readonly done: boolean
  readonly createdAt: number
  readonly updatedAt: number
}

const houseWork: readonly (readonly [category: TaskCategory, title: string])[] = [
  ['Menu', 'Proofread the new dinner menu'],
  ['Menu', 'Price the oyster platter again'],
  ['Menu', 'Write the brunch specials board'],
  ['Menu', 'Taste the zero-proof pairings with the bar'],
  ['Finance', 'Send last month’s invoices to the bookkeeper'],
  ['Finance', 'Check the deposit for the Garden Room'],
  ['Finance', 'Dispute the chargeback from Saturday'],
  ['Finance', 'Renew the liquor license bond'],
  ['Operations', 'Order oysters for the weekend'],
  ['Operations', 'Have the walk-in door seal replaced'],
  ['Operations', 'Book the gas inspection'],
  ['Operations', 'Replace the wobbly table 9'],
  ['Operations', 'Test the emergency lights'],
  ['Operations', 'Linen: count and reorder'],
  ['POS', 'Add the set menu to the POS'],
  ['POS', 'Take the sold-out wines off the POS'],
  ['POS', 'Handheld 3 loses its connection upstairs'],
  ['HR', 'Interview two hosts'],
  ['HR', 'Post the schedule for next week'],
  ['HR', "Renew Theo's food protection certificate"],
  ['HR', 'Plan the staff party'],
  ['Follow-Up', 'Answer the review about the noise'],
  ['Follow-Up', 'Call back the florist'],
  ['Other', 'Photos of the new booths for the website'],
  ['Other', 'Return the borrowed ice bucket next door'],
]

/** The staff's list: work in the house, and calls about inquiries that are still open. */
export const tasksOf = (
  random: Random,
  leads: readonly DemoLead[],
  { now, count }: { now: number; count: number },
): DemoTask[] => {
  const house = random.shuffled(houseWork).slice(0, Math.max(6, Math.round(count * 0.45)))
  const open = leads.filter(
    ({ stage, createdAt }) =>
      createdAt > now - 75 * dayMs && (stage === 'Inquiry' || stage === 'Proposal' || stage === 'Contract'),
  )
  return [
    ...house.map(([category, title]) => ({
      category,
      title,
      client: null,
      at: now - random.draw() * 60 * dayMs,
    })),
    ...random
      .shuffled(open)
      .slice(0, Math.max(4, count - house.length))
      .map((lead) => ({
        category: 'Follow-Up' as const,
        title: followUp(random, lead),
        client: lead.contactName,
        at: Math.min(now, lead.createdAt + random.draw() * 2 * dayMs),
      })),
  ]
    .map((task) => taskOf(random, task, now))
    .toSorted((a, b) => a.createdAt - b.createdAt)
}

const followUp = (random: Random, { stage, contactName, concept }: DemoLead): string => {
  const first = contactName.split(' ')[0] ?? contactName
  if (stage === 'Contract')
    return random.pick([`Chase the signed contract from ${first}`, `Deposit from ${first}?`])
  if (stage === 'Proposal')
    return random.pick([`Ask ${first} about the proposal`, `Send ${first} the wine packages`])
  return random.pick([`Call ${first} about ${concept}`, `Answer ${first}: is the date free?`])
}

type NewTask = Pick<DemoTask, 'category' | 'title' | 'client'> & { readonly at: number }

const taskOf = (random: Random, { category, title, client, at }: NewTask, now: number): DemoTask => {
  const createdAt = Math.floor(at)
  const doneAt = Math.floor(createdAt + random.exponential(9) * dayMs)
  const done = doneAt <= now && random.chance(0.75)
  const due = addDays(wallAt(createdAt).date, random.integer(1, 21))
  return {
    category,
    title,
    client,
    due: random.chance(0.85) ? due : null,
    priority: random.weighted([
      ['High', 22],
      ['Medium', 58],
      ['Low', 20],
    ]),
    done,
    createdAt,
    updatedAt: done ? doneAt : createdAt,
  }
}
