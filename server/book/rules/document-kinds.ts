import {
  type LocalDate,
  clockTimeAt,
  minuteOfDay,
  readDate,
} from '../../platform/kernel/time/written-time.ts'

/*
 * What a document is made of. Each kind of value is one object that knows its type, its bounds, how it is read and how it
 * is printed; a record of them does so for all its fields. Reading goes on after a mistake, each noted as one plain
 * sentence, so that who wrote the document sees everything at once. Absent, null and "" are the same.
 */

/** A place in a document, and where the mistakes found in it go. */
export type Field = { readonly value: unknown; readonly name: string; readonly mistakes: string[] }

/** Reading gives null for what is absent, and for what cannot be taken. */
export type Kind<T, Written = T> = {
  readonly read: (field: Field) => T | null
  readonly print: (value: T) => Written
}
export type ValueOf<K> = K extends { print: (value: infer T) => unknown } ? T : never

const isAbsent = ({ value }: Field): boolean => value === undefined || value === null || value === ''

const kind = <T>(read: (field: Field) => T | null): Kind<T> => ({
  read: (field) => (isAbsent(field) ? null : read(field)),
  print: (value) => value,
})

/** Notes a mistake in a field; the result takes the place of its value. */
export const mistake = ({ name, mistakes }: Field, sentence: string): null => {
  mistakes.push(`${name} ${sentence}.`)
  return null
}

/** A field inside of another, to note a mistake that its own kind cannot know. */
export const inside = ({ name, mistakes }: Field, key: string): Field => ({
  value: undefined,
  name: name ? `${name}.${key}` : key,
  mistakes,
})

export const whole = ([least, most]: readonly [number, number]): Kind<number> =>
  kind((field) => {
    const { value } = field
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    return mistake(field, `must be a whole number from ${least} to ${most}`)
  })

/** A line of text, trimmed, of at most `longest` characters. */
export const line = (longest: number): Kind<string> =>
  kind((field) => {
    const { value } = field
    if (typeof value !== 'string' || value.trim() === '') return mistake(field, 'must be a text')
    if (value.trim().length > longest) return mistake(field, `must be at most ${longest} characters`)
    if (/[\p{Cc}\p{Cs}]/u.test(value)) return mistake(field, 'must be one line of plain text')
    return value.trim()
  })

/** A short name for programs: small letters, digits and hyphens. */
export const word: Kind<string> = kind((field) => {
  const { value } = field
  if (typeof value === 'string' && /^[a-z0-9][a-z0-9-]{0,39}$/.test(value)) return value
  return mistake(field, 'must be up to 40 small letters, digits and hyphens, such as chefs-counter')
})

export const oneOf = <Word extends string>(words: readonly Word[]): Kind<Word> =>
  kind((field) => {
    const word = words.find((one) => one === field.value)
    return word ?? mistake(field, `must be one of ${words.join(', ')}`)
  })

export const trueOrFalse: Kind<boolean> = kind((field) =>
  typeof field.value === 'boolean' ? field.value : mistake(field, 'must be true or false'),
)

export const date: Kind<LocalDate> = kind((field) => {
  const read = typeof field.value === 'string' ? readDate(field.value) : undefined
  return read ?? mistake(field, 'must be a real day written YYYY-MM-DD')
})

/** A time of day `HH:MM`, in minutes after 00:00. */
export const clock: Kind<number, string> = {
  ...kind((field) => {
    const { value } = field
    const isTime = typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
    return isTime ? minuteOfDay(value) : mistake(field, 'must be a time written HH:MM, such as 19:00')
  }),
  print: clockTimeAt,
}

/** At most so many entries, each named by its place, `periods[0]`; null in the place of one that cannot be taken. */
export const places = <T, W>(
  entry: Kind<T, W>,
  longest: number,
): Kind<readonly (T | null)[], (W | null)[]> => ({
  read: (field) => {
    const { value, name, mistakes } = field
    if (isAbsent(field)) return []
    if (!Array.isArray(value)) mistakes.push(`${name} must be a list.`)
    else if (value.length > longest) mistakes.push(`${name} must have at most ${longest} entries.`)
    else return value.map((one: unknown, at) => entry.read({ value: one, name: `${name}[${at}]`, mistakes }))
    return []
  },
  print: (values) => values.map((one) => (one === null ? null : entry.print(one))),
})

/** The same, without what cannot be taken. */
export const list = <T, W>(entry: Kind<T, W>, longest: number): Kind<readonly T[], W[]> => ({
  read: (field) =>
    places(entry, longest)
      .read(field)
      ?.filter((one) => one !== null) ?? [],
  print: (values) => values.map(entry.print),
})

