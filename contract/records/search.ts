import { type Static, Type } from 'typebox'
import { ref } from '../shapes.ts'
import { Guest } from './guest.ts'
import { Reservation } from './reservation.ts'

/** The kinds that can be searched, in the order in which they are answered. */
export const searchKinds = ['reservation', 'guest'] as const
export type SearchKind = (typeof searchKinds)[number]

export const searchReasons = ['name', 'phone', 'email'] as const
export type SearchReason = (typeof searchReasons)[number]

export const SearchResults = Type.Object(
  {
    results: Type.Unsafe<{ kind: SearchKind; id: number; why: SearchReason; record: unknown }[]>({
      type: 'array',
      description: 'Bookings first, then guests; possibly empty. Where both are many, each gets half.',
      items: Type.Object(
        {
          kind: Type.String({
            description: '`guest` or `reservation`; the list may grow.',
            examples: [...searchKinds],
          }),
          id: Type.Integer({ description: 'The `id` of the record.', examples: [11_940] }),
          why: Type.String({
            description: 'What was found: `name`, `phone` or `email`.',
            examples: [...searchReasons],
          }),
          record: Type.Unsafe<unknown>({
            description: 'The record as it is now, in the same shape as in its list.',
            'x-published': { anyOf: [ref(Reservation), ref(Guest)] },
            examples: (Reservation as { examples?: unknown[] }).examples?.slice(0, 1) ?? [],
          }),
        },
        { title: 'SearchResult' },
      ),
    }),
  },
  { title: 'SearchResults', description: 'What was found.' },
)
export type SearchResults = Static<typeof SearchResults>
