import { z } from 'zod'
import { cleanText } from '../untrusted.ts'
import * as say from '../tool.ts'
import { type Tool, input, tool } from '../tool.ts'

export const availabilityTools: readonly Tool[] = [
  tool({
    name: 'availability',
    title: 'Open times of a day',
    description:
      'Which times of a day, or of up to seven, are open for a party of a size. No promise: only a request books.',
    needs: [],
    job: 'service',
    input: input({
      date: say.date.optional().describe('The first date; today without one.'),
      partySize: say.partySize,
      days: z.number().int().min(1).max(7).default(1),
      showRefused: z.boolean().default(false).describe('Also times that are not open, with the reason.'),
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
          times: slots.map(({ date: on, time, open, reason: why, sentence: said, experiences }) => ({
            ...{ date: on, time, open },
            ...(experiences.length > 0 && { experiences: experiences.map(({ name }) => cleanText(name)) }),
            ...(why !== null && { reason: why, sentence: cleanOrNull(said) }),
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
    job: 'service',
    input: input({
      date: say.date,
      time: z.string().min(1).max(40).describe('`19:00`, `7:00 PM`, `7pm` and the like, at the venue.'),
      partySize: say.partySize,
    }),
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
