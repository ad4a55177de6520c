import { Refusal } from '../kernel/refusal.ts'
import { listen } from '../webhooks/listen.ts'
import { command, needed, wholeNumber } from './command.ts'

/** A receiver on this machine for a practice instance: verifies deliveries and prints them until it is ended. */
export const listenCommand = command({
  words: 'listen',
  about:
    'Receives webhooks on a port of this machine, verifies and prints them, until Ctrl-C. For practice instances (PRACTICE=on).',
  flags: { port: needed(wholeNumber('N')) },
  goesOn: true,
  run: async (context, { port }) => {
    if (port < 1 || port > 65_535) throw new Refusal(400, 'The port must be a number from 1 to 65535.')
    const print = (line: string): void => {
      process.stdout.write(`${line}\n`)
    }
    const listener = await listen(context, port, print)
    print(`Listening at http://127.0.0.1:${listener.port}/ — Ctrl-C ends it.`)
    const { promise } = Promise.withResolvers<never>()
    return promise
  },
})
