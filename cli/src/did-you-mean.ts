/** ` Did you mean "list"?` if a word is close enough to a known one; otherwise nothing. */
export const didYouMean = (word: string, words: readonly string[]): string => {
  const [best] = words
    .map((one) => ({ one, distance: distanceOf(word, one) }))
    .filter(({ distance }) => distance <= Math.min(3, Math.floor(word.length / 2)))
    .toSorted((a, b) => a.distance - b.distance)
  return best ? ` Did you mean "${best.one}"?` : ''
}

/** How many letters to insert, delete or change (Levenshtein). */
const distanceOf = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
