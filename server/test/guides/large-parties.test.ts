import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { type Scene, startScene } from '../../integrations/webhooks/test/scene.ts'
import { type Child, startChild } from '../child.ts'
import { eventually } from '../eventually.ts'
import { setRules } from '../open-rules.ts'
import type { Receiver } from '../receiver.ts'
import type { TestVenue } from '../service.ts'

/* The program of examples/slack-notice, unchanged, between the service and a stand-in for Slack. */

const file = join(import.meta.dirname, '../../../examples/slack-notice/slack-notice.ts')

describe('the program that posts large parties to Slack', () => {
  let scene: Scene
  let venue: TestVenue
  let slack: Receiver
  let folder: string
  let port: number
  let program: Child

  const begin = async (): Promise<void> => {
    program = startChild(process.execPath, [file], {
      env: {
        API: `${scene.service.url}/api/v1`,
        KEY: venue.key,
        SLACK_URL: `${slack.url}/services/T0/B0/secret`,
        PUBLIC_URL: `http://127.0.0.1:${port}/`,
        PORT: String(port),
        STORE: join(folder, 'notice.db'),
      },
    })
    await program.until(() => program.said() !== '')
  }
  const end = async (): Promise<void> => {
    program.signal('SIGKILL')
    await program.ended
  }
  before(async () => {
    scene = await startScene()
    // The program compares a delivery's time with that of the machine.
    scene.service.setClock(toMoment(Temporal.Now.instant()))
    scene.worker()
    venue = await scene.service.venue()
    await setRules(scene.service, venue)
    slack = await scene.receiver(200)
    folder = await mkdtemp(join(tmpdir(), 'venue-data-slack-'))
    port = await freePort()
    await begin()
  })
  after(async () => {
    await end()
    await scene.stop()
    await rm(folder, { recursive: true })
  })

  const call = async (method: string, path: string, body: object): Promise<{ id: number }> => {
    const headers = { 'if-match': '*' }
    const answer = await scene.service.call(method, `/api/v1/reservations${path}`, {
      key: venue.key,
      headers,
      body,
    })
    assert.ok(answer.status < 300, answer.text)
    return answer.body.reservation
  }
  const date = Temporal.Now.plainDateISO().add({ days: 3 }).toString()
  const party = (guestName: string, partySize: number) =>
    call('POST', '', { guestName, partySize, date, time: '19:00' })
  const told = (): string[] => slack.received.map(({ body }) => JSON.parse(String(body)).text)

  it('is short enough to read', async () => {
    assert.ok((await readFile(file, 'utf8')).split('\n').length <= 150)
  })

  it('posts new, resized and cancelled large parties, and no others', async () => {
    await party('Ada Marsh', 2)
    const { id } = await party('Ben <Iyer>', 9)
    await scene.quiet()
    await call('PATCH', `/${id}`, { partySize: 4 })
    await scene.quiet()
    const other = await party('Otto Lang', 12)
    // Deliveries of one record are sent side by side: the second only once the first has come.
    await scene.quiet()
    await call('POST', `/${other.id}/cancel`, {})
    await scene.quiet()
    await eventually(() => told().length === 4)
    assert.deepEqual(told(), [
      `Party of 9 requested: Ben &lt;Iyer&gt;, ${date} at 19:00`,
      `Party of 9, now 4: Ben &lt;Iyer&gt;, ${date} at 19:00`,
      `Party of 12 requested: Otto Lang, ${date} at 19:00`,
      `Cancelled: party of 12, Otto Lang, ${date} at 19:00`,
    ])
  })

  it('loses nothing when Slack does not answer and the program ends', async () => {
    slack.received.length = 0
    slack.answer(500)
    await party('Ines Duarte', 20)
    await scene.quiet()
    await eventually(() => slack.received.length > 0)
    await end()
    slack.received.length = 0
    slack.answer(200)
    await begin()
    await eventually(() => slack.received.length > 0)
    assert.deepEqual(told(), [`Party of 20 requested: Ines Duarte, ${date} at 19:00`])
  })

  it('believes nobody but the service', async () => {
    const body = JSON.stringify({ id: 'x', event: 'reservation.created', data: { partySize: 50 } })
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    assert.equal(answer.status, 400)
  })
})