/** What is read, judged further: `into` may note mistakes and add what follows, and gives null for what cannot be taken. */
export const checked = <T, W, U extends T>(
  from: Kind<T, W>,
  into: (value: T, field: Field) => U | null,
): Kind<U, W> => ({
  read: (field) => {
    const value = from.read(field)
    return value === null ? null : into(value, field)
  },
  print: from.print,
})

/* The parts of a record. */

/** It may be absent. */
export const maybe = <T, W>({ read, print }: Kind<T, W>): Kind<T | null, W | null> => ({
  read: (field) => (isAbsent(field) ? null : read(field)),
  print: (value) => (value === null ? null : print(value)),
})

/** Absent, it is this. */
export const or = <T, W>({ read, print }: Kind<T, W>, absent: NoInfer<T>): Kind<T, W> => ({
  read: (field) => read(field) ?? absent,
  print,
})

/** It must be there. */
export const must = <T, W>({ read, print }: Kind<T, W>) => ({
  read: (field: Field): T | null => {
    if (isAbsent(field)) mistake(field, 'is missing')
    return read(field)
  },
  print,
  /** Without it, the whole record cannot be taken. */
  isNeeded: true as const,
})

/** Printed only where it says something else than this. */
export const rare = <T, W, K extends Kind<T, W>>(part: K & Kind<T, W>, usual: NoInfer<ValueOf<K>>) => ({
  ...part,
  usual,
})

/** Under another name in what is read. */
export const as = <Name extends string, K>(name: Name, part: K): K & { readonly as: Name } => ({
  ...part,
  as: name,
})

/** Of any type: only a part itself knows which values it prints. */
type Part = {
  readonly read: (field: Field) => unknown
  readonly print: (value: never) => unknown
  readonly as?: string
  readonly isNeeded?: true
  readonly usual?: unknown
}
type Parts = Readonly<Record<string, Part>>
type Read<P extends Parts> = {
  readonly [N in keyof P as P[N] extends { as: infer Name extends string } ? Name : N]: ValueOf<P[N]>
}
type Rare<P extends Parts> = { [N in keyof P]: P[N] extends { usual: unknown } ? N : never }[keyof P]
type Written<P extends Parts> = { [N in Exclude<keyof P, Rare<P>>]: ReturnType<P[N]['print']> } & {
  [N in Rare<P>]?: ReturnType<P[N]['print']>
}

/**
 * A record, its fields in the order in which they are printed; any other field is a mistake, so that a typo does not pass
 * silently. `first` are read before the others.
 */
export const record = <P extends Parts>(
  parts: P,
  first: readonly (keyof P & string)[] = [],
): Kind<Read<P>, Written<P>> => {
  const names = Object.keys(parts)
  const order = [...new Set([...first, ...names])]
  return {
    read: ({ value, name, mistakes }) => {
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      if (!isObject) mistakes.push(`${name || 'The document'} must be a JSON object.`)
      const given: Readonly<Record<string, unknown>> = isObject ? { ...value } : {}
      const inner = (key: string): Field => ({ ...inside({ value, name, mistakes }, key), value: given[key] })
      for (const key of Object.keys(given)) {
        if (!names.includes(key)) {
          mistakes.push(`${inner(key).name} is not a field of the rules; known here are ${names.join(', ')}.`)
        }
      }
      const read = order.map((key) => [key, parts[key]?.read(inner(key)) ?? null] as const)
      if (read.some(([key, one]) => one === null && parts[key]?.isNeeded)) return null
      return Object.fromEntries(read.map(([key, one]) => [parts[key]?.as ?? key, one])) as Read<P>
    },
    print: (value) => {
      const known = value as Readonly<Record<string, unknown>>
      const printed = Object.entries(parts).flatMap(([key, part]) => {
        const print = part.print as (value: unknown) => unknown
        const one = print(known[part.as ?? key])
        const isUsual = 'usual' in part && JSON.stringify(one) === JSON.stringify(print(part.usual))
        return isUsual ? [] : [[key, one] as const]
      })
      return Object.fromEntries(printed) as Written<P>
    },
  }
}

/** A record whose fields may all be absent, and it with them. */
export const optional = <T, W>({ read, print }: Kind<T, W>): Kind<T, W> => ({
  read: (field) => read(field.value === null || field.value === undefined ? { ...field, value: {} } : field),
  print,
})
