import { localTables } from '../../platform/db/local-tables.ts'
import { statementsOf } from '../../platform/db/migrate.ts'

/*
 * What Citus refuses in a migration, or would carry out otherwise than PostgreSQL, as far as the text shows it: the end
 * of a migration, the tables, is judged by sharding.test.ts. A table is distributed at the end of the file that makes
 * it; until then it takes everything.
 */

/** What is against the rules in one file, one sentence each. */
export const faultsOfMigration = (text: string): string[] => {
  const statements = statementsOf(text).map((statement) => statement.replaceAll(/\s+/g, ' ').toLowerCase())
  const made = new Set(statements.flatMap((statement) => /^create table (\w+)/.exec(statement)?.[1] ?? []))
  const isSharded = (table: string): boolean => !made.has(table) && !localTables.includes(table)
  return statements.flatMap((statement) =>
    faultsOfStatement(statement, made, isSharded).map((fault) => `${fault}: ${statement}`),
  )
}

const faultsOfStatement = (
  statement: string,
  made: ReadonlySet<string>,
  isSharded: (table: string) => boolean,
): string[] => {
  const [, altered, rest] = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(statement) ?? []
  if (altered !== undefined && rest !== undefined) {
    return isSharded(altered) ? faultsOfAlter(outerParts(rest), made) : []
  }
  const [, changed] = /^(?:with .*? )?(?:update|insert into) (\w+)/.exec(statement) ?? []
  if (changed === undefined || !isSharded(changed)) return []
  return [
    ...(/\bcase (?!when\b)/.test(statement) ? ['a case that writes compares by itself'] : []),
    ...(/^(?:with .*? )?update\b.*\b(?:gen_random_uuid|random|clock_timestamp)\(/.test(statement)
      ? ['an update calls a volatile function']
      : []),
  ]
}

const faultsOfAlter = (parts: readonly string[], made: ReadonlySet<string>): string[] => {
  const isPlainColumn = (part: string): boolean => part.startsWith('add column ')
  const found: string[] = []
  if (parts.length > 1 && !parts.every(isPlainColumn)) found.push('more than one change, other than columns')
  for (const part of parts) {
    const bare = part.replaceAll(/'[^']*'/g, "''")
    if (isPlainColumn(part)) {
      if (/\b(?:check|unique|primary key|references|constraint)\b/.test(bare))
        found.push('a column comes with a constraint')
      if (/\bgenerated (?:always|by default) as identity\b/.test(bare)) found.push('an identity is added')
    } else if (/^add (?!constraint )/.test(part)) found.push('a constraint has no name')
    const [, target] = /\breferences (\w+)/.exec(bare) ?? []
    if (target !== undefined && made.has(target)) found.push('a key leads to a table of the same file')
    if (/\bon (?:delete|update) set (?:null|default)\b/.test(bare)) found.push('a key sets null or a default')
  }
  return found
}

/** Split at the commas outside of brackets and quotes. */
const outerParts = (text: string): string[] => {
  const parts = ['']
  let depth = 0
  for (const piece of text.match(/'[^']*'|[(),]|[^'(),]+/g) ?? []) {
    if (piece === '(') depth++
    if (piece === ')') depth--
    if (piece === ',' && depth === 0) parts.push('')
    else parts.push((parts.pop() ?? '') + piece)
  }
  return parts.map((part) => part.trim())
}
