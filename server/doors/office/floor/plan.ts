/*
 * Where tables are on the drawing of a room: a grid of steps, placed by classes, so that no page needs styles of its own.
 */

/** The last step that has a class; what is wider or higher is shown as a list of tiles. */
export const lastStep = 60

/** The widest and highest a table is drawn, in steps. */
export const largest = { wide: 4, high: 3 } as const

type Standing = { readonly id: number; readonly x: number; readonly y: number }

/** The class of a place for each table of a room, by its id; undefined if they overlap or are too far apart. */
export const planOf = (tables: readonly Standing[]): ReadonlyMap<number, string> | undefined => {
  if (tables.length === 0) return undefined
  const [left, top] = [Math.min(...tables.map(({ x }) => x)), Math.min(...tables.map(({ y }) => y))]
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
  if (tables.some(({ x, y }) => x - left > lastStep || y - top > lastStep)) return undefined
  return new Map(tables.map(({ id, x, y }) => [id, `x${x - left} y${y - top} w${wide} h${high}`]))
}

const apart = (a: Standing, b: Standing) => ({ dx: Math.abs(a.x - b.x), dy: Math.abs(a.y - b.y) })

/** As far as the nearest neighbor, so that tables fill the room without touching. */
const nearest = (distances: readonly number[], most: number): number => Math.min(most, ...distances)

/** The rules of these classes; a sheet that only pages with a drawing load. */
export const planStyles = (): string => {
  const steps = Array.from({ length: lastStep + 1 }, (_, n) => n)
  return [
    ...steps.map((n) => `.x${n}{grid-column-start:${n + 1}}.y${n}{grid-row-start:${n + 1}}`),
    ...steps.slice(1, largest.wide + 1).map((n) => `.w${n}{grid-column-end:span ${n}}`),
    ...steps.slice(1, largest.high + 1).map((n) => `.h${n}{grid-row-end:span ${n}}`),
  ].join('')
}
