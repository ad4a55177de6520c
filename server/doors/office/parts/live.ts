import { type Html, html } from '../../../platform/html/html.ts'

type Live = {
  readonly id: string
  /** The page it is on. */
  readonly address: string
  /** Of what is shown. */
  readonly mark: string
  /** When it was read. With script, what counts minutes goes by it: the clock of the device may be wrong. */
  readonly now?: Temporal.Instant
  /** How often it asks. */
  readonly every?: string
  readonly swap?: 'outerMorph' | 'outerHTML'
}

/**
 * The id and attributes of what renews itself: it asks whether anything changed since its mark, is answered 204 if nothing
 * did, and gives way to a press in it (doors/office/parts/forms/list-form.ts).
 */
export const live = ({ id, address, mark, now, every = '700ms', swap = 'outerMorph' }: Live): Html =>
  html`id="${id}" ${now && html`data-at="${now.epochMilliseconds}"`} hx-get="${address}${address.includes('?') ? '&' : '?'}seen=${mark}" hx-trigger="every ${every}" hx-target="this" hx-swap="${swap}" hx-sync="#${id}:drop"`
