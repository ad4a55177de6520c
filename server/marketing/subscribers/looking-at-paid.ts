import { isGuestLanguage } from '../../platform/kernel/guest-language.ts'
import { lookingAtTickets } from '../../tickets/online/looking.ts'
import { signUpByGuest } from './sign-up.ts'

/** What looks at checkouts, and signs up for the news those who asked for them with what they paid for. */
export const lookingAtPaid = (context: Parameters<typeof lookingAtTickets>[0]) =>
  lookingAtTickets(context, async (work, { name, language, ...asked }) => {
    if (!isGuestLanguage(language)) return
    const firstName = name.split(' ')[0] ?? null
    await signUpByGuest(work, { ...asked, firstName, birthday: null, topics: [], language }, 'booking')
  })
