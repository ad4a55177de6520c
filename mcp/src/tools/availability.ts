import { z } from 'zod'
import { cleanText } from '../untrusted.ts'
import * as say from '../tool.ts'
import { type Tool, input, tool } from '../tool.ts'

const partySize = z.number().int().min(1).max(10_000).describe('Number of guests.')
const sentence = z.string().nullable().describe('The sentence a guest may read.')
const reason = z.string().nullable()
const place = z.object({ date: z.string(), time: z.string() })

export const checkShape = {
  ok: z.boolean().describe('Whether a request would be taken now.'),
  reason,
  sentence,
  alternatives: z.array(place).describe('Times that would be taken instead, nearest first.'),
}

export const availabilityTools: readonly Tool[] = [
  tool({
    name: 'availability',
    title: 'Open times of a day',
    description:
      'Which times of a day, or of up to seven, are open for a party of a size. Never a promise: only a request itself books.',
    needs: [],
    input: input({
      date: say.date.optional().describe('The first date, YYYY-MM-DD; today at the venue without one.'),
      partySize,
      days: z.number().int().min(1).max(7).default(1),
      showRefused: z.boolean().default(false).describe('Also times that are not open, each with its reason.'),
    }),
    output: z.object({
      days: z.array(
        z.object({
          date: z.string(),
          anyOpen: z.boolean(),
          closed: sentence.describe('Why the day has no service; null on a day that has.'),
          times: z.array(place.extend({ open: z.boolean(), reason, sentence })),
        }),
      ),
    }),
    run: async ({ date, partySize: size, days, showRefused }, { venue, today }) => {
      const query = {
        date: date ?? today(),
        partySize: size,
        days,
        show: showRefused ? 'all' : 'open',
      } as const
      const found = await venue.availability.get(query)
      return {
        days: found.days.map(({ date: day, anyOpen, closed, slots }) => ({
          ...{ date: day, anyOpen, closed: cleanOrNull(closed?.sentence) },
          times: slots.map(({ date: on, time, open, reason: why, sentence: said }) => ({
            ...{ date: on, time, open, reason: why, sentence: cleanOrNull(said) },
          })),
        })),
      }
    },
  }),

  tool({
    name: 'check_time',
    title: 'Check one time',
    description:
      'Whether a party of a size would be taken at one time, the reason if not, and the nearest times that are open.',
    needs: [],
    input: input({
      date: say.date,
      time: z
        .string()
        .min(1)
        .max(40)
        .describe('Arrival time at the venue: `19:00`, `7:00 PM`, `7pm` and the like.'),
      partySize,
    }),
    output: z.object(checkShape),
    run: async (asked, { venue }) => checked(await venue.availability.check(asked)),
  }),
]

/** The part of a check that an answer shows. */
export const checked = (check: {
  readonly ok: boolean
  readonly reason: string | null
  readonly sentence: string | null
  readonly alternatives: readonly { readonly date: string; readonly time: string }[]
}) => ({
  ok: check.ok,
  reason: check.reason,
  sentence: cleanOrNull(check.sentence),
  alternatives: check.alternatives.map(({ date, time }) => ({ date, time })),
})

const cleanOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : cleanText(text)
