import type { ServerResponse } from 'node:http'
import { amountThere } from './amount-there.ts'
import type { StripeStandIn } from './stand-in.ts'

/** The page on which a guest would type a card: here buttons that pay, or whose card is declined, and a link back. */
export const payPage = async (
  standIn: StripeStandIn,
  method: string,
  path: string,
  body: string,
  response: ServerResponse,
): Promise<void> => {
  const session = standIn.sessions.get(path.slice('/pay/'.length))
  const go = (to: string | null | undefined): void =>
    void response.writeHead(303, { location: standIn.reach(to ?? '/') }).end()
  if (!session) return void response.writeHead(404).end()
  const pressed = method === 'POST' ? new URLSearchParams(body).get('do') : null
  if (pressed === 'pay' || pressed === 'pay-later') {
    await standIn.pay(session.id, pressed === 'pay' ? 'at once' : 'in days')
    return go(session.status === 'complete' ? session.success_url : session.cancel_url)
  }
  if (session.status !== 'open') return go(session.cancel_url)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><meta name="viewport" content="width=device-width" /><title>Test payment</title></head>
  <body>
    <main>
      <h1>Test payment</h1>
      <p>${session.mode === 'setup' ? 'A card is kept for later.' : `Test payment of ${amountThere(session.amount_total ?? 0, session.currency ?? 'usd')}.`} No money moves, and no card is asked for.</p>
      ${pressed === 'decline' ? '<p role="alert">The card was declined. Try another.</p>' : ''}
      <form method="post"><button name="do" value="pay">Pay</button> <button name="do" value="decline">Pay with a card that is declined</button>
      ${session.mode === 'setup' ? '' : '<button name="do" value="pay-later">Pay in a way that takes days</button>'}</form>
      <p><a href="${standIn.reach(session.cancel_url ?? '/')}">Back without paying</a></p>
    </main>
  </body>
</html>`)
}
