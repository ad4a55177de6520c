import { type Content, type Html, html } from '../../../platform/html/html.ts'
import { dayAndYearInWords } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type WithExperience, experienceOf } from '../../../book/day/book-row.ts'
import { icon } from '../parts/icon.ts'
import { counted } from '../parts/pager.ts'
import { phoneLink } from '../texts/phone-link.ts'
import { longName } from './row-name.ts'

/*
 * What a host must read of a party, whole. A row has no room for it, so the plate carries a mark with a count, and a press on
 * it opens the peek below the row; a second closes it. A `details` does that without script, and stays open while the list
 * renews itself. Its words are the row's last child, so that they take the row's whole width.
 */

/** Of a booking or a party in line. */
export type Peeked = {
  readonly name: string
  readonly phone: string | null
  readonly allergies?: string | null
  readonly vip?: boolean
  readonly occasion?: string | null
  readonly seating?: string | null
  readonly seating_preference?: string | null
  readonly notes: string | null
  readonly private_note?: string | null
  /** What staff keep about the guest. */
  readonly staff_notes?: string | null
  readonly tags?: readonly string[]
  readonly visit_count?: number | null
  readonly last_visit_date?: LocalDate | null
} & Partial<WithExperience>

/** The plate as what opens the peek, and the peek; without anything to read, the plate alone. */
export const peek = (
  known: Peeked,
  id: string,
  plate: Html,
): { readonly plate: Html; readonly words: Html | undefined } => {
  const { allergies = null, vip = false, occasion = null, seating = null, notes, tags = [] } = known
  const { name, seating_preference: preference = null, private_note: note = null } = known
  const ofGuest = known.staff_notes ?? ''
  const chosen = experienceOf(known)
  const mustRead: readonly (readonly [string, Content])[] = [
    // Two lines of a narrow list may not hold all of it.
    ...(name.length > longName ? [['Name', name] as const] : []),
    ...(allergies === null ? [] : [['Allergies', html`<b class="bad">${allergies}</b>`] as const]),
    ...(vip ? [['Guest', 'VIP'] as const] : []),
    ...(occasion === null ? [] : [['Occasion', occasion] as const]),
    ...(chosen ? [['Experience', chosen.name] as const] : []),
    ...(seating === null ? [] : [['Would like to sit', seating] as const]),
    ...(notes === null ? [] : [['Request', notes] as const]),
    ...(note === null ? [] : [['Note', note] as const]),
    ...(ofGuest === '' ? [] : [['About the guest', ofGuest] as const]),
    ...(preference === null || seating !== null ? [] : [['Usually sits', preference] as const]),
    ...(tags.length === 0 ? [] : [['Tags', tags.join(', ')] as const]),
  ]
  if (mustRead.length === 0) return { plate, words: undefined }
  const { phone, visit_count: visits = null, last_visit_date: last = null } = known
  const facts: readonly (readonly [string, Content])[] = [
    ...mustRead,
    ...(visits === null || last === null
      ? []
      : [['Last visit', `${dayAndYearInWords(last)}, ${counted(visits, 'visit')} in all`] as const]),
    ...(phone === null ? [] : [['Phone', phoneLink(phone)] as const]),
  ]
  return {
    plate: html`<details class="peek" id="p${id}">
      <summary>
        ${plate}<span class="peek-mark ${allergies !== null && 'bad'}">${icon('notebook-pen')}${mustRead.length}</span
        ><span class="hidden-text"> to read about ${name}</span>
      </summary>
    </details>`,
    words: html`<dl class="peek-words facts">
      ${facts.map(([label, words]) => html`<dt>${label}</dt><dd class="breaks">${words}</dd>`)}
    </dl>`,
  }
}
