import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Registry } from 'prom-client'
import { buildApp } from '../../app.ts'
import { serveMetrics, showConnections, showHold } from '../../platform/http/metrics.ts'
import { startWorker } from '../../worker/worker.ts'
import { eventually } from '../eventually.ts'
import { freePort } from '../../platform/db/embedded/free-port.ts'
import { becomeCopy } from '../processes/restored-copy.ts'
import { type TestService, callService, startService } from '../service.ts'

/** What PromQL brings along; every other word of an expression is a number, or is in braces or after `by`. */
const ownWords = new Set(
  'sum rate max count increase absent time avg_over_time histogram_quantile by unless'.split(' '),
)

const figuresIn = (expression: string): string[] =>
  [...expression.replaceAll(/\{[^}]*\}|\bby \([^)]*\)|\[\w+\]/g, '').matchAll(/[a-z_]\w*/gi)]
    .map(([word]) => word)
    .filter((word) => !ownWords.has(word))

describe('the figures for Prometheus', () => {
  let service: TestService
  let registry: Registry
  let text: () => Promise<string>
  let url: string
  const endings: (() => Promise<unknown>)[] = []
  before(async () => {
    service = await startService()
    endings.push(() => service.stop())
    const app = buildApp(service.context)
    const port = await freePort()
    const metrics = await serveMetrics(app, '127.0.0.1', port)
    registry = metrics.registry
    showConnections(registry, service.context)
    showHold(registry, service.context)
    url = await app.listen({ host: '127.0.0.1', port: 0 })
    endings.push(() => app.close(), metrics.stop)
    const worker = startWorker(service.context, registry)
    endings.push(worker.stop)
    text = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  })
  after(async () => {
    for (const end of endings.toReversed()) await end()
  })
  const has = (name: string): boolean =>
    registry.getSingleMetric(name) !== undefined ||
    registry.getSingleMetric(name.replace(/_(?:bucket|count|sum)$/, '')) !== undefined

  it('have every figure that the sample of alert rules asks for, and every one that the page explains', async () => {
    const rules = await readFile(new URL('../../../docs/alerts.yml', import.meta.url), 'utf8')
    const expressions = [...rules.matchAll(/^ *expr: (.+)$/gm)].map(([, expression = '']) => expression)
    assert.equal(expressions.length, rules.match(/- alert:/g)?.length)
    for (const expression of expressions) {
      const names = figuresIn(expression)
      assert.ok(names.length > 0, expression)
      // `up` is Prometheus' own.
      for (const name of names) assert.ok(name === 'up' || has(name), `${name} in ${expression}`)
    }
    const page = await readFile(new URL('../../../docs/production.md', import.meta.url), 'utf8')
    const table = page.slice(page.indexOf('| Metric |')).split('\n\n')[0] ?? ''
    const explained = [...table.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell = '']) => [
      ...cell.matchAll(/`(\w+)`/g),
    ])
    assert.ok(explained.length > 15)
    for (const [, name = ''] of explained) assert.ok(has(name), name)
  })

  it('count refusals by their reason, such as a booking rule', async () => {
    const { key } = await service.venue()
    const asked = await callService(url, 'POST', '/api/v1/reservations', {
      key,
      body: {
        guestName: 'Maya Okafor',
        phone: '+1 212 555 0100',
        partySize: 2,
        date: '2026-10-01',
        time: '19:00',
      },
    })
    assert.equal(asked.body.reason, 'in-the-past', asked.text)
    assert.match(
      await text(),
      /^http_refusals_total\{route="\/api\/v1\/reservations",reason="in-the-past"\} 1$/m,
    )
  })

  it('tell while sending is on hold after a restore', async () => {
    assert.match(await text(), /^sending_on_hold 0$/m)
    await becomeCopy(service)
    assert.match(await text(), /^sending_on_hold 1$/m)
    await service.context.hold.release()
    assert.match(await text(), /^sending_on_hold 0$/m)
  })

  it('tell of the connections, of the version, and when each job last ended well', async () => {
    const figures = await text()
    assert.match(figures, /^db_connections\{pool="requests",kind="ordinary"\} [1-9]/m)
    assert.match(figures, /^db_connections_waited_for\{pool="background",kind="long"\} 0$/m)
    assert.match(
      figures,
      new RegExp(`^build_info\\{version="0[.0-9]+",node="${process.versions.node}"\\} 1$`, 'm'),
    )
    assert.match(figures, /^job_pause_seconds\{loop="expire waitlist"\} 30$/m)
    assert.match(figures, /^job_pause_seconds\{loop="expire offers"\} 5$/m)
    const lastRun = async (): Promise<number> =>
      Number(/^job_last_success_timestamp_seconds\{loop="run imports"\} ([\d.]+)$/m.exec(await text())?.[1])
    const first = await lastRun()
    await eventually(async () => (await lastRun()) > first)
  })
})
