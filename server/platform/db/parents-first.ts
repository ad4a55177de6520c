/**
 * Sorts tables so that their rows can be written in order: referenced tables first. A reference to the table itself, or to
 * a table that is not in the list, does not count.
 */
export const parentsFirst = <Table extends { readonly name: string; readonly parents: readonly string[] }>(
  tables: readonly Table[],
): Table[] => {
  const waiting = new Map(tables.map((table) => [table.name, table]))
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(({ name, parents }) =>
      parents.every((parent) => parent === name || !waiting.has(parent)),
    )
    if (ready.length === 0) throw new Error('The tables refer to each other in a circle.')
    for (const table of ready) waiting.delete(table.name)
    ordered.push(...ready)
  }
  return ordered
}
