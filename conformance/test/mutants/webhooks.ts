import type { Answer, Broken } from '../broken-proxy.ts'
import { signed } from '../../src/receiver.ts'
import {
  answering,
  asking,
  bodyOf,
  delivering,
  instead,
  isAt,
  json,
  momentOf,
  mutant,
  rewritten,
  sending,
  signatureOf,
  withSignature,
} from './mutant.ts'

const withHeaders = (change: (headers: Record<string, string>) => void) =>
  delivering((sent) => {
    const headers = { ...sent.headers }
    change(headers)
    return { ...sent, headers }
  })

/** What the service hears of an answer of the receiver. */
const hearing = (heard: (status: number) => number) => (): Broken => ({
  delivery: async (sent, post) => heard(await post(sent)),
})

const endpointMutants = [
  mutant('shows secrets in the list', ['Webhook endpoints 1.2'], () => {
    const secrets = new Map<string, string>()
    return {
      request: async (asked, next) => {
        const answer = await next(asked)
        if (answer.body?.secret) secrets.set(answer.body.id, answer.body.secret)
        if (asked.path === '/webhooks' && Array.isArray(answer.body)) {
          for (const one of answer.body) one.secret = secrets.get(one.id) ?? ''
        }
        return answer
      },
    }
  }),
  mutant(
    'has secrets of another form',
    ['Webhook endpoints 1.1'],
    answering('POST /webhooks', ({ body }) => {
      if (body.secret) body.secret = body.secret.replace('whsec_', '')
    }),
  ),
  mutant(
    'has numbers as ids of endpoints',
    ['Webhook endpoints 1.1'],
    answering('POST /webhooks', ({ body }) => {
      if (body.id) body.id = '17'
    }),
  ),
  mutant(
    'takes plain http',
    ['Webhook endpoints 2.1'],
    instead('POST /webhooks', async (asked, next) => {
      const url = String(bodyOf(asked)?.url)
      if (!url.startsWith('http://') || url.includes('127.0.0.1')) return undefined
      return next({
        ...asked,
        text: JSON.stringify({ ...bodyOf(asked), url: url.replace('http:', 'https:') }),
      })
    }),
  ),
  mutant(
    'takes a user and a password in an address',
    ['Webhook endpoints 2.1'],
    instead('POST /webhooks', async (asked, next) => {
      const url = String(bodyOf(asked)?.url).replace('user:secret@', '')
      return next({ ...asked, text: JSON.stringify({ ...bodyOf(asked), url }) })
    }),
  ),
  mutant(
    'takes events that there are not',
    ['Webhook endpoints 2.2'],
    instead('POST /webhooks', async (asked, next) => {
      const body = bodyOf(asked)
      const events = body?.events?.[0] === 'reservation.eaten' ? ['reservation.created'] : body?.events
      return next({ ...asked, text: JSON.stringify({ ...body, events }) })
    }),
  ),
  mutant(
    'makes a second endpoint of one address',
    ['Webhook endpoints 3.1'],
    answering('POST /webhooks', (answer) => {
      if (answer.status === 409) Object.assign(answer, { status: 200, body: { id: 'the other' } })
    }),
  ),
  mutant(
    'deletes with 204',
    ['Webhook endpoints 4'],
    answering('DELETE /webhooks/*', (answer) => {
      if (answer.status === 200) Object.assign(answer, { status: 204, body: undefined })
    }),
  ),
  mutant(
    'deletes what is gone already',
    ['Webhook endpoints 4', 'Webhook endpoints 6'],
    answering('DELETE /webhooks/*', (answer) => {
      if (answer.status === 404) Object.assign(answer, json(200, { id: 'gone', deleted: true }))
    }),
  ),
  mutant(
    'fails when the endpoint does',
    ['Webhook endpoints 5.2'],
    answering('POST /webhooks/*/test', (answer) => {
      if (answer.body?.ok === false) Object.assign(answer, json(502, { error: 'The endpoint failed.' }))
    }),
  ),
  mutant('counts a failed ping', ['Webhook endpoints 5.2'], () => {
    let failed = 0
    return {
      request: async (asked, next) => {
        const answer = await next(asked)
        if (asked.path.endsWith('/test') && answer.body?.ok === false) failed++
        if (asked.method === 'GET' && 'failureCount' in (answer.body ?? {}))
          answer.body.failureCount += failed
        return answer
      },
    }
  }),
  mutant(
    'has another text for a failed ping',
    ['Webhook endpoints 5.2'],
    answering('POST /webhooks/*/test', ({ body }) => {
      if (body?.error) body.error = 'Internal Server Error'
    }),
  ),
  mutant(
    'has another id in the ping than in its reply',
    ['Webhook endpoints 5.1'],
    answering('POST /webhooks/*/test', ({ body }) => {
      if (body?.id) body.id = crypto.randomUUID()
    }),
  ),
  mutant(
    'takes a body that is too large for 400',
    ['Limits 2.2'],
    answering('POST /webhooks', (answer) => {
      if (answer.status === 413) answer.status = 400
    }),
  ),
  mutant(
    'takes hooks of any host',
    ['Hooks 1'],
    instead('POST /hooks', (asked) => {
      const { event, targetUrl } = bodyOf(asked)
      return targetUrl?.includes('example.com') ? json(201, { id: '1', event, targetUrl }) : undefined
    }),
  ),
  mutant(
    'wraps a new hook',
    ['Hooks 2'],
    answering('POST /hooks', (answer) => {
      if (answer.status === 201) answer.body = { hook: answer.body }
    }),
  ),
  mutant(
    'takes one endpoint too many for forbidden',
    ['Webhook endpoints 3.2'],
    answering('POST /webhooks', (answer) => {
      if (answer.status === 409) answer.status = 403
    }),
  ),
]

