import { type Content, type Html, html } from '../../../platform/html/html.ts'
import { knownMarks } from './known-marks.ts'

/** Two lines of a narrow list hold about so many letters; a longer name is set smaller, so that all of it is read. */
export const longName = 24

/** The same of the one line that a party of the waitlist has. */
export const longInLine = 15

/** Who a row is about, and in words what its plate shows; a VIP by a mark that no width cuts off. */
export const rowName = (name: string, says: Content, vip = false): Html =>
  html`<span class="row-name ${name.length > longName && 'long'}"
    >${knownMarks({ allergies: null, vip })}${name}<span class="hidden-text">, ${says}.</span></span
  >`
