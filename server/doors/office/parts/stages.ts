import { type FloorStage, floorStages } from '@venue-data/contract/records/reservation.ts'
import type { BookRow } from '../../../book/day/book-row.ts'

/** As American dining rooms say them; what is stored keeps its name. */
export const stageNames: Readonly<Record<FloorStage, string>> = {
  Arrived: 'Arrived',
  'Partly seated': 'Partly seated',
  Seated: 'Seated',
  Ordered: 'Ordered',
  Starters: 'Starters',
  Mains: 'Entrées',
  Dessert: 'Dessert',
  Bill: 'Check',
  Paid: 'Paid',
}

/** What a button for the next stage does: the state it leads to would read like the one they are in. */
export const stagePresses: Readonly<Record<FloorStage, string>> = {
  ...stageNames,
  Ordered: 'Take order',
  Starters: 'Serve starters',
  Mains: 'Serve entrées',
  Dessert: 'Serve dessert',
  Bill: 'Bring check',
  Paid: 'Take payment',
}

/** What was done by that press: "Rachel Clark, 2 guests: dessert served". */
export const stageDone: Readonly<Record<FloorStage, string>> = {
  Arrived: 'arrived',
  'Partly seated': 'partly seated',
  Seated: 'seated',
  Ordered: 'ordered',
  Starters: 'starters served',
  Mains: 'entrées served',
  Dessert: 'dessert served',
  Bill: 'check brought',
  Paid: 'paid',
}

/** The stage that follows; none after the last. */
export const nextStage = ({ floor_stage }: Pick<BookRow, 'floor_stage'>): FloorStage | undefined => {
  const at = floorStages.findIndex((stage) => stage === (floor_stage ?? 'Seated'))
  return floorStages[Math.max(at, floorStages.indexOf('Seated')) + 1]
}
