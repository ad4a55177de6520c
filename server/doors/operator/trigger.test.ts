import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { type EventName, eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { Check } from 'typebox/value'
import { type TestInstance, startInstance } from '../../integrations/practice/test/instance.ts'
import type { Receiver } from '../../test/receiver.ts'
import { type TestService, startService } from '../../test/service.ts'
import { allCommands } from './commands.ts'
import { readCommandLine } from './read-command-line.ts'
import { causedElsewhere, triggers } from './triggers/table.ts'

const commands = await allCommands()

type Record = { readonly id: number; readonly [field: string]: unknown }

/** Runs a command line on the context of a test's service; a wrong one says so. */
const run = async ({ context }: TestService, ...args: string[]): Promise<Record> => {
  const line = readCommandLine(['trigger', ...args], commands)
  if (line.kind !== 'command') throw new Error(line.text.split('\n')[0])
  return (await line.command.run(context, line.given)).json as Record
}

describe('trigger', () => {
  let instance: TestInstance
  let receiver: Receiver
  before(async () => {
    instance = await startInstance()
    receiver = await instance.receiver(eventNames.filter((name) => name !== 'changes.available'))
  })
  after(() => instance.stop())

  const trigger = (event: string, ...more: string[]) =>
    run(instance.service, event, '--venue', 'blue-door', ...more)

  /** Everything a command made the service send: the clock advances until nothing is left to deliver. */
  const toldOf = async (act: () => Promise<Record>) => {
    const before = receiver.received.length
    const record = await act()
    await instance.advance('PT1M')
    const told = receiver.received
      .slice(before)
      .map(
        ({ body }) => JSON.parse(body.toString()) as { event: EventName; names: EventName[]; data: Record },
      )
    return { record, told }
  }

  it('can cause every event by its name, but for those that the docs say how else to cause', async () => {
    const others = Object.keys(causedElsewhere)
    const own = Object.keys(triggers).filter((name) => name in events)
    assert.deepEqual([...own, ...others].toSorted(), eventNames.toSorted())
    for (const name of own) assert.equal(triggers[name]?.emits, name)
    const docs = await readFile(new URL('../../../docs/practice.md', import.meta.url), 'utf8')
    for (const name of others) assert.ok(docs.includes(`\`${name}\``), `docs/practice.md leaves out ${name}`)
  })

  for (const [name, { emits }] of Object.entries(triggers)) {
    // Staff cannot make a request.
    if (name === 'reservation.confirmed') continue
    it(`${name}${emits === null ? '' : `: ${emits} is delivered`}, on a record made for it`, async () => {
      const { record, told } = await toldOf(() => trigger(name))
      assert.ok(record.id > 0)
      if (emits === null) return
      const last = told.findLast(({ names }) => names.includes(emits))
      assert.ok(last && Check(events[emits].data, last.data), JSON.stringify(told))
      if (name === 'guest.merged') return assert.partialDeepStrictEqual(last.data, { mergedInto: record.id })
      if (emits === 'person.erased') return assert.partialDeepStrictEqual(last.data, { guests: [record.id] })
      assert.equal(last.data.id, record.id)
      // For a deleted record it prints its last state.
      if (name.endsWith('.deleted')) return
      assert.deepEqual({ ...last.data, updatedAt: '' }, { ...record, updatedAt: '' }, 'the record is printed')
    })
  }

  it('acts on the record of --id', async () => {
    const { id } = await trigger('reservation.created')
    const { record, told } = await toldOf(() => trigger('reservation.seated', '--id', String(id)))
    assert.deepEqual([record.id, record['status']], [id, 'Seated'])
    // The order of deliveries is not guaranteed.
    assert.deepEqual(told.map(({ event }) => event).toSorted(), [
      'guest.created',
      // The visit counts.
      'guest.updated',
      'reservation.created',
      'reservation.seated',
    ])
    for (const { event, data } of told) if (!event.startsWith('guest.')) assert.equal(data.id, id, event)
    const { body } = await instance.call('GET', 'reservations?limit=100')
    assert.equal(body.find((one: Record) => one.id === id).status, 'Seated')
    await assert.rejects(trigger('reservation.cancelled', '--id', String(id)), { name: 'Refusal' })
  })

  it('merges and erases a guest of --id', async () => {
    const { body: guest } = await instance.call('POST', 'guests', {
      body: { name: 'Ada', email: 'ada@example.com' },
    })
    const merged = await trigger('guest.merged', '--id', String(guest.guest.id))
    assert.deepEqual([merged.id, merged['email']], [guest.guest.id, 'ada@example.com'])
    const erased = await trigger('guest.erased', '--id', String(guest.guest.id))
    assert.deepEqual([erased.id, erased['name'], erased['email']], [guest.guest.id, null, null])
    const { body } = await instance.call('GET', 'guests?limit=100')
    assert.ok(!body.some((one: Record) => one['email'] === 'ada@example.com'))
  })

  it('refuses with a sentence what there is not, what cannot be, and what makes its own record', async () => {
    const refused = (sentence: RegExp, ...args: string[]) =>
      assert.rejects(run(instance.service, ...args), { message: sentence })
    const here = ['--venue', 'blue-door']
    await refused(/^There is no trigger "reservation\.eaten"/, 'reservation.eaten', ...here)
    await refused(/^The EVENT is missing\.$/, ...here)
    await refused(/^"trigger" takes one EVENT and flags only\.$/, 'lead.created', 'lead.moved', ...here)
    await refused(/creates its own record: omit --id\.$/, 'lead.created', ...here, '--id', '1')
    await refused(/^There is no such booking/, 'reservation.seated', ...here, '--id', '99999999')
    await refused(/^There is no lead with the id 99999999/, 'lead.moved', ...here, '--id', '99999999')
    await refused(/^There is no venue with the slug "nowhere"/, 'lead.created', '--venue', 'nowhere')
    await instance.service.venue({ slug: 'empty' })
    await refused(/^empty has no owner or manager/, 'lead.created', '--venue', 'empty')
  })

  it('lists everything it can do under --help', () => {
    const help = readCommandLine(['trigger', '--help'], commands)
    assert.equal(help.kind, 'help')
    for (const name of Object.keys(triggers))
      assert.ok(help.kind === 'help' && help.text.includes(`  ${name} `))
  })
})

describe('trigger, elsewhere', () => {
  it('is refused on anything but a practice instance', async () => {
    const service = await startService()
    try {
      await service.venue({ slug: 'real' })
      await assert.rejects(run(service, 'reservation.created', '--venue', 'real'), {
        message: /^This is not a practice instance/,
      })
    } finally {
      await service.stop()
    }
  })
})
