// The cast: callers hand over finished messages, each gets a connection of the pool for itself, and hears what came of
// it. A connection that did its work waits for the next message; one that failed in the middle is closed. The pool is
// our own, as nodemailer's reports "could not connect" and "lost after the final dot" alike.
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { bodyOf } from './body.ts'
import type { Mailer, OutgoingMail, Outcome } from '../mailer.ts'
import { type SmtpLimits, smtpLimits } from './smtp-limits.ts'
import { type SmtpError, outcomeOfConnecting, outcomeOfSend } from './smtp-error.ts'

export type SmtpOptions = {
  /** `smtp://` (with STARTTLS where the relay offers it) or `smtps://`, with user and password. */
  readonly url: string
  readonly connections?: number
  /** Certificates the relay may show besides the well-known ones. */
  readonly ca?: string
  readonly limits?: Partial<SmtpLimits>
}

type Line = { readonly connection: SMTPConnection; mails: number; idle?: NodeJS.Timeout }
type Sent = { readonly outcome: Outcome; readonly keep: boolean; readonly stale: boolean }

export const createSmtpMailer = ({ url, connections = 20, ca, limits = {} }: SmtpOptions): Mailer => {
  const most: SmtpLimits = { ...smtpLimits, ...limits }
  const idle: Line[] = []
  const waiting = new Set<() => void>()
  const open = new Set<Line>()
  let places = connections
  let underWay = 0
  let onEmpty: (() => void) | undefined
  const options = optionsOf(url, most, ca)

  const drop = (line: Line): void => {
    clearTimeout(line.idle)
    open.delete(line)
    const place = idle.indexOf(line)
    if (place >= 0) idle.splice(place, 1)
    line.connection.close()
  }

  const connect = (): Promise<Line | Outcome> =>
    new Promise((resolve) => {
      const connection = new SMTPConnection(options.connection)
      const line: Line = { connection, mails: 0 }
      const fail = (error: SmtpError): void => {
        clearTimeout(impatient)
        drop(line)
        resolve(outcomeOfConnecting(error))
      }
      open.add(line)
      const impatient = setTimeout(() => {
        drop(line)
        resolve(tooSlow)
      }, most.readyMs)
      const ready = (): void => {
        clearTimeout(impatient)
        resolve(line)
      }
      // Also catches a connection that breaks later; the send using it at that time hears through its own callback.
      connection.on('error', fail)
      connection.once('end', () => {
        clearTimeout(impatient)
        drop(line)
        // Unless its callback says more.
        setImmediate(() => resolve(broken))
      })
      connection.connect((error) => {
        if (error) return fail(error)
        if (!options.auth) return ready()
        connection.login(options.auth, (refused) => (refused ? fail(refused) : ready()))
      })
    })

  const hold = (line: Line): void => {
    if (!open.has(line)) return
    if (line.mails >= most.mailsOfConnection) {
      open.delete(line)
      return line.connection.quit()
    }
    line.idle = setTimeout(() => {
      idle.splice(idle.indexOf(line), 1)
      open.delete(line)
      line.connection.quit()
    }, most.idleMs).unref()
    idle.push(line)
  }

  const send = ({ connection, mails }: Line, { from, to, message }: OutgoingMail): Promise<Sent> =>
    new Promise((resolve) => {
      const body = bodyOf(message)
      const end = (sent: Sent): void => {
        clearTimeout(impatient)
        resolve(sent)
      }
      /** The connection is gone, whichever side closed it; if a callback is pending, it comes first. */
      const onEnd = (): void => {
        const answer = 'connection closed'
        const outcome: Outcome = body.wasRead() ? { kind: 'unknown', answer } : broken
        setImmediate(() => end({ outcome, keep: false, stale: false }))
      }
      connection.once('end', onEnd)
      const giveUp = (outcome: Outcome): void => {
        connection.close()
        end({ outcome, keep: false, stale: false })
      }
      let impatient = setTimeout(() => {
        if (!body.wasRead()) return giveUp(tooSlow)
        impatient = setTimeout(() => giveUp({ kind: 'unknown', answer: tooSlow.answer }), most.finalMs)
      }, most.envelopeMs)
      connection.send({ from, to }, body.stream, (error, info) => {
        connection.removeListener('end', onEnd)
        if (!error) {
          end({ outcome: { kind: 'accepted', answer: keptOk(info.response) }, keep: true, stale: false })
          return
        }
        const bodyRead = body.wasRead()
        const { responseCode } = error
        const answered = responseCode !== undefined && responseCode !== 421
        end({
          outcome: outcomeOfSend(error, bodyRead, to),
          // An answer in the middle of the body leaves the rest of it on the line.
          keep: (answered || error.command === 'API') && (!bodyRead || body.hasEnded()),
          stale: mails > 0 && !bodyRead && !answered && Buffer.isBuffer(message),
        })
      })
    })

  /** Refused sender or recipient: the connection is good for the next message. */
  const reset = (line: Line): Promise<void> =>
    new Promise((resolve) => {
      const impatient = setTimeout(() => {
        drop(line)
        resolve()
      }, most.greetingMs)
      line.connection.reset((error) => {
        clearTimeout(impatient)
        if (error) drop(line)
        resolve()
      })
    })

  const tryOnce = async (mail: OutgoingMail, fresh: boolean): Promise<Sent> => {
    const kept = fresh ? undefined : idle.pop()
    clearTimeout(kept?.idle)
    const line = kept ?? (await connect())
    if ('kind' in line) return { outcome: line, keep: false, stale: false }
    const sent = await send(line, mail)
    line.mails++
    if (!sent.keep) drop(line)
    else {
      if (sent.outcome.kind !== 'accepted') await reset(line)
      hold(line)
    }
    return sent
  }

  /** Whether one of the connections is free in time. */
  const getsPlace = (ms: number | undefined): Promise<boolean> =>
    new Promise((resolve) => {
      const end = (isFree: boolean): void => {
        clearTimeout(impatient)
        waiting.delete(take)
        resolve(isFree)
      }
      const take = () => end(true)
      const impatient = ms === undefined ? undefined : setTimeout(() => end(false), ms)
      waiting.add(take)
    })

  return {
    kind: 'relay',
    deliver: async (mail) => {
      underWay++
      if (places > 0) places--
      else if (!(await getsPlace(mail.placeMs))) {
        if (--underWay === 0) onEmpty?.()
        return noPlace
      }
      try {
        const { outcome, stale } = await tryOnce(mail, false)
        // The relay had closed a connection that was waiting; nothing of the message left.
        return stale ? (await tryOnce(mail, true)).outcome : outcome
      } finally {
        underWay--
        const [next] = waiting
        if (next) next()
        else places++
        if (underWay === 0) onEmpty?.()
      }
    },
    close: async () => {
      if (underWay > 0) {
        const { promise, resolve } = Promise.withResolvers<void>()
        onEmpty = resolve
        const timer = setTimeout(resolve, most.closeMs)
        await promise
        clearTimeout(timer)
      }
      for (const line of open) {
        clearTimeout(line.idle)
        if (idle.includes(line)) line.connection.quit()
        else line.connection.close()
      }
    },
  }
}

const broken: Outcome = { kind: 'relay-trouble', phase: 'session', answer: 'connection closed' }
const tooSlow = { kind: 'relay-trouble', phase: 'session', answer: 'no answer in time' } as const
const noPlace: Outcome = { kind: 'relay-trouble', phase: 'connect', answer: 'no connection was free' }

/** The relay's own number of the message is worth keeping, its jokes are not. */
const keptOk = (response: string): string =>
  response
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 120)

/** Where a relay is and how it is spoken to, from its address. */
export const optionsOf = (
  text: string,
  most: SmtpLimits,
  ca: string | undefined,
): { connection: SMTPConnection.Options; auth: SMTPConnection.AuthenticationType | undefined } => {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  const signsIn = url.username !== ''
  return {
    auth: signsIn
      ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
      : undefined,
    connection: {
      host,
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      // A password never crosses a network in the clear.
      requireTLS: !secure && signsIn && !/^(localhost|127\.|::1$)/.test(host),
      connectionTimeout: most.connectMs,
      greetingTimeout: most.greetingMs,
      socketTimeout: most.finalMs,
      socketCloseTimeout: 1_000,
      ...(ca !== undefined && { tls: { ca } }),
    },
  }
}
