/*
 * How a statement's text is tied to a venue: parsed once per text, and only where the wall of db/wall.ts is
 * up. It reads words and parentheses, not all of SQL. A statement that it does not understand counts as one without a
 * venue, so a wall built on it errs by refusing. A tie is `x.venue_id = $1`, or `= any($1)`, or
 * `x.venue_id = y.venue_id` with a y that is tied itself, in a `where` or `on` that must hold. A condition next to an `or`,
 * after a `not`, inside a `case` or passed to a function does not count, nor does a left join's for its left-hand
 * table, nor a subselect's for the table around it. An insert is tied by the first value of each of its rows.
 */

export type VenueTies = {
  /** The numbers of the values that are compared with a venue_id or inserted as one: `$1` is 1. */
  readonly venues: readonly number[]
  /** The tables that nothing ties to one of those values, once per mention. */
  readonly loose: readonly string[]
  /** Those that only a select around theirs, or the rows of a subselect, ties to one. */
  readonly borrowing: readonly string[]
}

/** Reads a statement; `tables` are those whose primary key begins with venue_id. */
export const venueTiesOf = (text: string, tables: ReadonlySet<string>): VenueTies => {
  const scopes = readScopes(text, tables)
  const venues = new Set<number>()
  for (const scope of scopes) {
    const ties = scope.ties.map(({ left, right, only }) => ({
      left: resolve(left, scope),
      right: resolve(right, scope),
      only,
    }))
    for (const { left, right } of ties) {
      // Even a comparison that does not tie the statement to a venue must not name another one.
      for (const side of [left, right]) if (typeof side === 'number') venues.add(side)
    }
    const sure = ties.filter((_, index) => isSure(scope.ties[index] as Tie))
    const isOwn = (side: Side): boolean =>
      typeof side === 'number' ||
      (side?.table !== undefined && scope.sources.includes(side) && !side.isBorrowing)
    const tie = (side: Side, other: Side, only: Tie['only'], mayBorrow: boolean): boolean => {
      if (typeof side !== 'object' || side.isTied || !isKnown(other)) return false
      // Only this scope's own tables: conditions in `exists` or `not exists` about the tables around it are ignored.
      if (!scope.sources.includes(side) || (only && only !== side)) return false
      if (!mayBorrow && !isOwn(other)) return false
      side.isBorrowing = mayBorrow
      return (side.isTied = true)
    }
    for (const mayBorrow of [false, true]) {
      const tieEither = ({ left, right, only }: (typeof sure)[number]): boolean =>
        tie(left, right, only, mayBorrow) || tie(right, left, only, mayBorrow)
      while (sure.some(tieEither));
    }
    for (const { into, rows } of scope.inserts) {
      const sides = rows.map((row) => resolve(row, scope))
      for (const side of sides) if (typeof side === 'number') venues.add(side)
      into.isTied = sides.length > 0 && sides.every(isKnown)
    }
  }
  const tablesThat = (is: (source: Source) => boolean): string[] =>
    scopes.flatMap(({ sources }) =>
      sources.flatMap((source) => (source.table !== undefined && is(source) ? [source.table] : [])),
    )
  return {
    venues: [...venues],
    loose: tablesThat(({ isTied }) => !isTied),
    borrowing: tablesThat(({ isBorrowing }) => isBorrowing === true),
  }
}

/** A table in a `from`, `join` or `using`, or the result of a subselect. */
type Source = {
  readonly name: string
  readonly table?: string
  readonly body?: readonly Scope[]
  isTied: boolean
  isBorrowing?: boolean
}

/** One select, insert, update or delete; the two sides of a `union` are two. */
type Scope = {
  readonly around: Scope | undefined
  readonly sources: Source[]
  readonly withs: Map<string, readonly Scope[]>
  readonly ties: Tie[]
  /** What is inserted as the venue of each row: a value, or a column of a source. */
  readonly inserts: { readonly into: Source; readonly rows: string[] }[]
}

/** The conditions in one pair of parentheses, or in one `where` or `on`. */
type Group = { readonly around: Group | undefined; isLoose: boolean }

type Tie = {
  readonly left: string
  readonly right: string
  readonly group: Group
  readonly only: Frame['outer']
}

type Side = Source | number | undefined

const isKnown = (side: Side): boolean =>
  typeof side === 'number' || (side !== undefined && (side.isTied || givesTied(side)))

/** The rows of a subselect belong to the venue that its own tables are tied to; each of those is checked itself. */
const givesTied = ({ body = [] }: Source): boolean =>
  body.length > 0 &&
  body.every(({ sources }) => sources.some((one) => one.table !== undefined || givesTied(one)))

const isSure = ({ group }: Tie): boolean => {
  for (let one: Group | undefined = group; one; one = one.around) if (one.isLoose) return false
  return true
}

