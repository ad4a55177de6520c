import type { IHttpRequestMethods } from 'n8n-workflow'

/** A field of a form, and where its value goes. */
export type CallField = {
  name: string
  in: 'path' | 'query' | 'body'
  /** The path to it: in the body it may be nested in another field. */
  to: string[]
  /** The collection it is part of in the form; absent: none. */
  of?: string
  /** Entered as JSON text. */
  as?: 'json'
}

/** The API call of an operation. */
export type Call = {
  method: IHttpRequestMethods
  path: string
  fields: CallField[]
  /** Whether it takes a body, and whether an empty one may be left out. */
  body?: 'always' | 'optional'
  /** A list that comes page by page. */
  pages?: true
  /** It takes an Idempotency-Key. */
  keyed?: true
  /** The default If-Match. */
  ifMatch?: string
  /** `null` empties a field. */
  clears?: true
}

/** By resource and operation. */
export type Calls = Record<string, Record<string, Call>>
