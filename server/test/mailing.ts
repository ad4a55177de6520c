import type { Email } from 'postal-mime'
import { sendGuestMails } from '../messages/guest-mail/send-due-mails.ts'
import { type TestRelay, startTestRelay } from '../mail/test/relay.ts'
import { madeBefore } from './made-before.ts'
import { type TestService, startService } from './service.ts'

export type Mailing = {
  readonly service: TestService
  readonly relay: TestRelay
  /** Before a test: the clock is stopped at this moment, nothing is due, and the relay has received nothing. */
  readonly begin: (at: string) => Promise<void>
  /** Sends every mail to guests and staff that is due. */
  readonly send: () => ReturnType<typeof sendGuestMails>
  /** Sends what is due and reads all that the relay has. */
  readonly mails: () => Promise<Email[]>
}

/**
 * A service reached from outside through a proxy, whose mail goes to a relay of the test's. It stops after the tests of
 * the `describe` it is called in.
 */
export const startMailing = (): Mailing => {
  const relay = madeBefore(startTestRelay)
  const service = madeBefore(() =>
    startService({ SMTP_URL: relay.url, PUBLIC_URL: 'https://data.example.com', TRUST_PROXY: '1' }),
  )
  const send = () => sendGuestMails({ ...service.context, db: service.context.workerDb })
  return {
    service,
    relay,
    begin: async (at) => {
      service.setClock(at)
      relay.judge = {}
      await send()
      relay.received.length = 0
    },
    send,
    mails: async () => {
      await send()
      return relay.mails()
    },
  }
}
