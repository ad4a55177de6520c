import { venueTiesOf } from '../../platform/db/venue-in-statement.ts'
import { isTest, type Sources } from '../tree/imports.ts'

/*
 * Every statement in the source, found by its `sql` tag, and what the rules of sharding by venue say about its text. The
 * check reads words, it does not parse SQL: a statement it cannot judge is written so that it can.
 */

export type SourceStatement = {
  readonly path: string
  /** The function or constant that holds it. */
  readonly name: string
  /** One line, lower case, a `$1` for every value and `{…}` for every fragment. */
  readonly text: string
}

/** The `sql(…)` templates of the program and the pieces made by `part` and `fragment`; `value` replaces every value in their texts. */
export const statementsIn = (sources: Sources, value = '$1'): SourceStatement[] =>
  [...sources].filter(([path]) => !isTest(path)).flatMap(([path, text]) => statementsOf(path, text, value))

const statementsOf = (path: string, text: string, value: string): SourceStatement[] => {
  const found: SourceStatement[] = []
  for (const { index } of text.matchAll(/(?<![\w$.])sql\(/g)) {
    const open = endOfBrackets(text, index + 'sql'.length)
    const start = open + (/^\s*/.exec(text.slice(open))?.[0].length ?? 0)
    if (text[start] !== '`') continue
    const names = [...text.slice(0, index).matchAll(/^(?:export )?(?:const|function) (\w+)/gm)]
    found.push({ path, name: names.at(-1)?.[1] ?? '', text: templateText(text, start, value) })
  }
  for (const { index, 0: tag } of text.matchAll(/(?<![\w$.])(?:part|fragment\(\s*)(?=`)/g)) {
    const names = [...text.slice(0, index).matchAll(/^(?:export )?(?:const|function) (\w+)/gm)]
    const words = templateText(text, index + tag.length, value)
    // A fragment of joins or columns is judged where it is used.
    if (tag === 'part' || /\bselect\b/.test(words))
      found.push({ path, name: names.at(-1)?.[1] ?? '', text: words })
  }
  return found
}

/** The place behind the bracket that closes the one at `start`. */
const endOfBrackets = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if ('([{'.includes(text[at] as string)) depth++
    else if (')]}'.includes(text[at] as string) && --depth === 0) return at + 1
  }
  return text.length
}

const templateText = (text: string, start: number, mark: string): string => {
  let written = ''
  for (let at = start + 1; at < text.length && text[at] !== '`'; at++) {
    if (text.startsWith('${', at)) {
      const end = endOfBrackets(text, at + 1)
      const value = text.slice(at + 2, end - 1)
      // Fragments are made by these, or are constants of the file with a plain name of words.
      // What stands before a dot is the name of a table.
      const isName = text[end] === '.'
      written += isName ? value : isFragment(value, text) ? `{${value}}` : mark
      at = end - 1
    } else written += text[at]
  }
  return written.replaceAll(/\s+/g, ' ').trim().toLowerCase()
}

const isFragment = (value: string, text: string): boolean =>
  /^(?:columnsOf|fragment)\(/.test(value) ||
  new RegExp(`const ${/^\w+$/.exec(value)?.[0] ?? '-'} = fragment\\(`).test(text)

/** A statement that is let through one of the rules, and why. */
export type Exception = {
  readonly path: string
  readonly name: string
  readonly rule: 'over all venues' | 'insert in a with'
  readonly why: string
}

export type TableKinds = { readonly sharded: readonly string[]; readonly local: readonly string[] }

/** What is against the rules in one statement, one sentence each. */
export const faultsOf = (
  { path, name, text }: SourceStatement,
  { sharded, local }: TableKinds,
  exceptions: readonly Exception[],
): string[] => {
  const found: string[] = []
  const say = (why: string): void => void found.push(`${path} ${name}: ${why}: ${text}`)
  if (/pg_(?:try_)?advisory/.test(text)) say('advisory locks belong to the migration runner')
  if (/^(?:listen|notify|unlisten)\b|pg_notify\(/.test(text)) say('there is no LISTEN and NOTIFY')
  if (/\bmerge into\b/.test(text)) say('merge is refused on sharded tables')
  if (/\b(?:now|clock_timestamp|statement_timestamp)\(\)|\bcurrent_(?:timestamp|date|time)\b/.test(text)) {
    say('the clock comes as a parameter')
  }

  const tables = tablesOf(text)
  const places = tables.filter(({ table }) => sharded.includes(table))
  if (places.length === 0) return found
  if (tables.some(({ table }) => local.includes(table))) say('a sharded and a local table in one statement')

  const isLet = (rule: Exception['rule']): boolean =>
    exceptions.some((one) => one.path === path && one.name === name && one.rule === rule)
  if (!isLet('over all venues')) {
    const looked = places.filter(({ verb }) => verb !== 'into').length
    const bound = text.match(/\bvenue_id (?:= (?:\$1|\w+\.venue_id)|= any\(\$1)/g)?.length ?? 0
    if (bound < looked) say('every sharded table is bound to a venue')
    if (looked > 0 && !/\bvenue_id = \$1/.test(text)) say('venue_id = $ is missing')
    for (const table of borrowersIn(text, sharded)) {
      say(`each select binds its own tables to a venue, and this one's ${table} has it from another`)
    }
  }
  // Citus asks every shard that one of the tables may have rows in; what ties it to another table says nothing about that.
  const severalAt = text.match(/\bvenue_id = any\(\$1/g)?.length ?? 0
  const isForSeveral = severalAt > 0 || /\bas \w+ \(venue_id,/.test(text)
  if (isForSeveral && severalAt < places.filter(({ verb }) => verb !== 'into').length) {
    say('each table of a statement about several venues names them')
  }
  if (fromParts(text).some((part) => /^select\b/.test(part) && !/\bfrom\b/.test(withoutBrackets(part)))) {
    say('a select in a from has a from itself')
  }
  for (const [, columns = ''] of text.matchAll(/insert into \w+(?: as \w+)? \(([^)]*)\)/g)) {
    if (!columns.trim().startsWith('venue_id') && !isLocalInsert(text, local))
      say('venue_id is the first column')
  }
  if (/\bfor (?:no key )?(?:update|share)\b/.test(text) && !/\bvenue_id = \$1/.test(text)) {
    say('locks are taken inside one venue')
  }
  if (/\bset (?:[^;]*?, )?venue_id =/.test(text.split(/\bwhere\b/)[0] ?? '')) say('venue_id never changes')

  for (const upsert of partsAfter(text, /on conflict[^;]*? do update set /g)) {
    if (/\(\s*select\b|\binterval\b|\w+\(\)/.test(upsert.split(' returning ')[0] ?? '')) {
      say('on conflict do update takes only immutable things')
    }
    if (hasSimpleCase(upsert))
      say('a case that writes compares by itself: case when x = y, not case x when y')
  }
  for (const returning of partsAfter(text, / returning /g)) {
    if (/::|\bextract\(|to_char\(|to_jsonb\(|\w+\(\)/.test(returning)) {
      say('returning takes only columns and immutable functions')
    }
  }
  if (/^(?:with .*? )?(?:update|delete)\b/.test(text)) {
    if (/\b(?:gen_random_uuid|random|uuidv7)\(\)/.test(text)) say('no volatile function in update and delete')
    if (/\b(?:jsonb?_build_object|format|concat|concat_ws)\(/.test(text))
      say('no stable function over a column')
    if (hasSimpleCase(text)) say('a case that writes compares by itself: case when x = y, not case x when y')
    if (/\w\s*[+-]\s*interval\b/.test(text)) say('no stable arithmetic over a column')
  }
  if (/\b(?:to_char|extract|date_trunc|date_part)\(/.test(text) && !/\bat time zone\b/.test(text)) {
    say('the session’s time zone does not reach the workers')
  }
  if (!isLet('insert in a with')) {
    if (/\bwith\b.*\bas \( ?insert into/.test(text)) say('no insert inside a with')
    // From `unnest` it costs more than values, and runs; from a table it is sent through the coordinator.
    if (/insert into \w+(?: as \w+)? (?:\([^)]*\) )?select\b(?!.*\bfrom unnest\()/.test(text)) {
      say('many rows go in as values')
    }
  }
  return found
}

/** Citus sends `case x when y` to its nodes as `case x when x = y`, where a statement updates. */
const hasSimpleCase = (text: string): boolean => /\bcase (?!when\b)/.test(text)

/**
 * The tables whose venue comes from a select around theirs or from the rows of a subselect. Citus plans a statement of one
 * venue in any form, if each select says for itself which one. A piece counts as part of a select that does.
 */
const borrowersIn = (text: string, sharded: readonly string[]): readonly string[] => {
  const around = new Set(
    [...text.matchAll(/\b(\w+)\.venue_id\b/g)]
      .map(([, alias = '']) => alias)
      .filter(
        (alias) =>
          !new RegExp(
            `(?:\\w|\\)) (?:as )?${alias}\\b(?!\\.)|\\b(?:from|join|update|into|with|,) ${alias}\\b`,
          ).test(text),
      ),
  )
  const whole = [...around].map((alias) => `from around ${alias} where ${alias}.venue_id = $1`)
  const { borrowing } = venueTiesOf([text, ...whole].join(' '), new Set([...sharded, 'around']))
  return borrowing
}

/** What is in the brackets behind each from, join and lateral. */
const fromParts = (text: string): string[] =>
  partsAfter(text, /\b(?:from|join|lateral) \( ?/g).map((part) => part.trim())

const withoutBrackets = (text: string): string => {
  const inner = text.replaceAll(/\([^()]*\)/g, '')
  return inner === text ? text : withoutBrackets(inner)
}

/** What follows each place a pattern ends, up to the bracket around it or the end. */
const partsAfter = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => {
    const start = match.index + match[0].length
    let depth = 0
    let at = start
    for (; at < text.length && depth >= 0; at++) {
      if (text[at] === '(') depth++
      else if (text[at] === ')') depth--
    }
    return text.slice(start, depth < 0 ? at - 1 : at)
  })

/** Which tables a statement names, and by which word; a function's rows are no table. */
const tablesOf = (text: string): { verb: string; table: string }[] =>
  [...text.matchAll(/\b(from|join|update|into|using|truncate) (?:only )?([a-z_]+)\b( ?\()?/g)]
    .filter(([, verb, , bracket]) => verb === 'into' || bracket === undefined)
    .map(([, verb = '', table = '']) => ({ verb, table }))

const isLocalInsert = (text: string, local: readonly string[]): boolean =>
  local.includes(/insert into (\w+)/.exec(text)?.[1] ?? '')
