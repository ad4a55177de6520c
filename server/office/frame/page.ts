import type { Html } from '../../html/html.ts'
import type { FormFields } from '../../http/read-form.ts'

/** What a page's handler answers with. */
export type PageAnswer =
  | {
      readonly kind: 'page'
      readonly title: string
      readonly body: Html
      readonly status?: number
      readonly cookies?: readonly string[]
    }
  /** A part of a page, for lists that renew themselves. */
  | { readonly kind: 'part'; readonly body: Html }
  /** A mail for a sandboxed frame: a whole document, whose words are somebody's own HTML. */
  | { readonly kind: 'mail'; readonly document: string }
  /** For a list that asks whether anything changed: nothing did. */
  | { readonly kind: 'nothing' }
  /** See other: after a form, so that a reload does not send it again. The notice is one sentence shown there. */
  | {
      readonly kind: 'go'
      readonly to: string
      readonly notice?: string | undefined
      readonly cookies?: readonly string[]
    }
  /** A file to keep, such as an export. */
  | {
      readonly kind: 'file'
      readonly name: string
      readonly type: string
      readonly body: string | NodeJS.ReadableStream
    }

export const page = (title: string, body: Html, status?: number): PageAnswer & { readonly kind: 'page' } => ({
  kind: 'page',
  title,
  body,
  ...(status !== undefined && { status }),
})
export const part = (body: Html): PageAnswer => ({ kind: 'part', body })
export const nothing: PageAnswer = { kind: 'nothing' }
export const go = (to: string, notice?: string): PageAnswer => ({ kind: 'go', to, notice })

/** The fields of a form as a browser sends them: text, trimmed of nothing; a repeated name keeps all its values. */
export type Form = {
  /** The value of a field, '' when it was not sent. */
  readonly text: (name: string) => string
  readonly all: (name: string) => readonly string[]
  readonly has: (name: string) => boolean
  /** The names that were sent, each once. */
  readonly names: () => readonly string[]
}

export const formOf = (fields: FormFields): Form => ({
  text: (name) => fields.get(name)?.[0] ?? '',
  all: (name) => fields.get(name) ?? [],
  has: (name) => fields.has(name),
  names: () => [...fields.keys()],
})
