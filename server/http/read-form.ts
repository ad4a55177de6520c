import { badRequest } from '../kernel/refusal.ts'

/** The fields of a form, by name in the order in which they came; a repeated name keeps all its values. */
export type FormFields = ReadonlyMap<string, readonly string[]>

/** The longest form of the office has some hundred. */
const mostFields = 1_000

/**
 * Reads a form as browsers send it (application/x-www-form-urlencoded), once: looking a name up in URLSearchParams goes
 * through all of them, and a form of 45,000 held everybody up for seconds. Refuses more than 1,000 fields.
 */
export const readForm = (text: string): FormFields => {
  let count = text === '' ? 0 : 1
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (++count > mostFields) throw badRequest(`The form has too many fields: ${mostFields} at most.`)
  }
  const fields = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return fields
}
