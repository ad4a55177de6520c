/**
 * A text as a whole sentence: it ends in one period, or, if its last words are somebody's own and have their own end
 * ("Joe's Inc.", "Try again later.", "Sold out!"), in that; in quotation marks, too.
 */
export const endSentence = (text: string): string => {
  const kept = text.trimEnd()
  return /[.!?…]”?$/.test(kept) ? kept : `${kept}.`
}

/** Somebody's own words within a sentence that ends behind them: "Closed on Friday (Works)." */
export const withoutStop = (text: string): string => text.trimEnd().replace(/[.。]$/, '')
