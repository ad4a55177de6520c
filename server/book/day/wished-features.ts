import type { DiningTable, Floor } from '../rules/floor/floor.ts'

/*
 * Where a party would like to sit, in words, as the features of tables it is about; the room a table is in is one of
 * them. A wish decides between tables; it never refuses one.
 */

/** Words that people use for the same kind of place; a venue writes one of them, a guest another. */
const sameKind: readonly (readonly string[])[] = [
  ['outside', 'outdoor', 'outdoors', 'patio', 'terrace', 'garden', 'sidewalk'],
  ['inside', 'indoor', 'indoors'],
  ['bar', 'counter'],
  ['accessible', 'wheelchair', 'step-free'],
]

/** Those of the venue's features that a wish names, in any letter case. */
export const wishedFeatures = (
  wish: string | null | undefined,
  tables: readonly { readonly features: readonly string[] }[],
): readonly string[] => {
  if (!wish) return none
  const said = wordsOf(wish)
  const named = featuresOf(tables).filter((feature) => wordsOf(feature) === said)
  // Who names a thing means it, and not what else is of its kind.
  if (named.length > 0) return named
  const kinds = sameKind.filter((kind) => kind.some((word) => said.includes(` ${word} `)))
  const speaksOf = (feature: string): boolean => {
    const written = wordsOf(feature)
    return said.includes(written) || kinds.some((kind) => kind.some((word) => written.includes(` ${word} `)))
  }
  return featuresOf(tables).filter(speaksOf)
}

/** The tables of a floor with all that they can be wished for by. */
export const wishable = <T extends Pick<DiningTable, 'room' | 'features'>>({
  tables,
  rooms,
}: {
  readonly tables: readonly T[]
  readonly rooms: Floor['rooms']
}): readonly T[] => {
  const names = new Map(rooms.map(({ id, name }) => [id, name]))
  return tables.map((table) => ({
    ...table,
    features: [...table.features, ...[names.get(table.room) ?? []].flat()],
  }))
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
