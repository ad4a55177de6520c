import { type Html, html } from '../../../platform/html/html.ts'
import { bigPartyGuests, regularVisits } from '../../../crm/house/rules.ts'
import { type WithExperience, experienceOf } from '../../../book/day/book-row.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import { icon } from '../parts/icon.ts'

type Known = Pick<DayRow, 'allergies' | 'visit_count' | 'notes' | 'seating_preference'> & {
  readonly occasion?: string | null
  readonly vip?: boolean
  readonly tags?: readonly string[]
  readonly party_size?: number | null
  /** Where the party of this booking would like to sit. */
  readonly seating?: string | null
  readonly private_note?: string | null
} & Partial<WithExperience>

/**
 * What to know of a party at a glance, in an order that never changes: allergies, the occasion, VIP, how well we know
 * them, anything else notable, what its table is (`facts`), then the note. What has no room drops out whole; allergies
 * come first and never do.
 */
export const chips = (known: Known, facts: readonly Html[] = []): Html[] => [
  ...allergyChips(known),
  ...chipsAfterAllergies(known, facts),
]

export const allergyChips = ({ allergies }: Pick<Known, 'allergies'>): Html[] =>
  allergies === null
    ? []
    : [
        html`<span class="badge allergy" title="Allergies: ${allergies}">${icon('triangle-alert')}<span class="hidden-text">Allergies: </span>${allergies}</span>`,
      ]

/** The others, where something else stands between. */
export const chipsAfterAllergies = (known: Known, facts: readonly Html[] = []): Html[] => {
  const { visit_count: visits, notes, seating_preference: seat } = known
  const { occasion = null, vip = false, tags = [], party_size: size = null, seating = null } = known
  const { private_note: note = null } = known
  const chosen = experienceOf(known)
  return [
    ...(occasion === null ? [] : [occasionChip(occasion)]),
    ...(chosen ? [experienceChip(chosen.name)] : []),
    ...(vip ? [vipChip] : []),
    ...(visits === null
      ? []
      : visits >= regularVisits
        ? [html`<span class="badge regular">${icon('repeat')}Regular ${visits}</span>`]
        : visits === 0
          ? [html`<span class="badge first">First visit</span>`]
          : []),
    ...(size !== null && size >= bigPartyGuests
      ? [html`<span class="badge">${icon('users')}Big party</span>`]
      : []),
    ...tags.map(tagChip),
    ...(seating === null ? [] : [seatingChip(seating)]),
    ...facts,
    ...(notes === null ? [] : [html`<span class="row-words">${notes}</span>`]),
    ...(note === null ? [] : [html`<span class="row-words">${note}</span>`]),
    // What they like on any evening, unless they said it for this one.
    ...(seat === null || seating !== null ? [] : [html`<span class="row-words">${seat}</span>`]),
  ]
}

export const occasionChip = (occasion: string): Html =>
  html`<span class="badge occasion">${icon(/birthday|\d/i.test(occasion) ? 'cake' : 'party-popper')}<span class="hidden-text">Occasion: </span>${occasion}</span>`

const experienceChip = (name: string): Html =>
  html`<span class="badge"><span class="hidden-text">Experience: </span>${name}</span>`

const seatingChip = (seating: string): Html =>
  html`<span class="badge">${icon('armchair')}<span class="hidden-text">Would like to sit: </span>${seating}</span>`

export const vipChip: Html = html`<span class="badge vip">${icon('star')}VIP</span>`

/** One of the venue's own tags. */
export const tagChip = (name: string): Html => html`<span class="badge">${name}</span>`
