import type { Html } from '../../../platform/html/html.ts'
import type { FormFields } from '../../../platform/http/read-form.ts'
import type { LeftForm, Notice } from '../../../core/staff/sessions.ts'

/** What a page's handler returns. */
export type PageAnswer =
  | {
      readonly kind: 'page'
      readonly title: string
      readonly body: Html
      /** The content of the band above the page. */
      readonly lintel?: Html
      /** The result of the last form is in the page's own last line (parts/press-message.ts), not above the page. */
      readonly saysBelow?: boolean
      /** Styles and script that only pages of this kind load. */
      readonly sheet?: SheetName
      readonly status?: number
      /** The origin that a form of this page ends at, if it is another site's. */
      readonly formsEndAt?: string
      readonly cookies?: readonly string[]
    }
  /** A part of a page, for lists that refresh themselves. */
  | {
      readonly kind: 'part'
      readonly body: Html
      /** What a press did: with its undo it stays in the last line of the pages of the evening, until the next press. */
      readonly done?: Notice
    }
  /** An email for a sandboxed frame: a whole document whose content is somebody else's HTML. */
  | { readonly kind: 'mail'; readonly document: string }
  /** A page for guests in a sandboxed frame, with the stylesheets of those pages. */
  | { readonly kind: 'preview'; readonly document: string }
  /** Answers a list that asks for changes that nothing changed. */
  | { readonly kind: 'nothing' }
  /**
   * See other: after a form, so that a reload does not resubmit it. The notice is one sentence shown on the next
   * page.
   */
  | {
      readonly kind: 'go'
      readonly to: string
      readonly notice?: string | undefined
      /** Undoes what the notice says was done, with a button next to it. */
      readonly undo?: LeftForm | undefined
      readonly cookies?: readonly string[]
    }
  /** A file to download, such as an export; without a name, one that the browser itself reads. */
  | {
      readonly kind: 'file'
      readonly name?: string
      readonly type: string
      readonly body: string | NodeJS.ReadableStream
    }

export type SheetName = 'floor' | 'grid' | 'editor' | 'sections' | 'door' | 'reports'

export const page = (title: string, body: Html, status?: number): PageAnswer & { readonly kind: 'page' } => ({
  kind: 'page',
  title,
  body,
  ...(status !== undefined && { status }),
})
export const part = (body: Html, done?: Notice): PageAnswer => ({ kind: 'part', body, ...(done && { done }) })
export const nothing: PageAnswer = { kind: 'nothing' }
export const go = (to: string, notice?: string, undo?: LeftForm): PageAnswer => ({
  kind: 'go',
  to,
  notice,
  undo,
})

/** The fields of a form as a browser sends them: untrimmed text; a repeated name keeps all its values. */
export type Form = {
  /** The value of a field, '' when it was not sent. */
  readonly text: (name: string) => string
  readonly all: (name: string) => readonly string[]
  readonly has: (name: string) => boolean
  /** The names that were sent, without repeats. */
  readonly names: () => readonly string[]
}

export const formOf = (fields: FormFields): Form => ({
  text: (name) => fields.get(name)?.[0] ?? '',
  all: (name) => fields.get(name) ?? [],
  has: (name) => fields.has(name),
  names: () => [...fields.keys()],
})
