import { type LocalDate, minuteOfDay, readDate } from '../../platform/kernel/time/written-time.ts'

/**
 * Readers for the fields of the rules document. Each returns the value, or null after noting one plain
 * sentence in `mistakes`, so that reading goes on and the operator sees everything at once.
 * Absent, null and "" are the same.
 */
export type Field = { readonly value: unknown; readonly name: string; readonly mistakes: string[] }

/** The named fields of an object; any other field is a mistake, so that a typo does not pass silently. */
export const fieldsOf = <Name extends string>(
  { value, name, mistakes }: Field,
  known: readonly Name[],
): Record<Name, Field> => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject) mistakes.push(`${name || 'The document'} must be a JSON object.`)
  const given: Readonly<Record<string, unknown>> = isObject ? { ...value } : {}
  const inside = (key: string) => (name ? `${name}.${key}` : key)
  for (const key of Object.keys(given)) {
    if (!known.some((field) => field === key)) {
      mistakes.push(`${inside(key)} is not a field of the rules; known here are ${known.join(', ')}.`)
    }
  }
  const field = (key: Name): [Name, Field] => [key, { value: given[key], name: inside(key), mistakes }]
  return Object.fromEntries(known.map(field)) as Record<Name, Field>
}

export const isAbsent = ({ value }: Field): boolean => value === undefined || value === null || value === ''

/** Notes that a field must be there. */
export const required = (field: Field): Field => {
  if (isAbsent(field)) field.mistakes.push(`${field.name} is missing.`)
  return field
}

export const integer = (field: Field, [least, most]: readonly [number, number]): number | null => {
  const { value } = field
  if (isAbsent(field)) return null
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  return mistake(field, `must be a whole number from ${least} to ${most}`)
}

/** A line of text, trimmed, of at most `longest` characters. */
export const text = (field: Field, longest: number): string | null => {
  const { value } = field
  if (isAbsent(field)) return null
  if (typeof value !== 'string' || value.trim() === '') return mistake(field, 'must be a text')
  if (value.trim().length > longest) return mistake(field, `must be at most ${longest} characters`)
  if (/[\p{Cc}\p{Cs}]/u.test(value)) return mistake(field, 'must be one line of plain text')
  return value.trim()
}

export const oneOf = <Word extends string>(field: Field, words: readonly Word[]): Word | null => {
  if (isAbsent(field)) return null
  const word = words.find((word) => word === field.value)
  return word ?? mistake(field, `must be one of ${words.join(', ')}`)
}

export const trueOrFalse = (field: Field): boolean | null => {
  if (isAbsent(field)) return null
  return typeof field.value === 'boolean' ? field.value : mistake(field, 'must be true or false')
}

export const date = (field: Field): LocalDate | null => {
  if (isAbsent(field)) return null
  const read = typeof field.value === 'string' ? readDate(field.value) : undefined
  return read ?? mistake(field, 'must be a real day written YYYY-MM-DD')
}

/** A time of day `HH:MM` as minutes after midnight. */
export const time = (field: Field): number | null => {
  const { value } = field
  if (isAbsent(field)) return null
  const isTime = typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
  return isTime ? minuteOfDay(value) : mistake(field, 'must be a time written HH:MM, such as 19:00')
}

/** The entries of a list of at most `longest`; each is named by its place, `periods[0]`. */
export const entries = (field: Field, longest: number): readonly Field[] => {
  const { value, name, mistakes } = field
  if (isAbsent(field)) return []
  if (!Array.isArray(value)) mistakes.push(`${name} must be a list.`)
  else if (value.length > longest) mistakes.push(`${name} must have at most ${longest} entries.`)
  else return value.map((entry: unknown, place) => ({ value: entry, name: `${name}[${place}]`, mistakes }))
  return []
}

/** Notes a mistake in a field; the result takes the place of its value. */
export const mistake = ({ name, mistakes }: Field, sentence: string): null => {
  mistakes.push(`${name} ${sentence}.`)
  return null
}
