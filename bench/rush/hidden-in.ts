const names = ['token', 'date', 'seats', 'code', 'total']

/** What the form of an event's page sends by itself; undefined where the page has no form. */
export const hiddenIn = (page: string): Record<string, string> | undefined => {
  const found = names.map(
    (name) => [name, new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]] as const,
  )
  return found.every(([, value]) => value !== undefined)
    ? Object.fromEntries(found.map(([name, value]) => [name, value ?? '']))
    : undefined
}
