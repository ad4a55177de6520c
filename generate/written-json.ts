/*
 * JSON as a generated file holds it: what fits on a line is on one, as our formatter would have it. One value a line made
 * three lines of every `{ "type": "string" }`, and a quarter of all that git keeps.
 */

const width = 110

/** A value as JSON, its parts on lines of their own only where they do not fit on one; `indent`: of the lines after the first. */
export const writtenJson = (value: unknown, indent = '', before = 0): string => {
  const line = onOneLine(value)
  if (typeof value !== 'object' || value === null || indent.length + before + line.length < width) return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one) => writtenJson(one, inner))
    : entriesOf(value).map(([name, one]) => {
        const key = `${JSON.stringify(name)}: `
        return `${key}${writtenJson(one, inner, key.length)}`
      })
  if (parts.length === 0) return line
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`
}

const onOneLine = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const parts = entriesOf(value).map(([name, one]) => `${JSON.stringify(name)}: ${onOneLine(one)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, one]) => one !== undefined)
