import { type Html, html } from '../../../platform/html/html.ts'
import type { MustSee } from '../../../book/reservations/day-book.ts'
import { icon } from '../parts/icon.ts'

/*
 * What a host must see of a party wherever it stands, in front of its name, so that no width cuts it off: an allergy, and a
 * VIP. In words for who hears the page.
 */

export const knownMarks = ({ allergies, vip }: MustSee): Html | undefined =>
  allergies === null && !vip
    ? undefined
    : html`<span class="marks"
        >${allergies !== null && html`<span class="bad" title="Allergies: ${allergies}">${icon('triangle-alert', 'small')}<span class="hidden-text">Allergies: ${allergies}. </span></span>`}${vip && html`<span title="VIP">${icon('star', 'small')}<span class="hidden-text">VIP. </span></span>`}</span
      >`
