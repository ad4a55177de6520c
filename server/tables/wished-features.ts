/*
 * Where a party would like to sit, in words, as the features of tables it is about. A wish decides between tables; it
 * never refuses one.
 */

/** Words that people use for the same kind of place; a venue writes one of them, a guest another. */
const sameKind: readonly (readonly string[])[] = [
  ['outside', 'outdoor', 'outdoors', 'patio', 'terrace', 'garden', 'sidewalk'],
  ['inside', 'indoor', 'indoors'],
  ['bar', 'counter'],
  ['accessible', 'wheelchair', 'step-free'],
]

/** Those of the venue's features that a wish speaks of, whatever its letter case. */
export const wishedFeatures = (
  wish: string | null | undefined,
  tables: readonly { readonly features: readonly string[] }[],
): readonly string[] => {
  if (!wish) return none
  const said = wordsOf(wish)
  const kinds = sameKind.filter((kind) => kind.some((word) => said.includes(` ${word} `)))
  const speaksOf = (feature: string): boolean => {
    const written = wordsOf(feature)
    return said.includes(written) || kinds.some((kind) => kind.some((word) => written.includes(` ${word} `)))
  }
  return featuresOf(tables).filter(speaksOf)
}

/** The features that a venue's tables have, each once. */
export const featuresOf = (tables: readonly { readonly features: readonly string[] }[]): readonly string[] =>
  [...new Set(tables.flatMap(({ features }) => features))].toSorted()

const none: readonly string[] = []

/** Lower case, one blank around each word. */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word !== '')
    .join(' ')} `
