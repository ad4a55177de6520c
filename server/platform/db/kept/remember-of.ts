import { type Remembered, remember } from '../../kernel/running/remember.ts'
import type { Queries } from '../pool.ts'

/** Keeps up to `most` values of each database: ids of one mean something else in another of the same process. */
export const rememberOf = <Key, Value>(
  most: number,
): ((db: Pick<Queries, 'source'>) => Remembered<Key, Value>) => {
  const kept = new WeakMap<object, Remembered<Key, Value>>()
  return ({ source }) => {
    const before = kept.get(source)
    if (before) return before
    const made = remember<Key, Value>(most)
    kept.set(source, made)
    return made
  }
}
