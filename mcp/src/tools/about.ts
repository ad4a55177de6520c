import { z } from 'zod'
import { cleanText } from '../untrusted.ts'
import { type Tool, input, tool } from '../tool.ts'

export const aboutTools: readonly Tool[] = [
  tool({
    name: 'about_venue',
    title: 'About this venue',
    description:
      "The venue's name, its time zone, today's date there, and what this key may do. A good first call.",
    needs: [],
    input: input({}),
    output: z.object({
      name: z.string(),
      timezone: z.string(),
      today: z.string().describe('YYYY-MM-DD, at the venue.'),
      mayDo: z.array(z.string()).describe('The scopes of the key.'),
      contactsHidden: z.boolean().describe('Names, contact details and notes are null for this key.'),
    }),
    run: async (_, { account: { venue, key }, today }) => ({
      name: cleanText(venue.name),
      timezone: venue.timezone,
      today: today(),
      mayDo: key.scopes,
      contactsHidden: key.scopes.includes('contacts:hidden'),
    }),
  }),
]