/** `$2`, `g.venue_id` or `venue_id`, which belongs to the nearest table already named. */
const resolve = (operand: string, scope: Scope): Side => {
  if (operand.startsWith('$')) return Number(operand.slice(1))
  if (!isVenueColumn(operand)) return undefined
  const name = operand.includes('.') ? operand.split('.', 1)[0] : undefined
  for (let one: Scope | undefined = scope; one; one = one.around) {
    const { inserts, sources } = one
    const readFrom = sources.filter((source) => !inserts.some(({ into }) => into === source))
    const found = name === undefined ? readFrom[0] : readFrom.findLast((source) => source.name === name)
    if (found) return found
  }
  return undefined
}

/** The text between two parentheses, or all of it. */
type Frame = {
  readonly scopes: Scope[]
  /** In a `with`, the name that the `( select` after it defines. */
  readonly namedWith: string | undefined
  readonly isSelect: boolean
  readonly isInFrom: boolean
  readonly isFilter: boolean
  clause: 'with' | 'from' | 'where' | 'on' | 'other'
  group: Group
  /** How many `case`s are open. */
  cases: number
  /** The sources that the conditions of the current outer join apply to: those a left join adds. */
  outer: Source | 'nothing' | undefined
}

const readScopes = (text: string, tables: ReadonlySet<string>): Scope[] => {
  const words = text.toLowerCase().match(word) ?? []
  const scopes: Scope[] = []
  const newScope = (around: Scope | undefined): Scope => {
    const scope: Scope = { around, sources: [], withs: new Map(), ties: [], inserts: [] }
    scopes.push(scope)
    return scope
  }
  const newFrame = (more: Partial<Frame> & Pick<Frame, 'scopes'>): Frame => ({
    namedWith: undefined,
    isSelect: true,
    isInFrom: false,
    isFilter: false,
    clause: 'other',
    group: { around: undefined, isLoose: false },
    cases: 0,
    outer: undefined,
    ...more,
  })
  const frames: Frame[] = [newFrame({ scopes: [newScope(undefined)] })]

  for (const [at, here] of words.entries()) {
    const before = words[at - 1] ?? ''
    const next = words[at + 1] ?? ''
    const frame = frames.at(-1) as Frame
    const scope = frame.scopes.at(-1) as Scope
    const enter = (clause: Frame['clause']): void => {
      frame.clause = clause
      if (frame.isSelect) frame.group = { around: undefined, isLoose: false }
    }
    const source = (index: number): Source | undefined => {
      const table = words[index] ?? ''
      const body = words[index + 1] === '(' ? undefined : bodyOf(table, scope)
      if (!body && !tables.has(table)) return undefined
      const found = {
        name: aliasAt(words, index + 1) ?? table,
        ...(body ? { body } : { table }),
        isTied: false,
      }
      scope.sources.push(found)
      return found
    }

    if (here === '(') {
      const isSelect = /^(?:select|with|insert|update|delete|values)$/.test(next)
      const around = frame.group
      frames.push(
        isSelect
          ? newFrame({
              scopes: [newScope(scope)],
              namedWith: frame.clause === 'with' ? namedBefore(words, at) : undefined,
              isInFrom: frame.clause === 'from' && /^(?:from|join|,|lateral|using)$/.test(before),
            })
          : newFrame({
              scopes: [scope],
              isSelect: false,
              isFilter: before === 'filter',
              clause: frame.clause,
              group: { around, isLoose: !/^(?:and|or|where|on|\()$/.test(before) || frame.cases > 0 },
              outer: frame.outer,
            }),
      )
    } else if (here === ')') {
      if (frames.length > 1) frames.pop()
      // A condition in parentheses must hold only if nothing is computed from it.
      if (!frame.isSelect && !behindConditions.has(next)) frame.group.isLoose = true
      const around = frames.at(-1) as Frame
      const aroundScope = around.scopes.at(-1) as Scope
      if (frame.namedWith !== undefined) aroundScope.withs.set(frame.namedWith, frame.scopes)
      if (frame.isInFrom) {
        const derived = { name: aliasAt(words, at + 1) ?? '', body: frame.scopes, isTied: false }
        aroundScope.sources.push(derived)
        if (around.outer !== undefined) around.outer = derived
      }
    } else if (here === 'with' && next !== 'ordinality' && next !== 'ties') frame.clause = 'with'
    else if (here === 'case') frame.cases++
    else if (here === 'end') frame.cases--
    else if (here === 'or') frame.group.isLoose = true
    else if (/^(?:union|intersect|except)$/.test(here)) {
      frame.scopes.push(newScope(scope.around))
      enter('other')
    } else if (here === 'where') {
      // `filter (where …)` excludes no rows.
      enter(frame.isFilter ? 'other' : 'where')
      frame.outer = undefined
    } else if (here === 'on' && next !== 'conflict') enter('on')
    else if (here === 'into') {
      const into = source(at + 1)
      if (into) scope.inserts.push({ into, rows: rowsInserted(words, at + 2) })
      enter('other')
    } else if (here === 'update' && !/^(?:for|key|do)$/.test(before)) {
      source(next === 'only' ? at + 2 : at + 1)
      enter('other')
    } else if (
      (/^(?:from|join|using)$/.test(here) && before !== 'distinct') ||
      (here === ',' && frame.isSelect && (frame.clause === 'from' || frame.clause === 'on'))
    ) {
      const side = before === 'outer' ? words[at - 2] : before
      const found = source(next === 'only' || next === 'lateral' ? at + 2 : at + 1)
      frame.clause = 'from'
      frame.outer = undefined
      if (side === 'left') frame.outer = found ?? 'nothing'
      if (side === 'right' || side === 'full') frame.outer = 'nothing'
    } else if (
      /^(?:select|group|order|limit|having|returning|set)$/.test(here) ||
      (here === 'for' && /^(?:update|no|share|key)$/.test(next))
    ) {
      enter('other')
    } else if (isVenueColumn(here) && next === '=' && /^(?:where|on)$/.test(frame.clause)) {
      const right = operandAt(words, at + 2)
      const isHeld = frame.cases === 0 && before !== 'not'
      const group = isHeld ? frame.group : { around: undefined, isLoose: true }
      if (right !== undefined) scope.ties.push({ left: here, right, group, only: frame.outer })
    }
  }
  return scopes
}

/** What may follow a condition in parentheses without changing its meaning. */
const behindConditions = new Set([
  ...['', ')', 'and', 'or', 'where', 'join', 'left', 'right', 'inner', 'full', 'cross'],
  ...['group', 'order', 'limit', 'offset', 'for', 'returning', 'union', 'intersect', 'except'],
])

const word = /'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_]\w*(?:\.[a-z_]\w*)*|\d[\w.]*|::|<=|>=|<>|!=|\S/g

/** The alias of the source that ends before `at`. */
const aliasAt = (words: readonly string[], at: number): string | undefined => {
  const name = words[at] === 'as' ? words[at + 1] : words[at]
  return name !== undefined && /^[a-z_]\w*$/.test(name) && !behindTables.has(name) ? name : undefined
}

/** Words that may follow a table's name without being its alias. */
const behindTables = new Set(
  'where join left right inner cross full on using set group order limit offset for union intersect except returning values select natural having window default overriding fetch'.split(
    ' ',
  ),
)

/** `made` in `made as (`, `made as materialized (` and `made (id) as (`. */
const namedBefore = (words: readonly string[], bracket: number): string | undefined => {
  let at = bracket - 1
  while (words[at] === 'materialized' || words[at] === 'not') at--
  if (words[at] !== 'as') return undefined
  at--
  if (words[at] === ')') while (at > 0 && words[at--] !== '(');
  return words[at]
}

/** What the name means in an enclosing `with`. */
const bodyOf = (name: string, scope: Scope): readonly Scope[] | undefined => {
  for (let one: Scope | undefined = scope; one; one = one.around) {
    const found = one.withs.get(name)
    if (found) return found
  }
  return undefined
}

/** The other side of a comparison, if it is simply a value or a column. */
const operandAt = (words: readonly string[], at: number): string | undefined => {
  const isAny = words[at] === 'any' && words[at + 1] === '('
  const operand = words[isAny ? at + 2 : at] ?? ''
  let end = isAny ? at + 3 : at + 1
  while (words[end] === '::') end += 2
  const isWhole = !/^[-+*/%|]$/.test(words[end] ?? '')
  return isWhole && (/^\$\d+$/.test(operand) || isVenueColumn(operand)) ? operand : undefined
}

/** The venue of each inserted row, which must be the first column: of `values (…), (…)` or of a select. */
const rowsInserted = (words: readonly string[], from: number): string[] => {
  const columns = words.indexOf('(', from)
  if (words[columns + 1] !== 'venue_id') return []
  let at = words.indexOf(')', columns) + 1
  if (words[at] === 'overriding') at += 3
  if (words[at] === 'select') return [operandAt(words, words[at + 1] === 'distinct' ? at + 2 : at + 1) ?? '']
  if (words[at] !== 'values') return []
  const found: string[] = []
  let depth = 0
  while (words[++at] === '(' || words[at] === ',' || depth > 0) {
    if (words[at] === '(' && depth++ === 0) found.push(operandAt(words, at + 1) ?? '')
    if (words[at] === ')') depth--
  }
  return found
}

const isVenueColumn = (operand: string): boolean => /^(?:\w+\.)?venue_id$/.test(operand)
