import { type Static, type TProperties, Type } from 'typebox'
import { limits } from '../limits.ts'

/*
 * Who a campaign goes to, as it is published. What comes in is read by server/marketing/campaigns/audience/segments.ts, with sentences of its
 * own, two rules that generated clients could not make use of (a `tag` names at least one list, a part of an `and`
 * excludes nobody) and a little more leave (`null` and "" for what is left out, an `and` inside an `and`). What goes out
 * is always of these shapes. A test next to the reader keeps the two in step.
 */

const count = (description: string, maximum: number) => Type.Integer({ description, minimum: 1, maximum })

const tagNames = (description: string) =>
  Type.Unsafe<readonly string[]>({
    type: 'array',
    items: Type.String({ minLength: 1, maxLength: limits.tagCharacters, pattern: '\\S' }),
    description,
    minItems: 1,
    maxItems: limits.segmentEntries,
  })

export const SegmentExclusions = Type.Object(
  {
    ticketHoldersOf: Type.Optional(
      Type.Unsafe<number | boolean>({
        oneOf: [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, { type: 'boolean' }],
        description:
          "Who holds a ticket: for the event of this id; `true` for the campaign's own event; `false` for none, even where the campaign has one.",
      }),
    ),
    tags: Type.Optional(tagNames('Who has one of these tags.')),
    mailedWithinDays: Type.Optional(
      count('Who got, or may have got, any campaign in the last so many days.', limits.segmentDays),
    ),
    campaigns: Type.Optional(
      Type.Array(count('Id of a campaign.', Number.MAX_SAFE_INTEGER), {
        description: 'Who was sent one of these campaigns, or will be.',
        minItems: 1,
        maxItems: limits.segmentEntries,
      }),
    ),
  },
  {
    title: 'SegmentExclusions',
    description:
      'People taken out again. An unknown field in it is refused, so that a misspelled one never mails people who were to be left out.',
    examples: [{ tags: ['Staff'], mailedWithinDays: 14 }],
  },
)
export type SegmentExclusions = Static<typeof SegmentExclusions>

const ofType = <const Name extends string, P extends TProperties>(
  name: Name,
  title: string,
  description: string,
  fields: P,
  example: object,
) =>
  Type.Object(
    {
      type: Type.Literal(name, { description: `Always \`${name}\`.` }),
      ...fields,
      exclude: Type.Optional(SegmentExclusions),
    },
    { title, description, examples: [{ type: name, ...example }] },
  )

const minVisits = Type.Optional(count('How many visits at least. Left out, 1.', limits.segmentVisits))

const simpleSegments = [
  ofType('all', 'SegmentAll', 'Everyone subscribed.', {}, {}),
  ofType(
    'tag',
    'SegmentTag',
    'Subscribers by their tags, letter case ignored. At least one of `anyOf`, `allOf` and `noneOf` is needed.',
    {
      anyOf: Type.Optional(tagNames('Who has at least one of these tags.')),
      allOf: Type.Optional(tagNames('Who has all of these tags.')),
      noneOf: Type.Optional(tagNames('Who has none of these tags.')),
    },
    { anyOf: ['Wine evenings', 'Regulars'], noneOf: ['Trade'] },
  ),
  ofType(
    'birthday',
    'SegmentBirthday',
    'Subscribers whose birthday is in a month.',
    { month: Type.Optional(count('Which month. Left out, the present month at the venue.', 12)) },
    { month: 11 },
  ),
  ofType(
    'visited',
    'SegmentVisited',
    'Guests who came at least so often.',
    {
      withinDays: Type.Optional(
        count('Counts only visits of the last so many days. Left out, all visits.', limits.segmentDays),
      ),
      minVisits,
    },
    { withinDays: 90, minVisits: 2 },
  ),
  ofType(
    'lapsed',
    'SegmentLapsed',
    'Guests who have not been back for so long.',
    {
      notSinceDays: count('The last visit is longer ago than so many days.', limits.segmentDays),
      minVisits,
    },
    { notSinceDays: 180 },
  ),
  ofType(
    'ticketBuyers',
    'SegmentTicketBuyers',
    'Who bought a ticket for an event and did not get all of the money back.',
    { eventId: count('The ticketed event.', Number.MAX_SAFE_INTEGER) },
    { eventId: 12 },
  ),
] as const

export type SegmentPart = Static<(typeof simpleSegments)[number]>

const SegmentPart = Type.Unsafe<SegmentPart>({
  title: 'SegmentPart',
  description:
    'One condition of an `and`. It must not have an `exclude`, which belongs to the whole segment.',
  oneOf: simpleSegments,
  discriminator: { propertyName: 'type' },
  examples: [{ type: 'visited', minVisits: 2 }],
})

/** Every type of segment. */
export const segments = [
  ...simpleSegments,
  ofType(
    'and',
    'SegmentAnd',
    'Who is in all of several segments.',
    {
      of: Type.Array(SegmentPart, {
        description: 'The conditions that must all hold.',
        minItems: 1,
        maxItems: limits.segmentParts,
      }),
    },
    {
      of: [
        { type: 'tag', anyOf: ['Regulars'] },
        { type: 'lapsed', notSinceDays: 180 },
      ],
    },
  ),
] as const

/** Their names; the list may grow. */
export const segmentTypes = segments.map(({ properties }) => properties.type.const)

export type Segment = Static<(typeof segments)[number]>

/** What a request says. */
export const Segment = Type.Unsafe<Segment>({
  title: 'Segment',
  description:
    'Who a campaign goes to. Only people with present consent are ever mailed. `exclude` takes people out again, for any type.',
  oneOf: segments,
  discriminator: { propertyName: 'type' },
  examples: [{ type: 'all' }],
})

/** What an answer says: the same today, and open to what is added within version 1. */
export const ShownSegment = Type.Unsafe<Segment>({
  anyOf: [
    Segment,
    Type.Object(
      { type: Type.String({ description: 'A type added later within version 1.' }) },
      { description: 'A type you do not know: keep it as it is.' },
    ),
  ],
  examples: [{ type: 'all' }],
})
