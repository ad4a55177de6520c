import type { Content, Html } from '../../html/html.ts'
import { part } from './words.ts'

/** A section of a page, with its entry in the contents. */
export type Chapter = { readonly id: string; readonly title: string; readonly body: Html }

export const chapter = (id: string, title: string, words: Html, code?: Content): Chapter => ({
  id,
  title,
  body: part({ id }, title, words, code),
})
