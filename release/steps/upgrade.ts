import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../../server/platform/db/embedded/free-port.ts'
import { startEmbedded } from '../../server/platform/db/embedded/embedded.ts'
import { type Child, startChild } from '../../server/test/child.ts'
import { eventually } from '../../server/test/eventually.ts'
import type { KeptRelease } from '../../server/test/previous-release/writing-statements.ts'
import { startTimes } from '../../server/test/process.ts'
import { type Receiver, startReceiver } from '../../server/test/receiver.ts'
import { inFolder, ownSettings, root, run } from '../commands.ts'
import { type Finding, failed, notTried, trying } from '../findings.ts'

/*
 * A process of the last release and one of this commit beside each other on one database, as during a restart in turns:
 * requests, staff's moves, the feed and deliveries go on in both, and nothing of it is missing at the end. The last
 * release is in the history, not in the tree, so only a machine with both tries this; what a change must never do to its
 * statements is judged on each change (server/test/previous-release).
 */

const keptFile = join(root, 'server/test/previous-release/statements.json')

export const tryUpgrade = async (): Promise<readonly Finding[]> => {
  const { release } = JSON.parse(await readFile(keptFile, 'utf8')) as KeptRelease
  const what = `Processes of ${release.version} beside those of this commit`
  return [
    await inFolder(async (folder) => {
      const before = join(folder, 'before')
      const archive = join(folder, 'before.tar')
      const said = await run('git', ['archive', '--output', archive, release.commit]).catch((e: Error) => e)
      if (said instanceof Error) return notTried(what, 'this clone of the repository does not go back to it')
      await mkdir(before)
      await run('tar', ['-xf', archive, '-C', before])
      const words = ['ci', '--silent', '--omit=dev']
      const got = await run('npm', words, { cwd: before, env: ownSettings() }).catch((e: Error) => e)
      if (got instanceof Error) return notTried(what, 'the registry does not have what it needs')
      return await trying(what, `${release.version} at ${release.commit.slice(0, 8)}`, () =>
        besideEachOther(before, folder),
      )
    }).catch((error: Error) => failed(what, '', error.message)),
  ]
}

const besideEachOther = async (before: string, folder: string): Promise<void> => {
  const log = { info: () => undefined, warn: console.warn, error: console.error }
  const embedded = await startEmbedded({ dataDir: join(folder, 'data'), role: 'command', log })
  const receiver = await startReceiver()
  const settings = {
    ...ownSettings(),
    DATABASE_URL: embedded.url,
    SECRETS: `first:${randomBytes(32).toString('base64')}`,
    PRACTICE: 'on',
    RATE_LIMIT_PER_MINUTE: '100000',
    LOG_LEVEL: 'warn',
  }
  const old = await releaseIn(before, { ...settings, DATA_DIR: join(folder, 'old') })
  const now = await releaseIn(root, { ...settings, DATA_DIR: join(folder, 'now') })
  try {
    await upgrade(old, now, receiver)
  } finally {
    for (const stop of [old.stop, now.stop, receiver.stop, embedded.stop]) await stop()
  }
}

const upgrade = async (old: Release, now: Release, receiver: Receiver): Promise<void> => {
  const { keys } = await old.command('demo')
  await old.start()
  const call = callWith(keys.readWrite)
  await call(old, 'POST', '/webhooks', { url: receiver.url, events: ['reservation.created'] })
  const copy = new Map<number, Copied>()
  const follow = followWith(call, 'reservation', copy)
  await follow(old)
  const made = [await write(call, old), await write(call, old), await write(call, old)]

  // The first of the new ones migrates while the old one is at work.
  let isReady = false
  const started = now.start().finally(() => (isReady = true))
  while (!isReady) made.push(await write(call, old))
  await started

  for (let turn = 0; turn < 5; turn++)
    for (const one of [old, now]) {
      made.push(await write(call, one))
      // One cursor, wherever the balancer sends who reads on.
      await follow(one)
    }
  const [seated, cancelled, moved] = made
  await old.command('trigger', 'reservation.seated', '--venue', 'blue-door', '--id', String(seated))
  await now.command('trigger', 'reservation.cancelled', '--venue', 'blue-door', '--id', String(cancelled))
  await old.command('trigger', 'reservation.rescheduled', '--venue', 'blue-door', '--id', String(moved))
  await eventually(
    () => {
      const came = new Set(receiver.received.map(({ body }) => JSON.parse(String(body)).data.id))
      return made.every((id) => came.has(id))
    },
    // A venue's events go out at up to sixty a minute.
    { times: 3 * startTimes },
  )

  await old.stop()
  await now.command('feed', 'fill')
  await follow(now)
  const scopes = ['--scopes', 'reservations:read,visits:read']
  const { key } = await now.command('key', 'create', '--venue', 'blue-door', '--kind', 'api', ...scopes)
  const [bookings, visits] = [new Map<number, Copied>(), new Map<number, Copied>()]
  await followWith(callWith(key), 'reservation', bookings)(now)
  await followWith(callWith(key), 'visit', visits)(now)
  compare('the copy that followed both', copy, bookings, (one) => [one.revision, one.status, one.time])
  compare('the visits', visits, bookings, (one) => [one.status, one.date, one.time, one.partySize])
  if (visits.get(seated as number)?.tableIds?.length === 0)
    throw new Error('The party that the old process seated is at no table.')
}

