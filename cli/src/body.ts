import { readFile } from 'node:fs/promises'
import type { Action, Field } from './action.ts'
import { type Line, textOf } from './command.ts'
import { didYouMean } from './did-you-mean.ts'
import { UsageError } from './failures.ts'
import type { Input } from './world.ts'

type Body = Record<string, unknown>

/**
 * The body of a call: the contents of `--data`, with the fields on the command line added.
 *
 * @throws UsageError when a field is unknown or its value does not fit
 */
export const bodyOf = async (
  action: Action,
  fields: readonly string[],
  line: Line,
  input: Input,
): Promise<unknown> => {
  if (action.body === undefined) return undefined
  const data = textOf(line, 'data')
  const isNothing = data === undefined && fields.length === 0
  if (isNothing && action.body === 'optional') return undefined
  if (isNothing && action.fields.some(({ required }) => required) && input.isTerminal)
    throw new UsageError(
      `Which fields? Give them as name=value, or with --data. See \`venue-data ${action.verb} ${action.kind} --help\`.`,
    )
  const isPiped = isNothing && !input.isTerminal
  const given = data === undefined && !isPiped ? {} : await readData(data ?? '-', input)
  if (fields.length === 0) return given
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError('Fields can only be added to an object, and --data is not one.')
  const body: Body = { ...(given as Body) }
  for (const text of fields) setField(body, text, action)
  return body
}

const readData = async (data: string, input: Input): Promise<unknown> => {
  const text =
    data === '-' ? await readAll(input) : data.startsWith('@') ? await readFile(data.slice(1), 'utf8') : data
  if (data === '-' && text.trim() === '')
    throw new UsageError('Which fields? Give them as name=value, with --data, or as JSON on standard input.')
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      data.startsWith('@')
        ? `${data.slice(1)} does not hold JSON.`
        : data === '-'
          ? 'Standard input does not hold JSON.'
          : '--data must be JSON, @FILE or -.',
    )
  }
}

const readAll = async (input: Input): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

const setField = (body: Body, text: string, { fields, clears }: Action): void => {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  const field = fields.find((one) => one.name === name)
  if (name === '') throw new UsageError(`Fields are given as name=value, and "${text}" is not.`)
  if (!field) {
    const names = fields.map((one) => one.name)
    throw new UsageError(
      `There is no field "${name}" here.${didYouMean(name, names) || ` There are ${names.join(', ')}.`}`,
    )
  }
  const path = name.split('.')
  const last = path.pop() as string
  let holder = body
  for (const part of path) holder = holder[part] = { ...(holder[part] as Body | undefined) }
  holder[last] = value === '' && clears ? null : read(field, value)
}

const read = ({ name, takes }: Field, value: string): unknown => {
  switch (takes) {
    case 'text':
      return value
    case 'number':
      if (!/^-?\d+$/.test(value)) throw new UsageError(`${name} must be a whole number.`)
      return Number(value)
    case 'yes or no':
      if (value !== 'true' && value !== 'false') throw new UsageError(`${name} must be true or false.`)
      return value === 'true'
    case 'texts':
      return value === '' ? [] : value.split(',').map((one) => one.trim())
    case 'json':
      try {
        return JSON.parse(value)
      } catch {
        throw new UsageError(`${name} must be JSON.`)
      }
    default:
      throw new Error(`A field takes ${String(takes satisfies never)}.`)
  }
}
