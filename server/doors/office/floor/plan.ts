/*
 * Where tables are on the drawing of a room, and what else is drawn of it: a grid of steps, placed by classes, so that no page
 * needs styles of its own.
 */

/** The last step that has a class; what is wider or higher is shown as a list of tiles. */
export const lastStep = 60

/** The widest and highest a table is drawn, in steps; a large one up to twice as wide, where nothing is in the way. */
const largest = { wide: 4, high: 3 } as const
/** Tables for so many are large. */
const large = 5

type Place = { readonly x: number; readonly y: number }
type Standing = Place & { readonly id: number; readonly most?: number }
type Drawn = Place & { readonly what: string; readonly wide: number; readonly high: number }

export type Plan<Part> = {
  /** The class of each table, by its id. */
  readonly tables: ReadonlyMap<number, string>
  readonly drawn: readonly { readonly part: Part; readonly at: string }[]
}

/** The classes of a room's places; undefined if its tables overlap or are too far apart. */
export const planOf = <Part extends Drawn>(
  tables: readonly Standing[],
  drawn: readonly Part[] = [],
): Plan<Part> | undefined => {
  if (tables.length === 0) return undefined
  const all = [...tables, ...drawn]
  const [left, top] = [Math.min(...all.map(({ x }) => x)), Math.min(...all.map(({ y }) => y))]
  const pairs = tables.flatMap((one, n) => tables.slice(n + 1).map((other) => apart(one, other)))
  const wide = nearest(
    pairs.filter(({ dx, dy }) => dy < 2 && dx > 0).map(({ dx }) => dx),
    largest.wide,
  )
  const high = nearest(
    pairs.filter(({ dx, dy }) => dx < wide && dy > 0).map(({ dy }) => dy),
    largest.high,
  )
  if (pairs.some(({ dx, dy }) => dx < wide && dy < high)) return undefined
  if (all.some(({ x, y }) => x - left > lastStep || y - top > lastStep)) return undefined
  const cells = [...tables.map((one) => ({ ...one, wide, high })), ...drawn]
  const widthOf = (table: Standing): number => {
    if ((table.most ?? 0) < large) return wide
    const right = cells
      .filter(({ x, y, high: deep }) => x > table.x && y < table.y + high && table.y < y + deep)
      .map(({ x }) => x - table.x)
    return Math.max(wide, Math.min(wide * 2, lastStep + 1 - (table.x - left), ...right))
  }
  return {
    tables: new Map(
      tables.map((table) => [table.id, `x${table.x - left} y${table.y - top} w${widthOf(table)} h${high}`]),
    ),
    drawn: drawn.map((part) => ({
      part,
      at: `x${part.x - left} y${part.y - top} w${Math.min(part.wide, lastStep + 1)} h${Math.min(part.high, lastStep + 1)}`,
    })),
  }
}

const apart = (a: Place, b: Place) => ({ dx: Math.abs(a.x - b.x), dy: Math.abs(a.y - b.y) })

/** As far as the nearest neighbor, so that tables fill the room without touching. */
const nearest = (distances: readonly number[], most: number): number => Math.min(most, ...distances)

/** The rules of these classes; a sheet that only pages with a drawing load. */
export const planStyles = (): string => {
  const steps = Array.from({ length: lastStep + 1 }, (_, n) => n)
  return [
    ...steps.map((n) => `.x${n}{grid-column-start:${n + 1}}.y${n}{grid-row-start:${n + 1}}`),
    ...steps.map((n) => `.w${n + 1}{grid-column-end:span ${n + 1}}.h${n + 1}{grid-row-end:span ${n + 1}}`),
  ].join('')
}
