import type { Answer, VenueData } from '@venue-data/sdk'
import type { Action } from '../action.ts'
import { bodyOf } from '../body.ts'
import { type Line, has, textOf } from '../command.ts'
import { connect } from '../connect.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { UsageError } from '../failures.ts'
import { queryOf } from '../flags.ts'
import { answerText } from '../print/answer.ts'
import { paint } from '../print/paint.ts'
import { table } from '../print/table.ts'
import type { World } from '../world.ts'
import { tryFirst } from './try-first.ts'

type Asked = NonNullable<Parameters<VenueData['call']>[1]>
type Fields = Readonly<Record<string, unknown>>

/** Makes an API call and prints the answer. */
export const call = async (action: Action, world: World, line: Line): Promise<ExitCode> => {
  const { ids } = action
  const path = line.operands.slice(0, ids.length)
  if (path.length < ids.length || path.some((id) => id.includes('=')))
    throw new UsageError(
      `Which one? \`venue-data ${action.verb} ${action.kind}\` needs ${ids.length === 1 ? 'an id' : 'two ids'} first.`,
    )
  const query = queryOf(action.words, line)
  const body = await bodyOf(action, line.operands.slice(ids.length), line, world.input)
  const venue = await connect(world, line)
  const ifMatch = ifMatchOf(action, line)
  const idempotencyKey = textOf(line, 'idempotency-key')
  const asked: Asked = { path, query, body, ifMatch, idempotencyKey, signal: world.signal }
  if (has(line, 'dry-run')) return tryFirst(action, asked, venue, world, line)
  if (action.pages) return printList(action, asked, venue, world, line)
  const answer = await ask(venue, action, asked)
  print(answer.body, world, line)
  if (answer.replayed) note(world, 'This was done before, under the same --idempotency-key.')
  return outcomeOf(answer.body)
}

const ask = (venue: VenueData, { id }: Action, asked: Asked): Promise<Answer<unknown>> =>
  venue.call(id as Parameters<VenueData['call']>[0], asked).withAnswer()

/** A change of fields has to name a version of the record; the default is the current one. */
const ifMatchOf = (action: Action, line: Line): Asked['ifMatch'] => {
  const given = textOf(line, 'if-match')
  if (given === undefined) return action.ifMatch === 'required' ? '*' : undefined
  return /^\d+$/.test(given) ? Number(given) : given
}

/** A call that tried something elsewhere, such as a test delivery, may have failed there. */
const outcomeOf = (body: unknown): ExitCode =>
  (Object(body) as { ok?: unknown }).ok === false ? exitCodes.refused : exitCodes.ok

/** The most records that a page has. */
const mostOfPage = '100'

const printList = async (
  action: Action,
  asked: Asked,
  venue: VenueData,
  world: World,
  line: Line,
): Promise<ExitCode> => {
  const isJson = has(line, 'json')
  // The fewest requests of the key's minute.
  const limit = has(line, 'all') ? { limit: mostOfPage } : {}
  let after: string | undefined
  let isFirst = true
  if (isJson) world.out.write('[')
  do {
    const { body, headers } = await ask(venue, action, {
      ...asked,
      query: { ...limit, ...asked.query, ...(after !== undefined && { after }) },
    })
    const records = body as Fields[]
    const count = headers.get('x-count')
    after = headers.get('x-next-cursor') ?? undefined
    for (const record of isJson ? records : []) {
      world.out.write(`${isFirst ? '' : ','}\n${JSON.stringify(record)}`)
      isFirst = false
    }
    if (!isJson) world.out.write(records.length > 0 ? table(records, world.out) : 'None.\n')
    if (count !== null) note(world, `${count} in all.`)
  } while (after !== undefined && has(line, 'all'))
  if (isJson) world.out.write(isFirst ? ']\n' : '\n]\n')
  if (after !== undefined) note(world, `There are more: add --all, or --after ${after}`)
  return exitCodes.ok
}

const note = ({ err }: World, sentence: string): void => err.write(`${paint(err, 'dim', sentence)}\n`)

const print = (body: unknown, { out }: World, line: Line): void =>
  out.write(has(line, 'json') ? `${JSON.stringify(body ?? null)}\n` : answerText(body, out))
