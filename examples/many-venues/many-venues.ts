/*
 * An app for many venues: an owner connects theirs on a page, and from then on the app keeps a copy of its guests and
 * bookings. It learns by a 401 that a venue removed it, reads why in the list of its installs, and drops the copy.
 *   BASE_URL=http://127.0.0.1:8080 CLIENT_ID=app_… CLIENT_SECRET=service_cs_… PORT=4000 node many-venues.ts
 * The operator registers it once: app create --name "Many venues" --redirect http://127.0.0.1:4000/callback
 * --needs guests:read,reservations:read … (a practice instance takes such an address). STORE names an SQLite file.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { AuthenticationError, VenueData } from '@venue-data/sdk'
import { sync } from '@venue-data/sdk/sync'

const { BASE_URL, CLIENT_ID, CLIENT_SECRET, PORT = '4000', STORE = 'many-venues.db' } = process.env
if (!BASE_URL || !CLIENT_ID || !CLIENT_SECRET) throw new Error('Set BASE_URL, CLIENT_ID and CLIENT_SECRET.')
const redirect = `http://127.0.0.1:${PORT}/callback`

type Kept = { kind: 'guest' | 'reservation'; id: number }
type Install = { slug: string; name: string; key: string; cursor: string | null; ended: string | null }
type Answer = { access_token: string; install_id: number; venue: { slug: string; name: string } }

const db = new DatabaseSync(STORE)
db.exec(`
  create table if not exists asked (state text primary key, verifier text not null);
  create table if not exists install (
    install integer primary key, slug text not null, name text not null, key text not null, cursor text, ended text);
  create table if not exists record (
    install integer not null, kind text not null, id integer not null, data text not null,
    primary key (install, kind, id)) without rowid;
`)
const keep = 'insert or replace into record values (?, ?, ?, ?)'
const drop = 'delete from record where install = ? and kind = ? and id = ?'
const connected = `insert into install values (?, ?, ?, ?, null, null)
  on conflict (install) do update set key = excluded.key, ended = null`
const goOn = 'update install set cursor = ? where install = ?'
const run = (sql: string, ...values: (string | number | null)[]) => db.prepare(sql).run(...values)
const all = <Row>(sql: string, ...values: number[]) => db.prepare(sql).all(...values) as Row[]
const installOf = (id: number) => all<Install>('select * from install where install = ?', id)[0]

/** Calls the service as the app itself. */
const asApp = (path: string, form?: Record<string, string>): Promise<Response> =>
  fetch(BASE_URL + path, {
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}` },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })

/** Sends an owner to the service. The cookie ties what comes back to this browser, the verifier to this app. */
const connect = (response: ServerResponse): void => {
  const [state, verifier] = [randomBytes(24).toString('base64url'), randomBytes(32).toString('base64url')]
  run('insert into asked values (?, ?)', state, verifier)
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: redirect,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${BASE_URL}/api/v1`,
  })
  response
    .writeHead(303, {
      location: `${BASE_URL}/oauth/authorize?${query.toString()}`,
      'set-cookie': `asked=${state}; HttpOnly; SameSite=Lax; Path=/callback; Max-Age=600`,
    })
    .end()
}

/** The owner is back: exchanges the code, once, and stores the key before anything else. */
const comeBack = async (query: URLSearchParams, cookie: string): Promise<string> => {
  const state = query.get('state') ?? ''
  const asked = db.prepare('delete from asked where state = ? returning verifier').get(state)
  if (!asked || !cookie.split('; ').includes(`asked=${state}`)) return 'Start again from this page.'
  if (query.get('iss') !== BASE_URL) return 'This answer is from another service.'
  const code = query.get('code')
  if (code === null) return `Not connected: ${query.get('error')}.`
  const answer = await asApp('/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    code_verifier: String(asked['verifier']),
  })
  if (!answer.ok) return 'Not connected: connect again.'
  const { access_token: key, install_id: install, venue } = (await answer.json()) as Answer
  const isFollowed = installOf(install)?.ended === null
  run(connected, install, venue.slug, venue.name, key)
  if (!isFollowed) void follow(install)
  return `${venue.name} is connected.`
}

/** Keeps the copy of one venue true until the venue removes the app. */
const follow = async (install: number): Promise<void> => {
  for (;;) {
    const { key = '' } = installOf(install) ?? {}
    try {
      await sync(new VenueData({ key, baseUrl: BASE_URL }), {
        kinds: ['guest', 'reservation'],
        store: {
          load: async () => installOf(install)?.cursor ?? undefined,
          save: async (at) => void run(goOn, at ?? null, install),
        },
        into: {
          upsert: ({ kind, id, data }) => void run(keep, install, kind, id, JSON.stringify(data)),
          delete: ({ kind, id }) => void run(drop, install, kind, id),
          records: () => all<Kept>('select kind, id from record where install = ?', install),
        },
      })
    } catch (error) {
      const why = error instanceof AuthenticationError && (await whyEnded(install).catch(() => false))
      if (installOf(install)?.key !== key) continue // Connected again in the meantime.
      if (typeof why === 'string') {
        run('update install set ended = ?, cursor = null where install = ?', why, install)
        run('delete from record where install = ?', install)
        return
      }
      // The pause of one venue, say, or of the service, must not stop the others.
      console.error(`install ${install}:`, error)
      await sleep(10_000)
    }
  }
}

const whyEnded = async (install: number): Promise<string> => {
  const answer = await asApp(`/oauth/installs?after=${install - 1}`)
  if (!answer.ok) throw new Error(`The list of installs: ${answer.status}.`)
  const list = (await answer.json()) as { installId: number; why: string | null }[]
  return list.find(({ installId }) => installId === install)?.why ?? 'unknown'
}

const page = (): string =>
  [
    ...all<Install>('select * from install').map(({ name, ended }) => `${name}: ${ended ?? 'connected'}`),
    'Connect a venue at /connect',
  ].join('\n')

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(`http://127.0.0.1${request.url}`)
  if (pathname === '/connect') return connect(response)
  const said = pathname === '/callback' ? await comeBack(searchParams, request.headers.cookie ?? '') : page()
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(said)
}

for (const { install } of all<{ install: number }>('select install from install where ended is null'))
  void follow(install)
createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error)
    response.writeHead(500).end('Something failed: go back to /connect.')
  })
}).listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/connect`))
