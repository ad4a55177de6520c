import type { Email } from 'postal-mime'
import { sendGuestMails } from '../guest-mail/send.ts'
import { type TestRelay, startTestRelay } from '../mail/test/relay.ts'
import { type TestService, startService } from './service.ts'

export type Mailing = {
  readonly service: TestService
  readonly relay: TestRelay
  /** Sends every mail to guests and staff that is due. */
  readonly send: () => ReturnType<typeof sendGuestMails>
  /** Sends what is due and reads all that the relay has. */
  readonly mails: () => Promise<Email[]>
  readonly stop: () => Promise<void>
}

/** A service reached from outside through a proxy, whose mail goes to a relay of the test's. */
export const startMailing = async (): Promise<Mailing> => {
  const relay = await startTestRelay()
  const service = await startService({
    SMTP_URL: relay.url,
    PUBLIC_URL: 'https://data.example.com',
    TRUST_PROXY: '1',
  })
  const send = () => sendGuestMails({ ...service.context, db: service.context.workerDb })
  return {
    service,
    relay,
    send,
    mails: async () => {
      await send()
      return relay.mails()
    },
    stop: async () => {
      await service.stop()
      await relay.stop()
    },
  }
}
