import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { reportsOfPostmark } from '../../marketing/bounces/postmark.ts'
import type { Report } from '../../marketing/bounces/report.ts'
import { isSignedBySendgrid, reportsOfSendgrid, sendgridHeaders } from '../../marketing/bounces/sendgrid.ts'
import {
  isAddressOfSns,
  isCertificateOfSns,
  isSignedBySns,
  reportsOfSes,
} from '../../marketing/bounces/ses.ts'
import { textAt } from '../../marketing/bounces/payload.ts'
import { takeReport } from '../../marketing/bounces/take-report.ts'
import type { Context } from '../../context.ts'
import type { Served } from '../../platform/http/server.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { keyedHash } from '../../platform/kernel/secrets.ts'

/*
 * Where mail services report what happened to mails. Each address exists only if its setting has the secret or key that
 * calls are checked with. A call that fails the check is 403 and changes nothing; a valid one is 200 once all of it is
 * processed, so that the service sends it again after a fault; repeated reports count once.
 */

export type CallbackParts = {
  readonly context: Pick<Context, 'db' | 'secrets' | 'clock' | 'config'>
  /** The text at an Amazon address; rejects if it cannot be fetched. */
  readonly fetchText: (address: string) => Promise<string>
}

export const serveCallbacks = (app: FastifyInstance, parts: CallbackParts): Served[] => {
  const { sesTopics, postmarkCallback, sendgridKey } = parts.context.config
  const served: Served[] = []
  void app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers()
    callbacks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyBytes },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    const take = (
      path: string,
      read: (request: FastifyRequest, body: Buffer) => Promise<readonly Report[]>,
    ) =>
      callbacks.post(path, { config: { answerWithinSeconds } }, async (request, reply) => {
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        for (const report of await read(request, body)) await takeReport(parts.context, report)
        return reply.send({ ok: true })
      })
    if (sesTopics.length > 0) {
      const certificates = new Map<string, string>()
      take(paths.ses, (_request, body) => readSns(parts, sesTopics, certificates, body))
    }
    if (postmarkCallback) {
      take(`${paths.postmark}/:secret`, async (request, body) => {
        const { secret } = request.params as { secret: string }
        const { authorization = '' } = request.headers
        const expected = `Basic ${Buffer.from(postmarkCallback.credentials).toString('base64')}`
        if (!isSame(parts, secret, postmarkCallback.path) || !isSame(parts, authorization, expected)) {
          throw notFromThem()
        }
        return reportsOfPostmark(jsonOf(body))
      })
    }
    if (sendgridKey !== undefined) {
      take(paths.sendgrid, async ({ headers }, body) => {
        const signature = String(headers[sendgridHeaders.signature] ?? '')
        const timestamp = String(headers[sendgridHeaders.timestamp] ?? '')
        if (!isSignedBySendgrid(sendgridKey, { signature, timestamp }, body)) throw notFromThem()
        return reportsOfSendgrid(jsonOf(body))
      })
    }
  })
  if (sesTopics.length > 0) served.push({ method: 'POST', path: paths.ses })
  if (postmarkCallback) served.push({ method: 'POST', path: `${paths.postmark}/{secret}` })
  if (sendgridKey !== undefined) served.push({ method: 'POST', path: paths.sendgrid })
  return served
}

const paths = { ses: '/mail/ses', postmark: '/mail/postmark', sendgrid: '/mail/sendgrid' } as const

/** SendGrid sends up to 768 KB at once, which are some thousand events. */
const bodyBytes = 1_048_576
const answerWithinSeconds = 60
const mostCertificates = 10

const notFromThem = (): Refusal =>
  new Refusal(403, 'This call is not signed as it must be, so nothing was done.')

/** Compared by hash, so that the time taken reveals nothing about the expected value. */
const isSame = ({ context }: CallbackParts, given: string, expected: string): boolean => {
  const hash = (text: string) => keyedHash(text, context.secrets[0].link)
  return timingSafeEqual(hash(given), hash(expected))
}

const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw badRequest('The body is not valid JSON.')
  }
}

/** Checks topic and signature; a new subscription of one of our topics is confirmed by fetching its address. */
const readSns = async (
  { fetchText }: CallbackParts,
  topics: readonly string[],
  certificates: Map<string, string>,
  body: Buffer,
): Promise<readonly Report[]> => {
  const envelope = jsonOf(body)
  const certificateAddress = textAt(envelope, 'SigningCertURL')
  const topic = textAt(envelope, 'TopicArn') ?? ''
  if (!topics.includes(topic) || !isCertificateOfSns(certificateAddress, topic)) throw notFromThem()
  let certificate = certificates.get(certificateAddress)
  if (certificate === undefined) {
    certificate = await fetchText(certificateAddress)
    if (certificates.size >= mostCertificates) certificates.clear()
    certificates.set(certificateAddress, certificate)
  }
  if (!isSignedBySns(envelope, certificate)) throw notFromThem()
  if (textAt(envelope, 'Type') === 'SubscriptionConfirmation') {
    const address = textAt(envelope, 'SubscribeURL')
    if (!isAddressOfSns(address, topic)) throw notFromThem()
    await fetchText(address)
    return []
  }
  const message = jsonOf(Buffer.from(textAt(envelope, 'Message') ?? ''))
  return reportsOfSes(message, textAt(envelope, 'MessageId') ?? '')
}
