/* What a provider of texts does for us. */

export type TextToSend = {
  readonly to: string
  readonly body: string
  /** Where the provider reports whether it arrived. */
  readonly statusUrl: string
}

export type TextOutcome =
  | { readonly kind: 'sent'; readonly providerId: string; readonly segments: number }
  /** `stopped`: the number wants no texts. */
  | { readonly kind: 'failed'; readonly answer: string; readonly stopped?: boolean }
  /** Nothing has left; it may be tried again. */
  | { readonly kind: 'later'; readonly answer: string }
  /** It may have arrived or not: it is not tried again. */
  | { readonly kind: 'unknown'; readonly answer: string }

export type TextProvider = {
  readonly send: (text: TextToSend) => Promise<TextOutcome>
}

export type TextAccount = { readonly account: string; readonly token: string; readonly from: string }
