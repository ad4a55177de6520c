import { type Static, Type } from 'typebox'
import { record } from '../shapes.ts'

const counts = (description: string, example: Record<string, number>) =>
  Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description,
    examples: [example],
  })

/** The classes in which a day's answers are counted: 429 separately, so not under 4xx. */
export const usageClasses = ['2xx', '3xx', '4xx', '429', '5xx'] as const
export type UsageClass = (typeof usageClasses)[number]

/** How many endpoints are named for a day. */
export const usageEndpointsMost = 10

const Day = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The day in UTC, YYYY-MM-DD.' }),
    requests: Type.Integer({ description: 'Requests with this key, including refused ones.' }),
    byStatus: counts('The same by status of the answer, including zeros; 429 is not counted under 4xx.', {
      '2xx': 4180,
      '3xx': 0,
      '4xx': 12,
      '429': 3,
      '5xx': 0,
    }),
    byEndpoint: counts(
      `The same by endpoint, as method and path of this document: the ${usageEndpointsMost} most used.`,
      { 'GET /api/v1/changes': 2880, 'POST /api/v1/reservations': 41 },
    ),
    deliveries: Type.Object(
      {
        delivered: Type.Integer({ description: 'Deliveries answered with 2xx.' }),
        failed: Type.Integer({ description: 'Deliveries given up.' }),
      },
      { description: 'How deliveries to endpoints of this key ended.' },
    ),
    waitedPolls: Type.Integer({ description: 'Requests that waited with `wait`.' }),
  },
  { title: 'UsageOfDay', description: 'One day with any use.' },
)
export type UsageOfDay = Static<typeof Day>

export const Usage = record(
  'Usage',
  'How much a key was used.',
  {
    key: { id: 12, name: 'Booking widget' },
    days: [
      {
        date: '2026-10-06',
        requests: 4195,
        byStatus: { '2xx': 4180, '3xx': 0, '4xx': 12, '429': 3, '5xx': 0 },
        byEndpoint: { 'GET /api/v1/changes': 2880, 'POST /api/v1/reservations': 41 },
        deliveries: { delivered: 212, failed: 0 },
        waitedPolls: 2710,
      },
    ],
    rate: { limit: 120, peakPerMinute: 87 },
  },
  {
    key: Type.Object(
      {
        id: Type.Integer({ description: 'Its number.' }),
        name: Type.String({ description: 'What the owner called it.' }),
      },
      { description: 'The key that made this request.' },
    ),
    days: Type.Array(Day, { description: 'Newest first; days without any use are left out.' }),
    rate: Type.Object(
      {
        limit: Type.Integer({ description: 'Requests the key may make in a minute.' }),
        peakPerMinute: Type.Integer({
          description: 'The most requests in any one minute of these days, including refused ones.',
        }),
      },
      { description: 'How close the key came to its limit.' },
    ),
  },
)
export type Usage = Static<typeof Usage>
