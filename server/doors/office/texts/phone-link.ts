import { type Html, html } from '../../../platform/html/html.ts'
import { phoneForStaff } from '../../../platform/kernel/phone/shown-phone.ts'

/** A number that a phone can call; one that nobody can read is shown as it is. */
export const phoneLink = (phone: string, look = 'button quiet nowrap'): Html => {
  const { words, call } = phoneForStaff(phone)
  return call === undefined
    ? html`<span class="nowrap">${words}</span>`
    : html`<a class="${look}" href="${call}">${words}</a>`
}