const deliveryMutants = [
  mutant(
    'signs with another secret',
    ['Signature 1'],
    delivering((sent) =>
      withSignature(sent, signatureOf({ ...sent, secret: `${sent.secret}x` }, sent.bytes)),
    ),
  ),
  mutant(
    'signs with the secret without its prefix',
    ['Signature 1'],
    delivering((sent) =>
      withSignature(sent, signatureOf({ ...sent, secret: sent.secret.replace('whsec_', '') }, sent.bytes)),
    ),
  ),
  mutant(
    'signs the moment without the body',
    ['Signature 1'],
    delivering((sent) => withSignature(sent, signatureOf(sent, Buffer.from('')))),
  ),
  mutant(
    'signs characters, not bytes',
    ['Signature 1'],
    delivering((sent) =>
      withSignature(sent, signatureOf(sent, Buffer.from(sent.bytes.toString(), 'latin1'))),
    ),
  ),
  mutant(
    'signs in upper case',
    ['Delivery 2', 'Signature 1'],
    delivering((sent) =>
      withSignature(
        sent,
        signatureOf(sent, sent.bytes).replace(/v1=.*/, (v1) => v1.toUpperCase().replace('V1', 'v1')),
      ),
    ),
  ),
  mutant(
    'signs at a moment in milliseconds',
    ['Delivery 2', 'Signature 2'],
    delivering((sent) => {
      const t = momentOf(sent) * 1000
      return withSignature(sent, `t=${t},v1=${signed(sent.secret, t, sent.bytes)}`)
    }),
  ),
  mutant(
    'signs at a moment an hour ago',
    ['Signature 2'],
    delivering((sent) => {
      const t = momentOf(sent) - 3600
      return withSignature(sent, `t=${t},v1=${signed(sent.secret, t, sent.bytes)}`)
    }),
  ),
  mutant(
    'does not sign the ping',
    ['Signature 3'],
    delivering((sent) => (sent.headers['x-service-event'] === 'ping' ? withSignature(sent, '') : sent)),
  ),
  mutant(
    'has one secret for all endpoints',
    ['Signature 4'],
    answering('POST /webhooks', ({ body }) => {
      if (body.secret) body.secret = 'whsec_0123456789012345678901234567890123456789'
    }),
  ),
  mutant(
    'does not name the event in a header',
    ['Delivery 2'],
    withHeaders((headers) => {
      delete headers['x-service-event']
    }),
  ),
  mutant(
    'has another User-Agent',
    ['Delivery 2'],
    withHeaders((headers) => {
      headers['user-agent'] = 'node'
    }),
  ),
  mutant(
    'sends a form',
    ['Delivery 2'],
    withHeaders((headers) => {
      headers['content-type'] = 'application/x-www-form-urlencoded'
    }),
  ),
  mutant(
    'leaves out the venue of a delivery',
    ['Delivery 1'],
    delivering((sent) => rewritten(sent, ({ venue: _venue, ...body }) => body)),
  ),
  mutant(
    'sends the record alone',
    ['Delivery 1'],
    delivering((sent) => rewritten(sent, ({ data }) => data)),
  ),
  mutant(
    'has the moment of a delivery in seconds',
    ['Delivery 1'],
    delivering((sent) =>
      rewritten(sent, (body) => ({ ...body, occurredAt: String(Date.parse(body.occurredAt) / 1000) })),
    ),
  ),
  mutant(
    'has one id for all endpoints',
    ['Delivery 3'],
    delivering((sent) =>
      rewritten(sent, (body) => ({ ...body, id: '00000000-0000-4000-8000-000000000000' })),
    ),
  ),
  mutant(
    'drops a field of a delivered guest',
    ['Events 4'],
    delivering((sent) =>
      rewritten(sent, ({ data: { noShowCount: _count, ...data }, ...body }) => ({ ...body, data })),
    ),
  ),
  mutant(
    'calls a new guest by another event',
    ['Events 4'],
    delivering((sent) => ({
      ...rewritten(sent, (body) => ({ ...body, event: 'guest.added' })),
    })),
  ),
  mutant(
    'reports another reservation',
    ['Events 1'],
    delivering((sent) =>
      rewritten(sent, (body) => ({ ...body, data: { ...body.data, id: body.data.id + 1 } })),
    ),
  ),
  mutant(
    'reports a reservation as it was requested',
    ['Events 3'],
    delivering((sent) =>
      rewritten(sent, (body) => ({
        ...body,
        data: { ...body.data, status: 'Requested', cancelledAt: null },
      })),
    ),
  ),
  mutant(
    'sends endpoints everything',
    ['Events 12'],
    asking('POST /webhooks', (asked) => {
      asked.text = JSON.stringify({ ...bodyOf(asked), events: ['*'] })
    }),
  ),
  mutant('follows redirects', ['Receiver rules 1.2'], () => ({
    delivery: async (sent, post) => {
      const status = await post(sent)
      if (status !== 307) return status
      const answer = await fetch(sent.url, { method: 'POST', body: '', redirect: 'manual' })
      return post({ ...sent, url: answer.headers.get('location') ?? sent.url })
    },
  })),
  mutant(
    'takes a redirect for a success',
    ['Receiver rules 1.2'],
    hearing((status) => (status === 307 ? 200 : status)),
  ),
  mutant(
    'takes 202 for a failure',
    ['Receiver rules 1.1'],
    hearing((status) => (status === 202 ? 500 : status)),
  ),
  mutant(
    'has a new id for a retry',
    ['Receiver rules 2.1'],
    delivering((sent) => rewritten(sent, (body) => ({ ...body, id: crypto.randomUUID() }))),
  ),
  mutant('sends another body with a retry', ['Receiver rules 2.1'], () => {
    let tries = 0
    return { delivery: (sent, post) => post(rewritten(sent, (body) => ({ ...body, attempt: ++tries }))) }
  }),
  mutant('sends the signature of the first try again', ['Receiver rules 2.1'], () => {
    let first: string | undefined
    return {
      delivery: (sent, post) =>
        post(withSignature(sent, (first ??= sent.headers['x-service-signature'] ?? ''))),
    }
  }),
  mutant(
    'retries what was received',
    ['Receiver rules 2.3'],
    hearing((status) => (status < 300 ? 500 : status)),
  ),
  mutant('sends everything twice', ['Receiver rules 2.3', 'Receiver rules 3'], () => ({
    delivery: async (sent, post) => {
      await post(sent)
      return post(rewritten(sent, (body) => ({ ...body, id: crypto.randomUUID() })))
    },
  })),
  mutant(
    'takes 410 for a mere failure',
    ['Receiver rules 5.1'],
    hearing((status) => (status === 410 ? 500 : status)),
  ),
  mutant(
    'gives another reason for switching off',
    ['Receiver rules 5.1'],
    answering('GET /webhooks/*', ({ body }) => {
      if (body?.disabledReason === 'gone')
        Object.assign(body, { status: 'disabled', disabledReason: 'failing' })
    }),
  ),
  mutant(
    'switches off at the first failure',
    ['Receiver rules 5.3'],
    hearing((status) => (status === 500 ? 410 : status)),
  ),
  mutant(
    'skips a retry',
    ['Receiver rules 2.2'],
    answering('GET /webhooks/*/deliveries/*', ({ body }) => {
      body.attempts?.splice(1, 1)
    }),
  ),
  mutant('delivers to endpoints that were deleted', ['Receiver rules 7'], () => {
    const urls = new Set<string>()
    return {
      request: async (asked, next): Promise<Answer> => {
        const url = bodyOf(asked)?.url
        if (url) urls.add(url)
        return next(asked)
      },
      delivery: async (sent, post) => {
        for (const url of urls) if (url !== sent.url) await post({ ...sent, url })
        return post(sent)
      },
    }
  }),
  ...Object.entries({
    'reservation.updated': 'Events 2',
    'subscriber.added': 'Events 5',
    'subscriber.unsubscribed': 'Events 6',
    'ticket_order.paid': 'Events 7',
    'ticket_order.refunded': 'Events 8',
    'waitlist.added': 'Events 9',
    'waitlist.seated': 'Events 10',
    'lead.created': 'Events 11',
  }).map(([name, id]) =>
    mutant(
      `has another revision in ${name}`,
      [id],
      delivering((sent) =>
        rewritten(sent, (body) =>
          body.event === name ? { ...body, data: { ...body.data, revision: 999 } } : body,
        ),
      ),
    ),
  ),
  mutant('reports what was refused', ['Events 13'], () => {
    let isRefused = false
    return {
      request: async (asked, next): Promise<Answer> => {
        const answer = await next(asked)
        isRefused ||= isAt(asked, 'POST /reservations') && answer.status === 409
        return answer
      },
      delivery: async (sent, post) => {
        const event = 'reservation.created'
        if (isRefused) await post(rewritten(sent, (body) => ({ ...body, event, data: { id: 1 } })))
        return post(sent)
      },
    }
  }),
  mutant('gives up after the second retry', ['Receiver rules 2.4'], () => {
    let tries = 0
    return {
      delivery: async (sent, post) => {
        const status = await post(sent)
        return ++tries < 3 ? status : 200
      },
    }
  }),
  mutant(
    'goes on with an endpoint that always fails',
    ['Receiver rules 5.2'],
    answering('GET /webhooks/*', ({ body }) => {
      if (body?.status === 'disabled') Object.assign(body, { status: 'active', disabledReason: null })
    }),
  ),
]

