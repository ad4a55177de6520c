import { type Content, type Html, html } from '../../../platform/html/html.ts'
import { dayAndYearInWords } from '../../../platform/kernel/time/in-words.ts'
import { bigPartyGuests, regularVisits } from '../../../crm/house/rules.ts'
import type { ServerRow } from '../../../book/servers/server.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type WithExperience, experienceOf } from '../../../book/day/book-row.ts'
import { icon } from '../parts/icon.ts'
import { counted } from '../parts/pager.ts'
import { serverChip } from '../parts/server-chip.ts'
import { phoneLink } from '../texts/phone-link.ts'
import { longInLine, longName } from './row-name.ts'

/*
 * What a host must read of a party, whole. A row has no room for it, so the plate carries a mark with a count, and a press on
 * it opens the peek below the row; a second closes it. A `details` does that without script, and stays open while the list
 * renews itself. Its words are the row's last child, so that they take the row's whole width.
 */

/*
 * Whatever a row may have no room for is in its peek: what must be read counts, and the rest stands with it.
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
  readonly party_size?: number | null
  readonly service_date?: LocalDate | null
  /** What the row asks of staff. */
  readonly asks?: string | undefined
  /** Until when their table is theirs, and who is next at it, once that is near. */
  readonly ends?: Content
  /** Their number is to be read, too. */
  readonly isToCall?: boolean
  /** What else the row says: a stage, a reply. */
  readonly more?: readonly (readonly [string, Content])[]
  /** Who serves them: on the plate, where every row has room. */
  readonly server?: Pick<ServerRow, 'name' | 'initials' | 'color'> | undefined
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
  const {
    phone,
    asks,
    ends,
    isToCall = false,
    more = [],
    server,
    visit_count: visits = null,
    last_visit_date: last = null,
  } = known
  // What their chips say, as they say it.
  const ofParty = [
    ...(vip ? ['VIP'] : []),
    ...(visits !== null && visits >= regularVisits ? [`Regular ${visits}`] : []),
    ...((known.party_size ?? 0) >= bigPartyGuests ? ['Big party'] : []),
  ]
  const longest = isToCall ? longInLine : longName
  const isCrowded = more.length > 0 || asks !== undefined
  const mustRead: readonly (readonly [string, Content])[] = [
    ...(asks === undefined ? [] : [['Asks', html`<b class="bad">${asks}</b>`] as const]),
    ...(ends === undefined ? [] : [['Table', ends] as const]),
    // Two lines of a narrow list, or one in the line, may not hold all of it.
    ...(name.length > longest ? [['Name', name] as const] : []),
    ...(allergies === null ? [] : [['Allergies', html`<b class="bad">${allergies}</b>`] as const]),
    ...(ofParty.length > 0 ? [['Guest', ofParty.join(', ')] as const] : []),
    ...(visits === 0 && isCrowded ? [['Guest', 'First visit'] as const] : []),
    ...(occasion === null ? [] : [['Occasion', occasion] as const]),
    ...(chosen ? [['Experience', chosen.name] as const] : []),
    ...(seating === null ? [] : [['Would like to sit', seating] as const]),
    ...(notes === null ? [] : [['Request', notes] as const]),
    ...(note === null ? [] : [['Note', note] as const]),
    ...(ofGuest === '' ? [] : [['About the guest', ofGuest] as const]),
    ...(preference === null || seating !== null ? [] : [['Usually sits', preference] as const]),
    ...(tags.length === 0 ? [] : [['Tags', tags.join(', ')] as const]),
    ...(isToCall && phone !== null ? [['Phone', phoneLink(phone)] as const] : []),
  ]
  const served = server && serverChip(server)
  if (mustRead.length === 0)
    return { plate: served ? html`<span class="plated">${plate}${served}</span>` : plate, words: undefined }
  const facts: readonly (readonly [string, Content])[] = [
    ...(name.length > longest ? [] : [['Name', name] as const]),
    ...mustRead,
    ...more,
    ...(visits === 0 && !isCrowded ? [['Guest', 'First visit'] as const] : []),
    ...(server ? [['Server', server.name] as const] : []),
    ...(visits === null || last === null ? [] : [visitsFact(visits, last, known.service_date ?? null)]),
    ...(phone === null || isToCall ? [] : [['Phone', phoneLink(phone)] as const]),
  ]
  return {
    plate: html`<details class="peek" id="p${id}">
      <summary>
        ${plate}<span class="peek-mark ${(allergies !== null || asks !== undefined) && 'bad'}">${icon('notebook-pen')}${mustRead.length}</span
        ><span class="hidden-text"> to read about ${name}</span>${served}
      </summary>
    </details>`,
    words: html`<dl class="peek-words facts">
      ${facts.map(([label, words]) => html`<dt>${label}</dt><dd class="breaks">${words}</dd>`)}
    </dl>`,
  }
}

/** Who sits down is counted at once: then tonight is no visit to speak of as the last one. */
const visitsFact = (visits: number, last: LocalDate, tonight: LocalDate | null): readonly [string, string] =>
  last === tonight
    ? ['Visits', `${counted(visits, 'visit')}, with tonight`]
    : ['Last visit', `${dayAndYearInWords(last)}, ${counted(visits, 'visit')} in total`]