type Copied = {
  readonly id: number
  readonly revision: number
  readonly status: string
  readonly date: string
  readonly time: string
  readonly partySize: number
  readonly tableIds?: readonly number[]
}

const compare = (
  what: string,
  found: ReadonlyMap<number, Copied>,
  true_: ReadonlyMap<number, Copied>,
  facts: (one: Copied) => readonly unknown[],
): void => {
  const missing = [...true_.keys()].filter((id) => !found.has(id))
  const wrong = [...found.values()].filter((one) => {
    const other = true_.get(one.id)
    return other === undefined || JSON.stringify(facts(one)) !== JSON.stringify(facts(other))
  })
  if (missing.length + wrong.length > 0)
    throw new Error(`${what}: ${missing.length} missing, ${wrong.length} wrong, of ${true_.size}.`)
}

/** What came as JSON. */
type Parsed = ReturnType<typeof JSON.parse>

type Release = {
  readonly url: string
  /** The operator's command of that release; what it prints. */
  readonly command: (...words: readonly string[]) => Promise<Parsed>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<unknown>
}

const releaseIn = async (folder: string, env: NodeJS.ProcessEnv): Promise<Release> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: Child | undefined
  return {
    url,
    command: async (...words) => {
      const said = await run(join(folder, 'bin/venue'), [...words, '--json'], { cwd: folder, env })
      return JSON.parse(said.trim().split('\n').at(-1) as string)
    },
    start: async () => {
      const words = [join(folder, 'server/main.ts')]
      child = startChild(process.execPath, words, { env: { ...env, PORT: String(port) }, cwd: folder })
      await child.until(async () => (await fetch(`${url}/readyz`)).status === 200, { times: startTimes })
    },
    stop: async () => child?.stop(),
  }
}

type Call = (one: Release, method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<Parsed>

/** A call that must succeed. */
const callWith =
  (key: string): Call =>
  async (one, method, path, body) => {
    const headers = { 'x-service-key': key, 'content-type': 'application/json', 'if-match': '*' }
    const answer = await fetch(`${one.url}/api/v1${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text.slice(0, 200)}`)
    return JSON.parse(text)
  }

let people = 0

/** A booking and all else that a key writes, each of a person of its own; the booking's id. */
const write = async (call: Call, one: Release): Promise<number> => {
  const who = `Person ${++people}`
  const email = `person-${people}@example.com`
  const from = Temporal.Now.plainDateISO().add({ days: 8 })
  const { days } = await call(one, 'GET', `/availability?date=${from.toString()}&days=14&partySize=2`)
  const open = days.flatMap(({ slots }: { slots: { date: string; time: string }[] }) => slots)
  const { date, time } = open[(people * 7) % open.length]
  const asked = { guestName: who, email, date, time, partySize: 2 }
  const { reservation } = await call(one, 'POST', '/reservations', asked)
  await call(one, 'PATCH', `/reservations/${reservation.id}`, { notes: `Of ${who}` })
  const { guest } = await call(one, 'POST', '/guests', { name: who, email })
  await call(one, 'PATCH', `/guests/${guest.id}`, { seatingPreference: 'Booth' })
  await call(one, 'POST', '/leads', { name: who, email })
  await call(one, 'POST', '/tasks', { title: `Call ${who}` })
  await call(one, 'POST', '/subscribers', { email, consent: { source: 'Form' } })
  await call(one, 'POST', '/waitlist', { guestName: who, email, partySize: 2, date })
  const page = await fetch(`${one.url}/v/blue-door/book`)
  if (!page.ok) throw new Error(`The booking page was answered ${page.status}.`)
  return reservation.id
}

/** Follows the feed of a kind from where it was, at any process. */
const followWith = (call: Call, kind: string, copy: Map<number, Copied>) => {
  let after = ''
  return async (one: Release): Promise<void> => {
    for (let more = true; more;) {
      const page = await call(one, 'GET', `/changes?kinds=${kind}&limit=1000${after && `&after=${after}`}`)
      for (const { id, data } of page.changes)
        if (data === null) copy.delete(id)
        else copy.set(id, data)
      ;({ next: after, more } = page)
    }
  }
}
