import { lookingAtTickets } from '../../tickets/online/looking.ts'
import { signUpBeside } from './sign-up.ts'

/** What looks at checkouts, and signs up for the news those who asked for them with what they paid for. */
export const lookingAtPaid = (context: Parameters<typeof lookingAtTickets>[0]) =>
  lookingAtTickets(context, signUpBeside)
