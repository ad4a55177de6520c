/* What a command needs to know about an API call. `generated/actions.ts` has all of them. */

/** A query parameter, given as a flag: `dateFrom` is `--date-from`. */
export type Word = {
  readonly name: string
  readonly takes: 'text' | 'number' | 'word' | 'nothing'
  /** The known values; for a `word`, all of them. */
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
  /** Default: GET. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** One sentence. */
  readonly about: string
  /** The values in its path, in order. */
  readonly ids: readonly string[]
  readonly words: readonly Word[]
  readonly fields: readonly Field[]
  readonly body?: 'required' | 'optional'
  /** Its answer is a list that comes page by page. */
  readonly pages?: true
  /** It takes an Idempotency-Key. */
  readonly keyed?: true
  readonly ifMatch?: 'required' | 'optional'
  readonly dryRun?: true
  /** A field given empty is cleared. */
  readonly clears?: true
}

export type Feed = { readonly words: readonly Word[] }
