import { type Html, html } from '../../html/html.ts'
import type { DayRow } from '../../reservations/day-book.ts'
import { icon } from '../parts/icon.ts'

/** From so many visits on a guest is a regular. */
export const regularVisits = 5

type Known = Pick<DayRow, 'allergies' | 'visit_count' | 'notes' | 'seating_preference'>

/**
 * What to know of a party at a glance, in an order that never changes: allergies, then how well we know them, then
 * the note. What has no room drops out whole; allergies come first and never do.
 */
export const chips = ({ allergies, visit_count: visits, notes, seating_preference: seat }: Known): Html[] => [
  ...(allergies === null
    ? []
    : [
        html`<span class="badge allergy" title="Allergies: ${allergies}">${icon('triangle-alert')}<span class="hidden-text">Allergies: </span>${allergies}</span>`,
      ]),
  ...(visits === null
    ? []
    : visits >= regularVisits
      ? [html`<span class="badge regular">${icon('repeat')}Regular ${visits}</span>`]
      : visits === 0
        ? [html`<span class="badge first">First visit</span>`]
        : []),
  ...(notes === null ? [] : [html`<span class="row-words">${notes}</span>`]),
  ...(seat === null ? [] : [html`<span class="row-words">${seat}</span>`]),
]
