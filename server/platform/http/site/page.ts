import type { Html } from '../../html/html.ts'

/** A page of the documentation; its content is built on first request. */
export type Page = {
  readonly path: string
  readonly title: string
  readonly open: () => Opened
}

export type Opened = {
  readonly body: Html
  /** The page's entries in the contents while it is open. */
  readonly headings: readonly { readonly id: string; readonly title: string; readonly mark?: Html }[]
}

/** Pages under one heading of the contents. */
export type Shelf = { readonly title: string; readonly pages: readonly Page[] }
