/** A value inside a payload somebody else made, as text; undefined when it is not there or is no text, number or boolean. */
export const textAt = (payload: unknown, ...path: readonly (string | number)[]): string | undefined => {
  const value = valueAt(payload, ...path)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

/** A list inside a payload; empty if missing. */
export const listAt = (payload: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const value = valueAt(payload, ...path)
  return Array.isArray(value) ? (value as unknown[]) : []
}

const valueAt = (payload: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string | number, unknown>)[name]
        : undefined,
    payload,
  )
