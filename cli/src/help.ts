import type { Action, Field } from './action.ts'
import { type Command, type Options, sharedOptions } from './command.ts'
import { commands } from './commands.ts'
import { verbsAndKinds } from './find-command.ts'
import { actions } from './generated/actions.ts'
import { wrapped } from './print/printable.ts'

/* The help, all generated from the tables of commands; each text as wide as requested. */

export const generalHelp = (width: number): string =>
  [
    'The Venue Data API on the command line.',
    '',
    'Usage: venue-data <command> [flags]',
    '',
    'Commands:',
    ...rowsOf(
      commands.map(({ name, operands, about }) => [`  ${name} ${operands}`.trimEnd(), about]),
      width,
    ),
    '',
    'Records:',
    ...rowsOf(
      verbsAndKinds().map(([verb, kinds]) => [`  ${verb}`, kinds]),
      width,
    ),
    '',
    'For more about a command: `venue-data create reservations --help`.',
    'Instead of `login`, you can set VENUE_DATA_URL and VENUE_DATA_KEY.',
    '',
  ].join('\n')

export const verbHelp = (verb: string, width: number): string =>
  [
    `Usage: venue-data ${verb} <records> [flags]`,
    '',
    ...rowsOf(
      actions.filter((one) => one.verb === verb).map(({ kind, about }) => [`  ${verb} ${kind}`, `${about}.`]),
      width,
    ),
    '',
    `For more: \`venue-data ${verb} ${actions.find((one) => one.verb === verb)?.kind} --help\`.`,
    '',
  ].join('\n')

export const commandHelp = (command: Command, width: number): string => {
  const { name, operands, about, more, options } = command
  const action = actions.find(({ verb, kind }) => `${verb} ${kind}` === name)
  return [
    about,
    ...(more === undefined ? [] : wrapped(more, width)),
    '',
    `Usage: ${['venue-data', name, operands, '[flags]'].filter(Boolean).join(' ')}`,
    ...(action ? fieldsHelp(action, width) : []),
    '',
    'Flags:',
    ...optionsHelp({ ...options, ...sharedOptions }, width),
    '',
  ].join('\n')
}

const fieldsHelp = ({ fields, clears }: Action, width: number): string[] =>
  fields.length === 0
    ? []
    : [
        '',
        clears ? 'Fields (an empty value clears one):' : 'Fields:',
        ...rowsOf(
          fields.map((field) => [`  ${fieldName(field)}`, field.about]),
          width,
        ),
      ]

const fieldName = ({ name, takes, required }: Field): string => {
  const value = { text: '…', number: 'N', 'yes or no': 'true|false', texts: 'a,b', json: 'JSON' }[takes]
  return `${name}=${value}${required ? ' (required)' : ''}`
}

const optionsHelp = (options: Options, width: number): string[] =>
  rowsOf(
    Object.entries(options).map(([name, { value, about, required }]) => [
      `  --${name}${value === undefined ? '' : ` ${value}`}${required ? ' (required)' : ''}`,
      about,
    ]),
    width,
  )

/** Two columns; the first is as wide as needed, up to a limit. */
const rowsOf = (rows: readonly (readonly [string, string])[], width: number): string[] => {
  const first = Math.min(30, Math.max(...rows.map(([left]) => left.length)))
  const indent = ' '.repeat(first + 2)
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, Math.max(30, width - indent.length))
    if (left.length > first) return [left, ...lines.map((line) => indent + line)]
    return lines.map((line, i) => (i === 0 ? left.padEnd(indent.length) : indent) + line)
  })
}
