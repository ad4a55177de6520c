import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { labelsPaged } from '../../../book/day/tables-of-booking-reads.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { tablesAtDoor } from '../../../book/tables/offered/at-door.ts'
import { numberToText } from '../../../book/texts/reach-party.ts'
import type { LastText } from '../../../book/texts/texts-store.ts'
import { mailsParty } from '../../../book/waitlist/messages/mail-party.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { namesOf, neededWords } from '../parts/open-words.ts'
import { lastTextPart } from '../texts/last-text.ts'
import { numberToCall, phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** What a page does, truthfully: a text goes out, else a mail, else somebody has to call. */
export const pagedWords = async (
  { mail }: Pick<Context, 'mail'>,
  work: OfficeWork,
  row: EntryRow,
): Promise<string> => {
  const paged = await labelsPaged(work.db, work.venue.id, work.now())
  const held = `${heldWords(paged, row.id)}${paged && !paged.has(row.id) ? await keptForWords(work, row) : ''}`
  if ((await numberToText(work, row)) !== undefined)
    return `paged by a text to ${phoneInWords(row.phone)}; ${held}`
  if (mailsParty(row) && mail.kind === 'relay') return `paged by an email to ${row.email}; ${held}`
  const number = numberToCall(row.phone)
  return number === undefined
    ? `paged; ${held}. No text or email goes out, and there is no number: call their name`
    : `paged; ${held}. No text or email goes out: call them at ${number}`
}

/** Why none is held where one is open: "; table 17 is open: Okafor, 5, has no table yet and could sit here". */
const keptForWords = async (work: OfficeWork, { party_size }: EntryRow): Promise<string> => {
  const [open] = (await tablesAtDoor(work, party_size ?? 1)) ?? []
  if (!open?.neededBy) return ''
  const names = await namesOf(work, [open.neededBy.reservation])
  const label = joinedLabels(open.tables.map(({ label }) => label))
  return `; table ${label} is open: ${neededWords(open.neededBy, names)}`
}

/** Staff page a party for a table that is about to be left, too: then nothing is held for it. */
export const heldWords = (
  paged: ReadonlyMap<number, string> | undefined,
  entry: number,
  held = `held for ${limits.doorOfferMinutes} minutes`,
): string => {
  if (paged === undefined) return `their table is ${held}`
  const label = paged.get(entry)
  return label === undefined ? 'no table is held for them' : `table ${label} is ${held}`
}

/** The parties whom the last mail did not reach. */
type Reached = { readonly unreached?: ReadonlySet<number> | undefined }

/** The results of the last text and the last mail to a party, and their reply. */
export const reachedPart = (
  row: EntryRow,
  place: Reached & { readonly texts?: ReadonlyMap<number, LastText> | undefined; readonly timezone: string },
): Html =>
  html`${lastTextPart(row.phone, place.texts?.get(row.id), place.timezone)}${unreachedBadge(row, place)}`

/** For a party that the last mail did not reach. */
export const unreachedBadge = ({ id, phone }: EntryRow, { unreached }: Reached): Html | undefined => {
  const number = numberToCall(phone)
  return unreached?.has(id)
    ? html`<span class="badge allergy">Email did not arrive${number === undefined ? ', and there is no number' : `: call them at ${number}`}</span>`
    : undefined
}
