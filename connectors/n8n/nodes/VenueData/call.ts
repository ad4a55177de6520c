import type { IHttpRequestMethods } from 'n8n-workflow'

/** A field of a form, and where its value goes. */
export type CallField = {
  name: string
  in: 'path' | 'query' | 'body'
  /** The names that lead to it: in the body it may lie within another. */
  to: string[]
  /** The collection it is filled in in; absent: it stands by itself. */
  of?: string
  /** Filled in as JSON text. */
  as?: 'json'
}

/** What an operation calls. */
export type Call = {
  method: IHttpRequestMethods
  path: string
  fields: CallField[]
  /** Whether it takes a body, and whether that may be left out when it has nothing in it. */
  body?: 'always' | 'optional'
  /** A list that comes page by page. */
  pages?: true
  /** It takes an Idempotency-Key. */
  keyed?: true
  /** The If-Match that is sent where none is given. */
  ifMatch?: string
  /** `null` empties a field. */
  clears?: true
}

/** By resource and operation. */
export type Calls = Record<string, Record<string, Call>>
