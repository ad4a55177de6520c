import { type Html, html } from '../../../platform/html/html.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { LastText } from '../../../book/texts/texts-store.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/** The result of the last text to somebody and their reply, for their row. */
export const lastTextPart = (
  phone: string | null,
  text: LastText | undefined,
  zone: string,
): Html | undefined =>
  text &&
  html`${stateWords(phone, text, zone)}${
    text.reply !== null && html`<span class="row-words" title="${text.reply}">“${text.reply}”</span>`
  }`

const stateWords = (
  phone: string | null,
  { kind, state, text_at }: LastText,
  zone: string,
): Html | undefined => {
  const at = text_at === null ? '' : ` ${timeOf(text_at, zone)}`
  switch (state) {
    case 'waiting':
    case 'sending':
      return html`<span class="row-fact">Text on its way</span>`
    case 'sent':
      return html`<span class="row-fact">Text sent${at}</span>`
    case 'delivered':
      return html`<span class="row-fact">Text arrived${at}</span>`
    case 'unknown':
      return html`<span class="badge allergy">Text may not have arrived: ${kind === 'linePaged' ? 'page' : 'text'} again, or call ${phoneInWords(phone)}</span>`
    case 'failed':
      return html`<span class="badge allergy">Text failed: call ${phoneInWords(phone)}</span>`
    default:
      return undefined
  }
}
