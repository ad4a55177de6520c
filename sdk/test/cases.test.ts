import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setRules } from '../../server/test/open-rules.ts'
import { type TestService, startService } from '../../server/test/service.ts'
import type { Case } from './case.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { type Place, runCase } from './run-case.ts'

const folder = new URL('../cases/', import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
const casesIn = (file: string): Case[] => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case[]

describe('the cases that every SDK runs', () => {
  let service: TestService
  let proxy: Proxy
  let place: Place
  before(async () => {
    service = await startService()
    const venue = await service.venue()
    await setRules(service, venue)
    proxy = await startProxy(service.url)
    const keys = {
      write: venue.key,
      read: (await venue.makeKey('read')).key,
      none: `service_sk_${'0'.repeat(40)}`,
    }
    place = { proxyUrl: proxy.url, keys }
  })
  after(async () => {
    await proxy.stop()
    await service.stop()
  })

  it('are at least 120, each with a name of its own', () => {
    const names = files.flatMap(casesIn).map(({ name }) => name)
    assert.ok(names.length >= 120, `${names.length}`)
    assert.equal(new Set(names).size, names.length)
  })

  for (const file of files) {
    describe(file, () => {
      for (const one of casesIn(file)) it(one.name, () => runCase(place, one))
    })
  }
})
