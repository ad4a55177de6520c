/** Keeps up to `most` values; the one set first makes room. */
export const remember = <Key, Value>(most: number) => {
  const kept = new Map<Key, Value>()
  const set = (key: Key, value: Value): void => {
    if (kept.size >= most && !kept.has(key)) {
      const [oldest] = kept.keys()
      kept.delete(oldest as Key)
    }
    kept.set(key, value)
  }
  return {
    has: (key: Key): boolean => kept.has(key),
    get: (key: Key): Value | undefined => kept.get(key),
    set,
    getOr: (key: Key, make: () => Value): Value => {
      const before = kept.get(key)
      if (before !== undefined) return before
      const made = make()
      set(key, made)
      return made
    },
  }
}
