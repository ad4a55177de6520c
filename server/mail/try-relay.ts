import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { smtpLimits } from './smtp/smtp-limits.ts'
import { optionsOf } from './smtp/smtp-mailer.ts'

/** Longest wait for a relay that is tried, in milliseconds. */
export const tryRelayMs = 10_000

/**
 * Whether a relay answers: connects, greets (with STARTTLS where it is offered) and says goodbye. Signs in nowhere and
 * hands over nothing, so that a relay that counts these does not count us.
 */
export const answers = (url: string, waitMs = tryRelayMs): Promise<boolean> =>
  new Promise((resolve) => {
    const { connection: options } = optionsOf(
      url,
      { ...smtpLimits, connectMs: waitMs, greetingMs: waitMs },
      undefined,
    )
    const connection = new SMTPConnection({ ...options, socketTimeout: waitMs })
    const end = (isUp: boolean): void => {
      clearTimeout(budget)
      if (isUp) connection.quit()
      else connection.close()
      resolve(isUp)
    }
    const budget = setTimeout(() => end(false), waitMs)
    // Heard again after the end, by a connection that breaks while it says goodbye, it changes nothing.
    connection.on('error', () => end(false))
    connection.connect((error) => end(!error))
  })
