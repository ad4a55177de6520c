import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../../server/test/service.ts'
import { runPython, whyNoPython } from './python.ts'

const why = whyNoPython()

describe('verify() in Python', { skip: why ?? false }, () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  for (const client of ['sync', 'async'] as const) {
    it(`finds and repairs what is missing, outdated or too many, and nothing else (${client})`, async () => {
      const venue = await service.venue()
      const guests: number[] = []
      for (const name of ['ada', 'ben', 'cleo']) {
        const body = { name, email: `${name}@example.com` }
        const { body: answer } = await service.call('POST', '/api/v1/guests', { key: venue.key, body })
        guests.push(answer.guest.id)
      }
      const { body } = await service.call('POST', '/api/v1/tasks', {
        key: venue.key,
        body: { title: 'Ring' },
      })
      const { key } = await venue.makeKey('read')
      const program = [join(import.meta.dirname, 'verify_copy.py'), client]
      const { runs, kept } = JSON.parse(await runPython(program, { VENUE_KEY: key, VENUE_URL: service.url }))
      const [lost, stale] = guests.toSorted((a, b) => a - b)
      const [first, repaired, last] = runs
      assert.deepEqual(first, [4, []])
      assert.deepEqual(
        repaired[1].toSorted((a: [string, number], b: [string, number]) => a[1] - b[1]),
        [
          ['guest', -1005, 'extra'],
          ['guest', -5, 'extra'],
          ['guest', lost, 'missing'],
          ['guest', stale, 'outdated'],
          ['guest', 900_500, 'extra'],
          ['guest', 2 ** 60, 'extra'],
        ],
      )
      assert.deepEqual(last, [4, []])
      assert.deepEqual(kept, [
        ...guests.toSorted((a, b) => a - b).map((id) => ['guest', id]),
        ['task', body.task.id],
      ])
    })

    it(`goes on with a key that may read less, and names what one that may read more has not copied (${client})`, async () => {
      const venue = await service.venue()
      const post = (path: string, body: object) =>
        service.call('POST', `/api/v1/${path}`, { key: venue.key, body })
      await post('guests', { name: 'Ada', email: 'ada@example.com' })
      await post('tasks', { title: 'Ring' })
      const wide = await venue.makeKey('read', 'api', { scopes: ['guests:read', 'tasks:read'] })
      const narrow = await venue.makeKey('read', 'api', { scopes: ['guests:read'] })
      const { next } = (await service.call('GET', '/api/v1/changes?after=latest', { key: wide.key })).body
      const verified = async (key: string, stored: string, kinds = '') =>
        JSON.parse(
          await runPython([join(import.meta.dirname, 'verify_kinds.py'), client], {
            ...{ VENUE_KEY: key, VENUE_URL: service.url, VENUE_STORED: `${stored} ${next}` },
            VENUE_KINDS: kinds,
          }),
        )
      const answers = {
        lost: await verified(narrow.key, 'guest,task'),
        gained: await verified(wide.key, 'guest'),
        asked: await verified(wide.key, 'guest', 'task'),
      }
      assert.deepEqual(answers, {
        lost: { kinds: ['guest'], notCopied: [], kept: ['guest'] },
        gained: { kinds: ['guest'], notCopied: ['task'], kept: ['guest'] },
        asked: { kinds: ['task'], notCopied: [], kept: ['task'] },
      })
    })
  }
})