const settingMutants = [
  mutant(
    'sends the whole record where payload is thin',
    ['Endpoint settings 1.1'],
    delivering((sent) =>
      rewritten(sent, (body) => ({ ...body, data: { ...body.data, email: 'ada@example.com' } })),
    ),
  ),
  mutant(
    'sends what was before unasked',
    ['Endpoint settings 1.2'],
    delivering((sent) => rewritten(sent, (body) => ({ previous: {}, ...body }))),
  ),
  mutant(
    'reports a change under a general name',
    ['Endpoint settings 1.3'],
    delivering((sent) => {
      const told = rewritten(sent, (body) => ({ ...body, event: 'lead.updated' }))
      return { ...told, headers: { ...told.headers, 'x-service-event': 'lead.updated' } }
    }),
  ),
  mutant(
    'understands no patterns',
    ['Endpoint settings 1.4'],
    instead('POST /webhooks', (asked) =>
      bodyOf(asked)?.events?.[0] === 'lead.*' ? json(400, { error: 'events must be known.' }) : undefined,
    ),
  ),
  mutant(
    'sends to an endpoint that is paused',
    ['Endpoint settings 2.1'],
    instead('PATCH /webhooks/*', async (asked, next) => {
      const answer = await next({ ...asked, text: JSON.stringify({ description: 'paused' }) })
      return { ...answer, body: { ...answer.body, status: bodyOf(asked).status } }
    }),
  ),
  mutant(
    'signs with the new secret alone',
    ['Endpoint settings 3.1'],
    delivering((sent) =>
      withSignature(sent, (sent.headers['x-service-signature'] ?? '').split(',').slice(0, 2).join(',')),
    ),
  ),
  mutant(
    'signs with the old secret first',
    ['Endpoint settings 3.1'],
    delivering((sent) => {
      const [t, newer, older] = (sent.headers['x-service-signature'] ?? '').split(',')
      return older === undefined ? sent : withSignature(sent, [t, older, newer].join(','))
    }),
  ),
  mutant(
    'does not mark samples',
    ['Endpoint settings 4.1'],
    withHeaders((headers) => {
      delete headers['x-service-sample']
    }),
  ),
  mutant(
    'has real ids in samples',
    ['Endpoint settings 4.1'],
    delivering((sent) => rewritten(sent, (body) => ({ ...body, data: { ...body.data, id: 7 } }))),
  ),
  mutant(
    'words the outcome of a try in its own way',
    ['Endpoint settings 5.1'],
    answering('GET /webhooks/*/deliveries/*', ({ body }) => {
      for (const attempt of body.attempts ?? []) attempt.result = 'No Content'
    }),
  ),
  mutant(
    'counts a delivery too many',
    ['Endpoint settings 5.2'],
    answering('POST /webhooks/*/replay', ({ body }) => {
      if ('count' in body) body.count += 1
    }),
  ),
  mutant(
    'takes a setting that it does not know',
    ['Endpoint settings 2.2'],
    sending('PATCH /webhooks/*', (body) => (body.payload === 'thick' ? { ...body, payload: 'thin' } : body)),
  ),
  mutant(
    'signs with the secret that was replaced',
    ['Endpoint settings 3.2'],
    // The proxy knows the one that the endpoint was made with.
    delivering((sent) => withSignature(sent, signatureOf(sent, sent.bytes))),
  ),
]

export const webhookMutants = [...endpointMutants, ...deliveryMutants, ...settingMutants]
