export type Remembered<Key, Value> = {
  readonly has: (key: Key) => boolean
  readonly get: (key: Key) => Value | undefined
  readonly set: (key: Key, value: Value) => void
  readonly getOr: (key: Key, make: () => Value) => Value
}

/** Keeps up to `most` values; the one set first makes room. */
export const remember = <Key, Value>(most: number): Remembered<Key, Value> => {
  const kept = new Map<Key, Value>()
  const set = (key: Key, value: Value): void => {
    if (kept.size >= most && !kept.has(key)) {
      const [oldest] = kept.keys()
      kept.delete(oldest as Key)
    }
    kept.set(key, value)
  }
  return {
    has: (key) => kept.has(key),
    get: (key) => kept.get(key),
    set,
    getOr: (key, make) => {
      const before = kept.get(key)
      if (before !== undefined) return before
      const made = make()
      set(key, made)
      return made
    },
  }
}
