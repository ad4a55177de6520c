/*
 * Announces large parties in a Slack channel: a webhook receiver that stores each delivery, answers, and then works.
 *
 *   API=http://127.0.0.1:8080/api/v1 KEY=service_sk_… SLACK_URL=https://hooks.slack.com/services/… \
 *     PUBLIC_URL=https://notice.example.com/ node slack-notice.ts
 *
 * PUBLIC_URL is where the service reaches this program, which listens on PORT (default 3000). A party of GUESTS
 * (default 8) or more is large. STORE names an SQLite file (default slack-notice.db).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

type Reservation = { id: number; guestName: string | null; partySize: number; date: string; time: string }
type Delivery = { id: string; event: string; data: Reservation; previous?: { partySize?: number } | null }

const { API, KEY, SLACK_URL, PUBLIC_URL } = process.env
const { PORT = '3000', GUESTS = '8', STORE = 'slack-notice.db' } = process.env
if (!API || !KEY || !SLACK_URL || !PUBLIC_URL) throw new Error('Set API, KEY, SLACK_URL and PUBLIC_URL.')

const large = Number(GUESTS)
const events = ['reservation.created', 'reservation.resized', 'reservation.cancelled']

const db = new DatabaseSync(STORE, { timeout: 10_000 })
db.exec(`
  create table if not exists endpoint (url text primary key, secret text not null);
  create table if not exists delivery (
    id text primary key, body text not null, posted integer not null default false,
    came text not null default current_timestamp
  );
`)
const secretOf = db.prepare('select secret from endpoint where url = ?')
const keepSecret = db.prepare('insert into endpoint values (?, ?)')
/** One that came before is already stored, and nothing happens. */
const store = db.prepare('insert into delivery (id, body) values (?, ?) on conflict do nothing')
const oldest = db.prepare('select id, body from delivery where not posted order by came, rowid limit 1')
const posted = db.prepare('update delivery set posted = true where id = ?')
/** A delivery may come again for two days; after three days its id is no longer needed. */
const forget = db.prepare(`delete from delivery where posted and came < datetime('now', '-3 days')`)

const ask = async <T>(path: string, body?: object): Promise<T> => {
  const answer = await fetch(`${API}${path}`, {
    headers: { 'X-Service-Key': KEY, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

/**
 * The secret of the endpoint at PUBLIC_URL, which is created on the first run. If its secret was lost, it gets a new
 * one.
 */
const endpointSecret = async (): Promise<string> => {
  const known = secretOf.get(PUBLIC_URL)?.['secret'] as string | undefined
  if (known) return known
  const there = await ask<{ id: string; url: string }[]>('/webhooks?limit=100')
  const old = there.find(({ url }) => url === PUBLIC_URL)
  const { secret } = await (old
    ? ask<{ secret: string }>(`/webhooks/${old.id}/rotate-secret`, { overlapHours: 0 })
    : ask<{ secret: string }>('/webhooks', { url: PUBLIC_URL, events, include: ['previous'] }))
  keepSecret.run(PUBLIC_URL, secret)
  return secret
}

const isSigned = (secret: string, header: string, body: Buffer): boolean => {
  const parts = header.split(',').map((part) => part.trim().split('='))
  const t = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(t) || Math.abs(Date.now() / 1000 - Number(t)) > 300) return false
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/** The raw bytes, which the signature covers. */
const rawBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** The message for the channel; undefined: none. */
const notice = ({ event, data, previous }: Delivery): string | undefined => {
  const { partySize, date, time } = data
  const before = previous?.partySize ?? 0
  if (partySize < large && before < large) return undefined
  // Guests' text must be plain text to Slack.
  const name = (data.guestName ?? 'A guest')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  const party = `${name}, ${date} at ${time}`
  if (event === 'reservation.cancelled') return `Cancelled: party of ${partySize}, ${party}`
  if (event === 'reservation.resized') return `Party of ${before}, now ${partySize}: ${party}`
  return `Party of ${partySize} requested: ${party}`
}

/** Whether Slack accepted it; otherwise how many seconds to wait. */
const post = async (text: string): Promise<true | number> => {
  const body = JSON.stringify({ text })
  const answer = await fetch(SLACK_URL, { method: 'POST', body }).catch(() => undefined)
  return answer?.ok ? true : Number(answer?.headers.get('retry-after') ?? 0)
}

/** Posts the stored messages, oldest first, until Slack has them all. */
const tell = async (): Promise<void> => {
  let pause = 1
  for (let next = oldest.get(); next; next = oldest.get()) {
    const text = notice(JSON.parse(String(next['body'])) as Delivery)
    const taken = text === undefined || (await post(text))
    if (taken === true) {
      posted.run(String(next['id']))
      pause = 1
    } else {
      await sleep((taken || pause) * 1000)
      pause = Math.min(2 * pause, 60)
    }
  }
  forget.run()
}

let telling: Promise<void> | undefined
const work = (): void => {
  telling ??= tell().finally(() => {
    telling = undefined
  })
}

const secret = await endpointSecret()
const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await rawBody(request)
  const header = String(request.headers['x-service-signature'] ?? '')
  if (!isSigned(secret, header, body)) return void response.writeHead(400).end()
  const { id, event } = JSON.parse(String(body)) as Delivery
  if (events.includes(event)) store.run(id, String(body))
  response.writeHead(204).end()
  return work()
}
createServer((request, response) => {
  receive(request, response).catch(() => response.destroy())
}).listen(Number(PORT), () => {
  console.log(`Parties of ${large} and more are posted to Slack.`)
  work()
})
