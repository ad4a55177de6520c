import { type Html, html } from '../../../platform/html/html.ts'
import type { TextedRecord } from '../../../book/texts/texts-store.ts'

type Place = { readonly mayText?: boolean | undefined }
type Texted = TextedRecord & { readonly phone: string | null }

/** Whether staff can try to text somebody: with a sender of texts and a number. */
export const mayType = ({ phone }: Pick<Texted, 'phone'>, { mayText }: Place): boolean =>
  mayText === true && phone !== null

/** Where staff type a text for a party or a booking: over the page, or a page of its own. Nothing without a sender. */
export const textLink = (record: Texted, place: Place, back: string): Html | undefined =>
  mayType(record, place)
    ? html`<a class="button" data-sheet href="${textPath(record)}?back=${encodeURIComponent(back)}">Text</a>`
    : undefined

export const textPath = ({ kind, id }: TextedRecord): string =>
  `/office/${kind === 'reservation' ? 'bookings' : 'waitlist'}/${id}/text`
