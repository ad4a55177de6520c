/* What is known of a call of the API, to make a command of it. `generated/actions.ts` has them all. */

/** A word of a query, given as a flag: `dateFrom` is `--date-from`. */
export type Word = {
  readonly name: string
  readonly takes: 'text' | 'number' | 'word' | 'nothing'
  /** Those that are known: all there are of a `word`. */
  readonly words?: readonly string[]
  readonly about: string
  readonly required?: true
}

/** A field of a body, given as `name=value`; one inside an object as `object.name=value`. */
export type Field = {
  readonly name: string
  readonly takes: 'text' | 'number' | 'yes or no' | 'texts' | 'json'
  readonly about: string
  readonly required?: true
}

export type Action = {
  readonly verb: string
  readonly kind: string
  /** The call in the OpenAPI document. */
  readonly id: string
  readonly path: string
  /** GET without a word. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** One sentence. */
  readonly about: string
  /** What its path takes, in order. */
  readonly ids: readonly string[]
  readonly words: readonly Word[]
  readonly fields: readonly Field[]
  readonly body?: 'required' | 'optional'
  /** Its answer is a list that goes on page by page. */
  readonly pages?: true
  /** It takes an Idempotency-Key. */
  readonly keyed?: true
  readonly ifMatch?: 'required' | 'optional'
  readonly dryRun?: true
  /** A field that is given empty is emptied. */
  readonly clears?: true
}

export type Feed = { readonly words: readonly Word[] }
