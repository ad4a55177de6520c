import type { Context } from '../../context.ts'
import type { Looking } from '../../core/money/look.ts'
import { makePrivateToken } from '../../mail/link-token.ts'
import { giveTickets } from './give-tickets.ts'

/** What looks at checkouts of tickets: their pages here, and how what was paid for is given. */
export const lookingAtTickets = (
  context: Pick<Context, 'db' | 'clock' | 'secrets' | 'hold' | 'processors' | 'log' | 'config'>,
): Looking => ({
  ...context,
  give: giveTickets,
  pagesOf: (venue, checkout) => {
    const token = makePrivateToken(context.secrets, 'pay', { venue: venue.id, record: checkout, issue: 0 })
    const page = `${context.config.publicUrl}/pay/${token}`
    return { back: `${page}/back`, cancel: page }
  },
})
