import { posix } from 'node:path'
import type pg from 'pg'
import type { Sources } from '../tree/imports.ts'
import { statementsIn } from '../statements/statements.ts'

/*
 * The statements with which a release writes, and whether a schema still takes them. `record.ts` keeps those of the
 * release that is made; the next one's test runs them on its own schema, since processes of both write while
 * a restart goes from one to the next.
 */

export type WritingStatement = {
  readonly path: string
  readonly name: string
  /** Whole, with a number for every value. */
  readonly text: string
}

/** As kept in the file: with the types that PostgreSQL gave its values, which are what an old process sends. */
export type KeptStatement = WritingStatement & { readonly types: string }

/** The file: what a release writes with, and where in the history it is, so that its process can be started, too. */
export type KeptRelease = {
  readonly release: { readonly version: string; readonly commit: string }
  readonly statements: readonly KeptStatement[]
}

/** Placeholder for a value until it gets its number: statements also name a value of theirs by its number, as in `$2`. */
const mark = '\u0000'

/** Every statement of the source that inserts, updates or deletes, with its pieces put in as far as the text says them. */
export const writingStatements = (sources: Sources): WritingStatement[] =>
  statementsIn(sources, mark)
    .filter(({ text }) => /\b(?:insert into|delete from|update \w+(?: as)?(?: \w+)? set)\b/.test(text))
    .map(({ path, name, text }) => {
      let number = 0
      const whole = text
        .replaceAll(/\{columnsof\((\w+)(?:, '(\w+)')?\)\}/g, (piece, shape: string, alias?: string) => {
          const columns = columnsIn(sources, path, shape)
          return columns?.map((column) => (alias ? `${alias}.${column}` : column)).join(', ') ?? piece
        })
        .replaceAll(/\{(\w+)\}/g, (piece, constant: string) => {
          const written = new RegExp(`const ${constant} = fragment\\((?:\`([^\`]*)\`|String)`, 'i')
          const found = written.exec(sources.get(path) ?? '')
          // A limit of the program, written as a number: which one is no matter here.
          return found ? (found[1] ?? '1') : piece
        })
        .replaceAll(mark, () => `$${++number}`)
      return { path, name, text: whole }
    })

/** The columns of a shape by its name, in the file or where the file has it from; shapes are plain literals. */
const columnsIn = (sources: Sources, path: string, shape: string): string[] | undefined => {
  const source = sources.get(path) ?? ''
  const literal = new RegExp(`const ${shape} = \\{([^}]*)\\}`, 'i').exec(source)?.[1]
  if (literal === undefined) {
    const from = new RegExp(`import [^;']*\\b${shape}\\b[^;']*'(\\.[^']+)'`, 'i').exec(source)?.[1]
    return from === undefined ? undefined : columnsIn(sources, posix.join(posix.dirname(path), from), shape)
  }
  const found = literal
    .split(',')
    .map((part) => /^\s*(?:\.\.\.(\w+)|(\w+):)/.exec(part))
    .filter((part) => part !== null)
    .map(([, spread, column]) => (spread ? columnsIn(sources, path, spread) : [column as string]))
  return found.includes(undefined) ? undefined : (found.flat() as string[])
}

/** Prepares a statement and throws it away: the types of its values, or why the schema does not take it. */
export const typesOf = async (
  client: pg.ClientBase,
  text: string,
): Promise<{ readonly types: string } | { readonly refused: string }> => {
  try {
    await client.query(`prepare kept as ${text}`)
  } catch (error) {
    return { refused: (error as Error).message }
  }
  const { rows } = await client.query<{ types: string }>(
    `select parameter_types::text as types from pg_prepared_statements where name = 'kept'`,
  )
  await client.query('deallocate kept')
  return { types: rows[0]?.types ?? '' }
}

/** What the schema has against a statement that an older release writes with, one sentence each. */
export const faultsOfKept = async (
  client: pg.ClientBase,
  { path, name, text, types }: KeptStatement,
): Promise<string[]> => {
  const found: string[] = []
  const say = (why: string): void => void found.push(`${path} ${name}: ${why}`)
  const now = await typesOf(client, text)
  if ('refused' in now) say(now.refused)
  else if (now.types !== types) say(`its values are ${now.types} instead of ${types}`)
  for (const [, table = '', columns = ''] of text.matchAll(/insert into (\w+)(?: as \w+)? \(([^)]*)\)/g)) {
    const { rows } = await client.query<{ attname: string }>(
      `select attname from pg_attribute
        where attrelid = to_regclass($1) and attnum > 0 and not attisdropped
          and attnotnull and not atthasdef and attidentity = '' and not attname = any($2)`,
      [table, columns.split(',').map((column) => column.trim())],
    )
    for (const { attname } of rows) say(`it leaves out ${table}.${attname}, which must have a value`)
  }
  return found
}
