import { cleanText } from '../untrusted.ts'
import { type Tool, input, tool } from '../tool.ts'

export const aboutTools: readonly Tool[] = [
  tool({
    name: 'about_venue',
    title: 'About this venue',
    description:
      "The venue's name, its time zone, today's date there, and what this key may do. A good first call. With `contactsHidden`, names, contact details and notes are null.",
    needs: [],
    input: input({}),
    run: async (_, { account: { venue, key }, today }) => ({
      name: cleanText(venue.name),
      timezone: venue.timezone,
      today: today(),
      mayDo: key.scopes,
      contactsHidden: key.scopes.includes('contacts:hidden'),
    }),
  }),
]
