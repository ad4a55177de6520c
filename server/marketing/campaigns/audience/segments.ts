import { limits } from '@venue-data/contract/limits.ts'
import type { Fault } from '@venue-data/contract/reasons.ts'
import {
  type Segment,
  SegmentExclusions,
  type SegmentPart,
  segmentTypes,
} from '@venue-data/contract/records/segment.ts'
import { inBody } from '../../../platform/kernel/problem.ts'
import { type Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { wholeNumber } from '../../../platform/kernel/typed-fields.ts'

/*
 * Who a campaign goes to, from JSON to a checked value (docs/api.md#who-it-goes-to). This value is what is saved and
 * shown again. Unknown fields are dropped, except in `exclude`, where they are refused: a misspelled word there would
 * mail people who were meant to be left out.
 */

export const everyone: Segment = { type: 'all' }

/** Reads a segment. Refuses with a 400 sentence that names the field. */
export const readSegment = (json: unknown): Segment => {
  const fields = objectAt('segment', json)
  const exclude = given(fields, 'exclude')
  const described = fields['type'] === 'and' ? readAnd(fields) : readPart('segment', fields)
  return exclude === undefined ? described : { ...described, exclude: readExclusions(exclude) }
}

/** The segment a campaign's list was built with, which a call may have named; its own when there is no list. */
export const listSegmentOf = (row: { readonly segment: unknown; readonly list_segment: unknown }): Segment =>
  readSegment(row.list_segment ?? row.segment)

/** The conditions that must all hold. */
export const partsOf = (segment: Segment): readonly SegmentPart[] =>
  segment.type === 'and' ? segment.of : [segment]

/**
 * The event whose ticket holders are left out. A campaign for an event leaves out who holds a ticket for it already,
 * unless the segment says otherwise or is made of its buyers.
 */
export const holdersLeftOut = (segment: Segment, own: number | null): number | null => {
  const asked = segment.exclude?.ticketHoldersOf
  if (typeof asked === 'number') return asked
  const isOfBuyers = partsOf(segment).some((part) => part.type === 'ticketBuyers' && part.eventId === own)
  return asked === false || (asked === undefined && isOfBuyers) ? null : own
}

type Fields = Readonly<Record<string, unknown>>

/** A field is called in sentences as its place in the body is. */
const wrong = (where: string, why: string, fault: Fault): Refusal =>
  badRequest(`${where} ${why}.`, inBody(where, fault))

/** Conditions inside conditions mean the same as side by side. */
const readAnd = (fields: Fields): Segment => {
  const of = flatParts('segment', fields)
  if (of.length > limits.segmentParts) {
    throw wrong(
      'segment.of',
      `must have at most ${limits.segmentParts} segments, nested ones counted`,
      'out-of-range',
    )
  }
  return { type: 'and', of }
}

const flatParts = (where: string, fields: Fields): SegmentPart[] =>
  listAt(`${where}.of`, fields['of']).flatMap((one, i) => {
    const inner = `${where}.of[${i}]`
    const part = objectAt(inner, one)
    if (given(part, 'exclude') !== undefined) {
      throw wrong(`${inner}.exclude`, 'is not possible: exclude belongs to the whole segment', 'not-here')
    }
    return part['type'] === 'and' ? flatParts(inner, part) : [readPart(inner, part)]
  })

const readPart = (where: string, fields: Fields): SegmentPart => {
  const asked = fields['type']
  const type = segmentTypes.find((one) => one === asked)
  if (asked === undefined || asked === null) throw wrong(`${where}.type`, 'is required', 'missing')
  const number = (name: string, most: number) => numberAt(`${where}.${name}`, given(fields, name), 1, most)
  switch (type) {
    case 'all':
      return { type }
    case 'tag':
      return readTag(where, fields)
    case 'birthday':
      return { type, ...ifGiven('month', number('month', 12)) }
    case 'visited':
      return {
        type,
        ...ifGiven('withinDays', number('withinDays', limits.segmentDays)),
        ...ifGiven('minVisits', number('minVisits', limits.segmentVisits)),
      }
    case 'lapsed':
      return {
        type,
        notSinceDays: required(`${where}.notSinceDays`, number('notSinceDays', limits.segmentDays)),
        ...ifGiven('minVisits', number('minVisits', limits.segmentVisits)),
      }
    case 'ticketBuyers':
      return { type, eventId: required(`${where}.eventId`, number('eventId', Number.MAX_SAFE_INTEGER)) }
    case 'and':
    case undefined:
      throw wrong(`${where}.type`, `must be one of ${segmentTypes.join(', ')}`, 'not-a-word')
    default:
      return type satisfies never
  }
}

const readTag = (where: string, fields: Fields): SegmentPart => {
  const names = (name: string) => ifGiven(name, tagsAt(`${where}.${name}`, given(fields, name)))
  const part: SegmentPart = { type: 'tag', ...names('anyOf'), ...names('allOf'), ...names('noneOf') }
  if (!part.anyOf && !part.allOf && !part.noneOf) {
    throw wrong(where, 'must say anyOf, allOf or noneOf', 'missing')
  }
  return part
}

const exclusionNames = Object.keys(SegmentExclusions.properties)

const readExclusions = (json: unknown): SegmentExclusions => {
  const where = 'segment.exclude'
  const fields = objectAt(where, json)
  const unknown = Object.keys(fields).find((name) => !exclusionNames.includes(name))
  if (unknown !== undefined) throw wrong(where, `can only hold ${exclusionNames.join(', ')}`, 'not-here')
  const holders = given(fields, 'ticketHoldersOf')
  const campaigns = given(fields, 'campaigns')
  return {
    ...ifGiven('ticketHoldersOf', typeof holders === 'boolean' ? holders : eventAt(holders)),
    ...ifGiven('tags', tagsAt(`${where}.tags`, given(fields, 'tags'))),
    ...ifGiven(
      'mailedWithinDays',
      numberAt(`${where}.mailedWithinDays`, given(fields, 'mailedWithinDays'), 1, limits.segmentDays),
    ),
    ...ifGiven(
      'campaigns',
      campaigns === undefined
        ? undefined
        : listAt(`${where}.campaigns`, campaigns).map((one, i) =>
            wholeAt(`${where}.campaigns[${i}]`, one, 1, Number.MAX_SAFE_INTEGER),
          ),
    ),
  }
}

const eventAt = (value: unknown): number | undefined => {
  if (value !== undefined && typeof value !== 'number') {
    throw wrong('segment.exclude.ticketHoldersOf', 'must be the id of an event, true or false', 'not-an-id')
  }
  return numberAt('segment.exclude.ticketHoldersOf', value, 1, Number.MAX_SAFE_INTEGER)
}

/** `null` and "" count as absent. */
const given = (fields: Fields, name: string): unknown => {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return value === null || value === '' ? undefined : value
}

/** A field, where there is a value for it. */
export const ifGiven = <Name extends string, T>(
  name: Name,
  value: T | undefined,
): { readonly [K in Name]?: T } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [K in Name]?: T }

const required = <T>(where: string, value: T | undefined): T => {
  if (value === undefined) throw wrong(where, 'is required', 'missing')
  return value
}

const objectAt = (where: string, value: unknown): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(where, 'must be an object', 'not-an-object')
  }
  return value as Fields
}

const numberAt = (where: string, value: unknown, least: number, most: number): number | undefined =>
  value === undefined ? undefined : wholeAt(where, value, least, most)

const wholeAt = (where: string, value: unknown, least: number, most: number): number =>
  wholeNumber(where, value, least, most, where)

const listAt = (where: string, value: unknown): readonly unknown[] => {
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.segmentEntries) {
    throw wrong(where, `must be a list of 1 to ${limits.segmentEntries} entries`, 'not-a-list')
  }
  return value as readonly unknown[]
}

const tagsAt = (where: string, value: unknown): string[] | undefined => {
  if (value === undefined) return undefined
  return listAt(where, value).map((tag, i) => {
    const name = typeof tag === 'string' ? tag.trim() : ''
    if (name === '' || Array.from(name).length > limits.tagCharacters) {
      throw wrong(
        `${where}[${i}]`,
        `must be the name of a tag, 1 to ${limits.tagCharacters} characters`,
        'not-text',
      )
    }
    return name
  })
}
