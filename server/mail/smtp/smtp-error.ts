import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { enhancedCode, keptAnswer } from '../answers.ts'
import type { Outcome } from '../mailer.ts'

/** An error of the SMTP client, which says in which command it happened and what the relay answered. */
export type SmtpError = SMTPConnection.SMTPError

type RelayPhase = Extract<Outcome, { kind: 'relay-trouble' }>['phase']

/**
 * What an error during a send means. The relay's answer decides if there is one; without one it comes down to whether any
 * byte of the message had been read: if not, nothing left.
 */
export const outcomeOfSend = (error: SmtpError, bodyRead: boolean, to: string): Outcome => {
  const { responseCode: status = 0, response = '', command } = error
  const phase = bodyRead ? 'message' : (phases[command ?? ''] ?? 'sender')
  const said = { phase, status, code: enhancedCode(response), answer: keptAnswer(response, to) } as const
  if (status >= 400 && status < 500) return { kind: 'later', ...said }
  if (status >= 500 && status < 600) return { kind: 'refused', ...said }
  if (error.code === 'EENVELOPE' && command === 'API') {
    // The client refused to write the address into a command: so would any relay.
    return { kind: 'refused', phase: 'recipient', status: 553, code: '5.1.3', answer: 'not an address' }
  }
  const answer = keptAnswer(wordsOf(error), to)
  return bodyRead ? { kind: 'unknown', answer } : { kind: 'relay-trouble', phase: 'session', answer }
}

const phases: Readonly<Record<string, 'sender' | 'recipient' | 'message'>> = {
  'MAIL FROM': 'sender',
  'RCPT TO': 'recipient',
  DATA: 'message',
}

/** What an error before the first command of a message means: the relay could not be used, and nothing left. */
export const outcomeOfConnecting = (error: SmtpError): Outcome => ({
  kind: 'relay-trouble',
  phase: phaseOfConnecting(error),
  answer: keptAnswer(error.response ?? wordsOf(error)),
})

const phaseOfConnecting = ({ code, command = '', timeoutType }: SmtpError): RelayPhase => {
  if (code === 'EAUTH' || code === 'ENOAUTH' || command.startsWith('AUTH')) return 'sign-in'
  if (code === 'ETLS' || command === 'STARTTLS' || timeoutType === 'UPGRADE_TIMEOUT') return 'tls'
  if (code === 'EPROTOCOL' || timeoutType === 'GREETING_TIMEOUT') return 'greeting'
  return 'connect'
}

/** Codes and the client's own fixed words; a system error's text would name hosts. */
const wordsOf = ({ originalCode, code, timeoutType, message }: SmtpError): string =>
  originalCode ??
  timeoutType ??
  (message.startsWith('Connection closed') ? 'connection closed' : (code ?? 'error'))
