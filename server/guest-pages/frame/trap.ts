import { type Html, html } from '../../html/html.ts'
import { type Visit, typed } from './visit.ts'

/** A field that nobody sees and programs fill in. */
export const trapPart = (visit: Visit): Html =>
  html`<div hidden>
    <label for="f-website">${visit.words.page.leaveEmpty}</label>
    <input id="f-website" name="website" type="text" tabindex="-1" autocomplete="off" value="" />
  </div>`

/** Whether a program filled it in: the form comes back, as after any mistake. */
export const isTrapped = (visit: Visit): boolean => typed(visit, 'website') !== ''
