import { Refusal } from '../../platform/kernel/refusal.ts'
import { readForwardAddress } from '../../integrations/webhooks/sending/forward.ts'
import { listen } from '../../integrations/webhooks/listen.ts'
import { command, text, wholeNumber } from './command.ts'

/** The default port: the one in the examples. */
const usualPort = 4_000

/** A receiver on this machine for a practice instance: verifies deliveries and prints them until it is stopped. */
export const listenCommand = command({
  words: 'listen',
  about: `Receives webhooks on a port of this machine (${usualPort}), verifies and prints them, until Ctrl-C; with --forward-to it forwards them to a program on this machine and returns its status to the service. For practice instances (PRACTICE=on).`,
  flags: { port: wholeNumber('N'), 'forward-to': text('URL') },
  goesOn: true,
  run: async (context, { port = usualPort, 'forward-to': address }) => {
    const forwardTo = address === undefined ? undefined : readForwardAddress(address)
    if (address !== undefined && !forwardTo)
      throw new Refusal(
        400,
        'Deliveries can only be forwarded to this machine: use an address such as http://localhost:3000/hook.',
      )
    if (port < 1 || port > 65_535) throw new Refusal(400, 'The port must be a number from 1 to 65535.')
    const print = (line: string): void => {
      process.stdout.write(`${line}\n`)
    }
    const listener = await listen(context, port, print, forwardTo)
    print(
      `Listening at http://127.0.0.1:${listener.port}/${forwardTo ? `, forwarding to ${forwardTo.href}` : ''} — press Ctrl-C to stop.`,
    )
    const { promise } = Promise.withResolvers<never>()
    return promise
  },
})
