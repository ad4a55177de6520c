/*
 * What is random by nature has a placeholder in the recording, found by its form and by nothing else. The same value
 * has the same placeholder each time it comes up again in a chapter; it is named after the exchange that showed it first,
 * so that an exchange more changes no placeholder of the others. Everything else (ids, moments, sentences) is compared.
 */

const forms = {
  key: /service_sk_[0-9A-Za-z]{40}/,
  secret: /whsec_[\w-]+=*/,
  /** The number of a ticket order, for buyers to read out. */
  number: /\b[A-Z0-9]{2}-[3-9CDFGHJKMNPQRTVWXY]{6}\b/,
  /** What happened, in a delivery. */
  event: /(?<="eventId":")[0-9a-f]{8}-[0-9a-f-]{27}/,
  uuid: /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
} as const

const anyForm = new RegExp(
  Object.entries(forms)
    .map(([kind, { source }]) => `(?<${kind}>${source})`)
    .join('|'),
  'g',
)

export type Placeholders = {
  /** Gives a value a name of its own, such as the key of a venue. */
  readonly call: (value: string, name: string) => void
  /** The text with its placeholders; `title`: the exchange that shows it. */
  readonly of: (text: string, title: string) => string
}

export const makePlaceholders = (): Placeholders => {
  const names = new Map<string, string>()
  return {
    call: (value, name) => names.set(value, `<${name}>`),
    of: (text, title) => {
      const named = [...names].reduce((text, [value, name]) => text.replaceAll(value, name), text)
      const counts: Record<string, number> = {}
      const masked = named.replaceAll(anyForm, (value, ...more) => {
        const found = names.get(value)
        if (found !== undefined) return found
        const groups = more.at(-1) as Record<string, string | undefined>
        const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? 'value'
        const count = (counts[kind] = (counts[kind] ?? 0) + 1)
        const name = `<${kind}${count === 1 ? '' : ` ${count}`} of "${title}">`
        names.set(value, name)
        return name
      })
      // Neither says anything about a value that comes up again.
      return masked
        .replaceAll(/(?<="durationMs":)\d+/g, '<ms>')
        .replaceAll(/(?<=\bv1=)[0-9a-f]{64}\b/g, '<signature>')
    },
  }
}
