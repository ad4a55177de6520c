import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Proxy, startProxy } from '../../sdk/test/proxy.ts'
import { setRules } from '../../server/test/open-rules.ts'
import { type TestService, startService } from '../../server/test/service.ts'
import { runPython, whyNoPython } from './python.ts'

const folder = join(import.meta.dirname, '../../sdk/cases')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as { name: string }[])
  .map(({ name }) => name)

describe('the cases that every SDK runs, in Python', { skip: whyNoPython() ?? false }, () => {
  let service: TestService
  let proxy: Proxy
  let environment: Record<string, string>
  before(async () => {
    service = await startService()
    const venue = await service.venue()
    await setRules(service, venue)
    proxy = await startProxy(service.url)
    environment = {
      VENUE_DATA_URL: proxy.url,
      VENUE_DATA_KEY: venue.key,
      VENUE_DATA_READ_KEY: (await venue.makeKey('read')).key,
    }
  })
  after(async () => {
    await proxy.stop()
    await service.stop()
  })

  for (const manner of ['sync', 'async']) {
    describe(manner, () => {
      const outcomes = new Map<string, string | null>()
      before(async () => {
        const printed = await runPython(
          [join(import.meta.dirname, 'run_cases.py'), manner, folder],
          environment,
        )
        for (const line of printed.trim().split('\n')) {
          const { name, wrong } = JSON.parse(line) as { name: string; wrong: string | null }
          outcomes.set(name, wrong)
        }
      })
      for (const name of names) it(name, () => assert.equal(outcomes.get(name), null))
    })
  }
})
