import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { makeDemo } from '../../server/demo/make-demo.ts'
import { toMoment } from '../../server/platform/kernel/time/moment.ts'
import { startService } from '../../server/test/service.ts'
import { brunoCollection, brunoFiles, brunoText } from './bruno-file.ts'
import { postmanCollection, readPostman } from './postman-file.ts'

/* The collections as Postman's and Bruno's own readers see them: what they read is what our runner sends. */

const require = createRequire(new URL('../readers/package.json', import.meta.url))

type NewmanRun = {
  readonly failures: readonly { readonly source?: { readonly name: string }; readonly error: Error }[]
  readonly stats: Readonly<Record<'requests' | 'assertions', { readonly total: number }>>
}
type Pairs = { readonly name: string; readonly value: string; readonly enabled: boolean }[]
type Bru = {
  readonly meta: { readonly name: string }
  readonly http?: { readonly method: string; readonly url: string; readonly auth: string }
  readonly body?: { readonly json: string }
  readonly headers?: Pairs
  readonly params?: Pairs
  readonly script?: { readonly res: string }
  readonly tests: string
}

describe('the collections in the programs they are for', () => {
  it('Postman reads every request, and writes the file back as it is', () => {
    const { Collection } = require('postman-collection')
    const file = readPostman()
    const read = new Collection(file)
    const sent = postmanCollection(file).requests
    const names: string[] = []
    read.forEachItem((item: { name: string; request: { method: string; body?: { raw: string } } }) => {
      const ours = sent[names.length]
      assert.deepEqual(
        [item.name, item.request.method, item.request.body?.raw],
        [ours?.name, ours?.method, ours?.body],
      )
      names.push(item.name)
    })
    assert.equal(names.length, sent.length)
    const written = JSON.parse(JSON.stringify(read.toJSON()))
    assert.deepEqual(
      written.variable.map(({ key }: { key: string }) => key),
      file.variable.map(({ key }) => key),
    )
    assert.equal(written.auth.type, 'apikey')
  })

  it('Postman’s own runner sends all of it to a fresh practice instance, and every check of it holds', async () => {
    const service = await startService({ PRACTICE: 'on' })
    try {
      // Its scripts go by the clock of the machine.
      service.setClock(toMoment(Temporal.Now.instant()))
      const { keys } = await makeDemo(service.context, { scale: 0.01 })
      const { promise, resolve, reject } = Promise.withResolvers<NewmanRun>()
      require('newman').run(
        {
          collection: readPostman(),
          envVar: Object.entries({ baseUrl: service.url, key: keys.readWrite }).map(([key, value]) => ({
            key,
            value,
          })),
        },
        (error: Error | null, { run }: { run: NewmanRun }) => (error ? reject(error) : resolve(run)),
      )
      const { failures, stats } = await promise
      assert.deepEqual(
        failures.map(({ source, error }) => `${source?.name}: ${error.message}`),
        [],
      )
      const { length } = postmanCollection(readPostman()).requests
      assert.deepEqual([stats.requests.total, stats.assertions.total], [length, length])
    } finally {
      await service.stop()
    }
  })

  it('Bruno reads every file, each block as it is meant', () => {
    const { bruToJsonV2, collectionBruToJson, bruToEnvJsonV2 } = require('@usebruno/lang')
    const sent = new Map(brunoCollection().requests.map((one) => [one.name, one]))
    let requests = 0
    for (const path of brunoFiles()) {
      if (path === 'bruno.json') continue
      if (path.startsWith('environments/')) {
        const { variables } = bruToEnvJsonV2(brunoText(path))
        assert.deepEqual(
          variables.map(({ name, secret }: { name: string; secret: boolean }) => [name, secret]),
          [
            ['baseUrl', false],
            ['key', true],
          ],
        )
      } else if (path === 'collection.bru' || path.endsWith('/folder.bru')) {
        const read = collectionBruToJson(brunoText(path))
        if (path === 'collection.bru') {
          assert.deepEqual(read.auth.apikey, { key: 'X-Service-Key', value: '{{key}}', placement: 'header' })
          assert.match(read.script.req, /setVar/)
        }
      } else {
        const read = bruToJsonV2(brunoText(path)) as Bru
        const ours = sent.get(read.meta.name)
        assert.ok(ours, path)
        assert.equal(read.http?.method.toUpperCase(), ours.method)
        assert.equal(read.http?.auth, 'inherit')
        assert.equal(read.body?.json, ours.body)
        assert.equal([read.tests, read.script?.res].filter(Boolean).join('\n'), ours.after)
        const on = (read.headers ?? []).filter(({ enabled }) => enabled)
        for (const { name, value } of on) assert.equal(ours.headers[name], value)
        requests++
      }
    }
    assert.equal(requests, sent.size)
  })
})
