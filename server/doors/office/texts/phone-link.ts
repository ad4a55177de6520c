import { type Html, html } from '../../../platform/html/html.ts'
import { callAddress, phoneKey } from '../../../platform/kernel/phone.ts'

/** A number that a phone can call; one that nobody can read is shown as it is. */
export const phoneLink = (phone: string): Html =>
  phoneKey(phone) === undefined
    ? html`<span class="nowrap">${phone}</span>`
    : html`<a class="button quiet nowrap" href="${callAddress(phone)}">${phone}</a>`
