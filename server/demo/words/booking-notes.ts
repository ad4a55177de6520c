import type { Random } from '../random.ts'

/*
 * What guests write into the field "Anything we should know?", in their own spelling, and what the host writes down
 * on the phone. Allergies are not here: this house asks for them when it calls back, and they go into the notes for
 * staff (guest-notes.ts).
 */

export type NoteFacts = {
  readonly source: keyof typeof noteShare
  readonly partySize: number
  readonly serviceMinute: number
  /** 1 to 12. */
  readonly month: number
}

/** How many bookings of each source have a note. */
const noteShare = { public: 0.25, staff: 0.27, automation: 0.14, walkin: 0.05, waitlist: 0.06 } as const

type Notes = { readonly fits: (facts: NoteFacts) => boolean; readonly texts: readonly string[] }

const isDinner = ({ serviceMinute }: NoteFacts): boolean => serviceMinute >= 16 * 60
const isEarly = (facts: NoteFacts): boolean => isDinner(facts) && facts.serviceMinute <= 18 * 60 + 15
const isForFamilies = ({ serviceMinute }: NoteFacts): boolean => serviceMinute <= 19 * 60
const isWarm = ({ month }: NoteFacts): boolean => month >= 5 && month <= 9

const written: readonly Notes[] = [
  {
    fits: () => true,
    texts: [
      'Quiet table please',
      'Not by the door please, it was drafty last time',
      'Vegetarian in the party',
      'No rush, we like to linger',
      'First time here, excited!',
      'Recommended by our hotel',
      'Visiting from Chicago for the weekend',
      'Here for the burgundy list',
      'back again! same table as last time?',
      'Please no surprises, just a good meal :)',
      'We will have luggage with us',
      'A corner table would be great',
      'may be 10 min late, sorry in advance',
    ],
  },
  {
    fits: ({ partySize }) => partySize === 2,
    texts: [
      'Anniversary, window if possible',
      'our 10th anniversary :)',
      'First anniversary! Anything special would be lovely',
      'Could we sit at the bar?',
      'bar seats if possible',
      'Window table if you have one',
      'Celebrating a new job',
      'My wife loves the booth by the door',
      'Side by side rather than across, please',
      'We loved table 14 last time',
    ],
  },
  {
    fits: (facts) => facts.partySize === 2 && isDinner(facts),
    texts: [
      'Date night, a quiet table please',
      'first date, please not next to the kitchen lol',
      "I'm proposing tonight – please call me before we arrive, she doesn't know",
    ],
  },
  {
    fits: ({ partySize }) => partySize >= 3 && partySize <= 5,
    texts: [
      'Booth if there is one',
      'Round table please',
      "Celebrating my mom's 70th",
      "Dad's birthday, we will bring a cake",
      'bday!!',
      'One of us uses a wheelchair, step-free table please',
      'Grandmother walks with a cane, close to the entrance would help',
      'may become one more, will call',
      'Two vegetarians',
      'One vegan, is that ok?',
    ],
  },
  {
    fits: (facts) => facts.partySize >= 3 && isDinner(facts),
    texts: [
      'Birthday dinner for my sister, candle on dessert?',
      'Graduation dinner',
      'Engagement dinner with both families',
      'Work dinner, somewhere we can hear each other',
      'Client dinner, please bring the check to me',
    ],
  },
  {
    fits: (facts) => facts.partySize >= 3 && isForFamilies(facts),
    texts: [
      'High chair please',
      'One high chair, one booster',
      'we have a 2 year old, high chair if available',
      'Stroller – somewhere we can park it?',
    ],
  },
  {
    fits: ({ partySize }) => partySize >= 6,
    texts: [
      'One long table please',
      'can we split the bill on two cards?',
      'Family visiting from out of town',
      'Could you send the set menu options beforehand?',
      'Is there a fixed menu for groups?',
      'Birthday, can we bring our own cake?',
    ],
  },
  {
    fits: isEarly,
    texts: [
      'Theater at 8, we need to be out by 7:40',
      'Curtain is at 8',
      'Running from work, might be a few min late',
      'We have a babysitter until 9',
    ],
  },
  {
    fits: ({ serviceMinute }) => serviceMinute >= 21 * 60 + 30,
    texts: [
      'Coming from a show, we might be 10 minutes late',
      'after the theater',
      'Is the full menu on that late?',
    ],
  },
  { fits: isWarm, texts: ['Outside if possible', 'Patio please', 'Patio if it is warm enough'] },
]

const byPhone: readonly Notes[] = [
  {
    fits: () => true,
    texts: [
      'Likes the corner booth',
      'Asked for the window',
      'Will call back to confirm the number',
      'Birthday',
      'Anniversary',
      'Prefers upstairs',
      'Needs step-free access',
      'Asked for table 14, said we try',
    ],
  },
  { fits: isEarly, texts: ['Pre-theater, out by 7:30'] },
  { fits: (facts) => facts.partySize >= 3 && isForFamilies(facts), texts: ['High chair', 'Stroller'] },
  {
    fits: ({ partySize }) => partySize > 8,
    texts: ['Set menu, deposit taken', 'Manager ok with the size', 'One check'],
  },
]

const walkingIn: readonly Notes[] = [
  { fits: () => true, texts: ['Bar', 'Bar ok', 'At the counter', 'Waited at the bar', 'In a hurry'] },
  { fits: isWarm, texts: ['Dog, sat outside', 'Patio'] },
]

const lists = {
  public: written,
  automation: written,
  staff: byPhone,
  walkin: walkingIn,
  waitlist: walkingIn,
} as const

export const bookingNote = (random: Random, facts: NoteFacts): string | null => {
  if (!random.chance(noteShare[facts.source] * (facts.partySize >= 6 ? 1.6 : 1))) return null
  return random.pick(lists[facts.source].filter(({ fits }) => fits(facts)).flatMap(({ texts }) => texts))
}
