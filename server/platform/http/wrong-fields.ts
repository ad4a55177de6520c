import type { Fault } from '@venue-data/contract/reasons.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { Format } from 'typebox/format'
import { emailRule, isEmailAddress } from '../kernel/email.ts'
import { externalIdRule, isUsableExternalId } from '../kernel/external-id.ts'
import { inBody } from '../kernel/problem.ts'
import { Refusal } from '../kernel/refusal.ts'
import { readDate, readMoment } from '../kernel/time/written-time.ts'
import { type WrittenForm, writtenWhen } from '../kernel/time/written-when.ts'

/*
 * Describes what is wrong with a body's fields, each in one plain sentence with facts from the shape. The refusal uses
 * the first sentence; the problem form lists them all.
 */

export type FieldNode = {
  type?: string | readonly string[]
  properties?: Record<string, FieldNode>
  items?: FieldNode
  minItems?: number
  maxItems?: number
  format?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  'x-words'?: readonly string[]
  'x-written'?: WrittenForm
  'x-else-ignored'?: boolean
}

export type WrongField = {
  readonly path: readonly string[]
  readonly fault: Fault
  readonly sentence: string
}

/** 400 with the first sentence. The others follow in the shape's order, each field once. */
export const wrongFields = (found: readonly WrongField[], shape: FieldNode): Refusal => {
  const byPath = Map.groupBy(found, ({ path }) => path.join('.'))
  const [first, ...others] = [...byPath.values()].map(([one]) => one as WrongField)
  const all = [first as WrongField, ...others.toSorted(inOrderOf(shape))].slice(0, limits.wrongFieldsMost)
  const errors = all.map(({ path, fault, sentence }) => ({ ...inBody(path.join('.'), fault), sentence }))
  const [{ reason, sentence }] = errors as [(typeof errors)[number]]
  return new Refusal(400, sentence, { problem: { reason, errors } })
}

const inOrderOf = (shape: FieldNode) => (one: WrongField, other: WrongField) =>
  placesOf(one.path, shape) < placesOf(other.path, shape) ? -1 : 1

/** The positions of a field and its parents, in a form that compares as text. */
const placesOf = ([name, ...inside]: readonly string[], node: FieldNode = {}): string => {
  if (name === undefined) return ''
  const names = Object.keys(node.properties ?? {})
  const place = node.properties ? names.indexOf(name) : Number(name)
  return `${String(place).padStart(4, '0')}.${placesOf(inside, node.properties?.[name] ?? node.items)}`
}

type ShapeError = { keyword: string; instancePath: string; params: object }

/** What a shape error is about: one field, or several missing ones. */
export const shapeFaults = (
  { keyword, instancePath, params }: ShapeError,
  shape: FieldNode,
): WrongField[] => {
  const path = instancePath.split('/').slice(1)
  if (keyword === 'required') {
    const { requiredProperties } = params as { requiredProperties: string[] }
    return requiredProperties.map((name) => {
      const whole = [...path, name]
      return { path: whole, fault: 'missing', sentence: `${whole.join('.')} is required.` }
    })
  }
  const node = path.reduce<FieldNode>((at, field) => at.properties?.[field] ?? at.items ?? {}, shape)
  return [faultyField(path, keyword, node)]
}

const faultyField = (path: readonly string[], keyword: string, node: FieldNode): WrongField => {
  const { fault, wanted } = lacking(keyword, node)
  return { path, fault, sentence: `${path.join('.')} must be ${wanted}.` }
}

const lacking = (keyword: string, node: FieldNode): { fault: Fault; wanted: string } => {
  const type = typeof node.type === 'object' ? node.type[0] : node.type
  if (type === 'integer') {
    const fault = keyword === 'type' ? 'not-an-integer' : 'out-of-range'
    return { fault, wanted: `a whole number from ${node.minimum} to ${node.maximum}` }
  }
  if (type === 'object') return { fault: 'not-an-object', wanted: 'an object' }
  if (type === 'array') {
    return { fault: 'not-a-list', wanted: `a list of ${node.minItems} to ${node.maxItems} entries` }
  }
  if (keyword === 'maxLength')
    return { fault: 'too-long', wanted: `at most ${node.maxLength} characters long` }
  if (keyword === 'pattern') return { fault: 'blank', wanted: 'more than blanks' }
  if (keyword === 'type') return { fault: 'not-text', wanted: 'text' }
  return formats[node.format as keyof typeof formats] ?? { fault: 'not-text', wanted: 'readable' }
}

const formats = {
  date: {
    check: (text: string) => readDate(text) !== undefined,
    fault: 'not-a-date',
    wanted: 'a real date, written YYYY-MM-DD',
  },
  moment: {
    check: (text: string) => readMoment(text) !== undefined,
    fault: 'not-a-moment',
    wanted: 'a date and time with a zone, such as 2026-10-06T15:00:00Z',
  },
  email: { check: isEmailAddress, fault: 'not-an-email', wanted: emailRule },
  'external-id': { check: isUsableExternalId, fault: 'not-text', wanted: externalIdRule },
} as const
for (const [name, { check }] of Object.entries(formats)) Format.Set(name, check)

/** For texts in a body: first those that are too long, then those that cannot be read. */
export const wrongTexts = (shape: FieldNode, known: object): WrongField[] => {
  const long: WrongField[] = []
  const unreadable: WrongField[] = []
  const look = (node: FieldNode, values: object, above: readonly string[]): void => {
    for (const [field, value] of Object.entries(values)) {
      const at = node.properties?.[field] ?? node.items ?? {}
      if (typeof value === 'object' && value !== null) look(at, value, [...above, field])
      if (typeof value !== 'string') continue
      if (isTooLong(value, at)) long.push(faultyField([...above, field], 'maxLength', at))
      else if (!canBeRead(value, at)) unreadable.push(unreadableText([...above, field], at))
    }
  }
  look(shape, known, [])
  return [...long, ...unreadable]
}

/**
 * TypeBox counts graphemes, however many combining marks are stacked on one; storage is bounded only if every character
 * counts. The UTF-16 length is never below that and costs nothing to read.
 */
const isTooLong = (text: string, { maxLength = Infinity }: FieldNode): boolean =>
  text.length > maxLength && Array.from(text).length > maxLength

/** Whether a text is a word of a closed list, or a date or time in a common form. */
const canBeRead = (text: string, { 'x-words': words, 'x-written': form }: FieldNode): boolean =>
  (!words || wordOf(text, words) !== undefined) && (!form || writtenWhen[form].read(text) !== undefined)

const unreadableText = (
  path: readonly string[],
  { 'x-words': words, 'x-written': form }: FieldNode,
): WrongField => {
  if (!form) return { path, fault: 'not-a-word', sentence: notAWord(path.join('.'), words ?? []) }
  const { fault, sentence } = writtenWhen[form]
  return { path, fault, sentence }
}

/** The list's word that a text means, ignoring case. */
export const wordOf = <Word extends string>(text: string, words: readonly Word[]): Word | undefined =>
  words.find((word) => word.toLowerCase() === text.trim().toLowerCase())

export const notAWord = (field: string, words: readonly string[]): string =>
  `${field} must be one of ${words.join(', ')}.`
