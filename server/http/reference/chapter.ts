import type { Html } from '../../html/html.ts'
import { part } from './words.ts'

/** A part of the page, with its line in the contents. */
export type Chapter = { readonly id: string; readonly title: string; readonly body: Html }

export const chapter = (
  id: string,
  title: string,
  words: Html,
  code?: readonly Html[] | Html,
  /** Long lines of code go below the text, not next to it. */
  { wide = false } = {},
): Chapter => ({
  id,
  title,
  body: part({ id, wide }, title, words, code),
})
