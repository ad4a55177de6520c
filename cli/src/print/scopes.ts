/** A key's scopes in short form: `guests (read, create), tasks (read)`. */
export const scopesText = (scopes: readonly string[]): string => {
  const kinds = new Map<string, string[]>()
  for (const scope of scopes) {
    const [kind = '', verb = ''] = scope.split(':')
    kinds.set(kind, [...(kinds.get(kind) ?? []), verb])
  }
  return [...kinds].map(([kind, verbs]) => `${kind} (${verbs.join(', ')})`).join(', ')
}
