import type { Html } from '../../html/html.ts'

/** A page of the documentation; what it says is made when somebody first asks for it. */
export type Page = {
  readonly path: string
  readonly title: string
  readonly open: () => Opened
}

export type Opened = {
  readonly body: Html
  /** What the contents name below the page while it is open. */
  readonly headings: readonly { readonly id: string; readonly title: string; readonly mark?: Html }[]
}

/** Pages under a heading of the contents. */
export type Shelf = { readonly title: string; readonly pages: readonly Page[] }
