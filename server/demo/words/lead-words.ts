import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Random } from '../random.ts'

export type Occasion = {
  readonly name: string
  readonly weight: number
  readonly titles: readonly string[]
  readonly guests: readonly [least: number, most: number]
  /** Dollars for each guest. */
  readonly budget: readonly number[]
  readonly styles: readonly string[]
  readonly notes: readonly string[]
}

const seated = ['Seated dinner', 'Family style', 'Set menu, three courses']
const standing = ['Cocktail reception', 'Passed canapés and a station', 'Standing, with some seats']

/** What people celebrate in a private room, and what they write about it. */
export const occasions: readonly Occasion[] = [
  {
    name: 'Birthday',
    weight: 26,
    titles: ['{first} turns 40', '{last} 50th', "{first}'s 30th", 'Surprise birthday'],
    guests: [14, 45],
    budget: [75, 85, 95, 110, 120],
    styles: [...seated, ...standing],
    notes: [
      'It is a surprise, please only write to this address.',
      'We would love the Garden Room if it is free. Own cake is ok?',
      'Could you do a cocktail hour first and then dinner?',
      'What is the minimum spend on a Saturday?',
    ],
  },
  {
    name: 'Corporate dinner',
    weight: 24,
    titles: ['{last} & Partners dinner', 'Team dinner', 'Board dinner', 'Client evening', 'Sales kickoff'],
    guests: [12, 60],
    budget: [110, 125, 140, 160, 185],
    styles: [...seated, 'Cocktail reception'],
    notes: [
      'Need a private room with a screen for a 10 minute presentation.',
      'Please send the wine packages with the proposal.',
      'Invoice to the company, we need a W-9.',
      'Flexible between Tuesday and Thursday that week.',
      'One speech, so a microphone would help.',
    ],
  },
  {
    name: 'Rehearsal dinner',
    weight: 14,
    titles: ['{last} rehearsal dinner', '{first} and Sam, the night before'],
    guests: [24, 55],
    budget: [95, 115, 130, 145],
    styles: seated,
    notes: [
      'The wedding is upstate the day after. A bus brings everybody at 6.',
      'Two families, a lot of toasts. Around three hours.',
      'Is there a place for a small slideshow?',
    ],
  },
  {
    name: 'Baby shower',
    weight: 9,
    titles: ["{first}'s baby shower", 'Baby {last}'],
    guests: [15, 32],
    budget: [55, 65, 70],
    styles: ['Buffet brunch', 'Brunch, family style'],
    notes: ['Sunday late morning would be ideal.', 'We bring flowers and a few balloons, is that fine?'],
  },
  {
    name: 'Engagement party',
    weight: 8,
    titles: ['{first} is engaged', '{last} engagement'],
    guests: [25, 60],
    budget: [80, 95, 110],
    styles: standing,
    notes: ['Very relaxed, good drinks matter most.', 'Can we bring a playlist?'],
  },
  {
    name: 'Anniversary',
    weight: 8,
    titles: ['{last} 25th anniversary', 'Mom and Dad, 50 years'],
    guests: [12, 30],
    budget: [95, 120, 135],
    styles: seated,
    notes: [
      'They had their first dinner at your address, long before you opened.',
      'Three courses and a toast.',
    ],
  },
  {
    name: 'Launch',
    weight: 6,
    titles: ['Book launch', 'Gallery opening after-party', 'Season preview'],
    guests: [40, 75],
    budget: [60, 75, 90],
    styles: standing,
    notes: ['Standing, two hours, wine and beer only.', 'We need the room from 5 pm to set up.'],
  },
  {
    name: 'Memorial',
    weight: 3,
    titles: ['A lunch for {first}', '{last} family'],
    guests: [15, 40],
    budget: [60, 75],
    styles: ['Buffet', 'Family style'],
    notes: ['A quiet afternoon, please. We are not sure about the number yet.'],
  },
]

export const dietaryWishes = [
  'Two vegetarians',
  'Four vegetarians, one vegan',
  'Several vegetarian, no pork',
  'Halal meat for six guests if possible',
  'Kosher-style, no shellfish on the table',
  'One pescatarian',
  'Half the group is vegetarian',
  'Will collect and let you know',
]

const months = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November',
  'December',
] as const // prettier-ignore

/** A date as people write it when they do not know it yet. */
export const dateInFreeWords = (random: Random, date: LocalDate): string => {
  const month = months[Number(date.slice(5, 7)) - 1] ?? ''
  const day = Number(date.slice(8))
  const part = day <= 10 ? 'early' : day <= 20 ? 'mid' : 'late'
  return random.pick([
    `${part} ${month}`,
    `${month} ${day} or the week after`,
    `a Thursday in ${month}`,
    `${month} ${day}`,
    `sometime in ${month}, flexible`,
  ])
}
