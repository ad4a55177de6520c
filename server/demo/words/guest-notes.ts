import type { Random } from '../random.ts'

/* What staff write about guests. No reply of the API shows any of it. */

const allergies = [
  'Shellfish allergy. Tell the kitchen.',
  'Tree-nut allergy, carries an EpiPen.',
  'Celiac. No shared fryer.',
  'Peanut allergy (daughter).',
  'Allergic to sesame.',
  'Lactose intolerant, oat milk with coffee.',
  'Severe egg allergy.',
  'Allergic to mushrooms, asks every time.',
]
const habits = [
  'Prefers table 14.',
  'Left-handed, corner seat.',
  'Sparkling water, no ice.',
  'Always the half bottle of Chablis.',
  'Drinks no alcohol, offer the verjus spritz.',
  'In a hurry on weekdays, bring the check with dessert.',
  'Usually ten minutes late.',
  'Likes to be greeted by name.',
  'Vegetarian.',
  'Pescatarian.',
  'No pork.',
  'Brings own wine, corkage agreed at $35.',
  'Asks for Elena’s section.',
]
/** Each is true of one guest. */
const aboutThem = [
  'Lives on the block.',
  'Writes about food. Nothing special, just good.',
  'Owner of the bookshop on the corner.',
  'Friend of the chef.',
  'Anniversary in June.',
  'Regular since we opened. Glass of crémant on arrival.',
  'Proposed here. Table 3.',
  'Tips very well, be kind about the table.',
  'Complained about the noise last winter; seat away from the bar.',
  'Works at the gallery, brings clients.',
  'Plays the upright on jazz nights.',
  'Bakes our birthday cakes.',
  'Landlord of number 214.',
  'Her mother was our first guest.',
  'Doctor at the clinic across the street, beeper on the table.',
  'Collects our menus.',
  'Knows the Burgundy list better than we do.',
  'Comes alone with a book, likes the counter.',
  'Moved to Boston, visits every month.',
  'Council member. No fuss.',
]

/** What staff know of one guest. */
type Known = { readonly allergies: string | null; readonly staffNotes: string }

/** Allergies and notes for staff of one guest after another; what fits only one guest is used only once. */
export const knownOfGuests = (random: Random): ((visits: number) => Known) => {
  const toldOnce = random.shuffled(aboutThem)
  return (visits) => {
    const about = visits >= 8 && random.chance(0.2) ? toldOnce.pop() : undefined
    const allergy = random.chance(visits >= 1 ? 0.05 : 0.01) ? random.pick(allergies) : null
    const lines = [
      ...(random.chance(visits >= 6 ? 0.42 : visits >= 2 ? 0.1 : 0.02) ? [random.pick(habits)] : []),
      ...(about === undefined ? [] : [about]),
    ]
    return { allergies: allergy, staffNotes: lines.join('\n') }
  }
}
