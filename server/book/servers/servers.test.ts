import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { walkIn } from '../reservations/bookings.ts'
import { host, tableScene, tonight } from '../tables/test/scene.ts'
import { staff } from '../reservations/test/book.ts'
import { refusal } from '../../test/desk.ts'
import { addServer, savePlan } from './actions.ts'
import { saveLineUp } from './save-line-up.ts'
import { cutServer, undoCut } from './cut.ts'
import { handOver } from './presses.ts'
import { initialsOf } from './server.ts'

const manager = staff('manager')
const tables = [
  { label: '1', most: 4 },
  { label: '2', most: 4 },
  { label: '3', most: 4 },
  { label: '4', most: 4 },
]

describe('who serves a party', () => {
  const scene = tableScene()
  let servers: Record<string, number>
  let plan: number

  const add = (name: string) =>
    scene.book.act((work) =>
      addServer(work, manager, { name, initials: '', color: '', account: null, isOn: true }),
    )
  const sections = async (...typed: string[]): Promise<number> => {
    const { id } = await scene.book.act((work) =>
      savePlan(work, manager, {
        id: undefined,
        version: 0,
        name: `Plan ${typed.join()}`,
        isOn: true,
        sections: typed,
      }),
    )
    return id
  }
  const lineUp = (
    who: Record<string, string>,
    seenVersion = 0,
    of = plan,
    [fromMinute, toMinute]: readonly [number, number] = [1020, 1380],
    until: Readonly<Record<string, number>> = {},
  ) =>
    scene.book.act((work) =>
      saveLineUp(work, host, {
        shift: { date: tonight, fromMinute, toMinute, plan: of },
        seenVersion,
        lineUp: Object.entries(who).map(([name, sections]) => ({
          server: servers[name] as number,
          sections,
          fromMinute,
          untilMinute: until[name] ?? toMinute,
        })),
      }),
    )
  const seated = async (label: string, partySize = 2) => {
    const { [label]: table } = await scene.ids()
    const outcome = await scene.book.act((work) =>
      walkIn(work, host, {
        guestName: 'Ben',
        email: null,
        phone: null,
        notes: null,
        partySize,
        tables: [table as number],
      }),
    )
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.record.id
  }
  const served = async (): Promise<Record<number, string>> =>
    Object.fromEntries(
      (
        await scene.book.query(
          `select w.reservation_id as id, s.name from reservation_server w
             join server s on s.venue_id = w.venue_id and s.id = w.server_id
            where w.venue_id = $1`,
          [scene.book.venue.id],
        )
      ).map(({ id, name }) => [Number(id), String(name)]),
    )

  beforeEach(async () => {
    scene.service.setClock('2026-10-06T23:00:00Z')
    await scene.open(tables)
    servers = Object.fromEntries(
      await Promise.all(['Ann Lee', 'Bo Park'].map(async (name) => [name, (await add(name)).id] as const)),
    )
    plan = await sections('1 2', '3')
  })

  it('is the one who has the section of its table when it sits down; a table in no section has nobody', async () => {
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' })
    const [one, three, four] = [await seated('1'), await seated('3'), await seated('4')]
    assert.deepEqual(await served(), { [one]: 'Ann Lee', [three]: 'Bo Park' })
    assert.ok(four > 0)
  })

  it('is nobody who has gone home by the line-up, neither when a party sits down nor when the line-up is saved, until it says that they stay', async () => {
    const untilEight = { 'Ann Lee': 1200 }
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' }, 0, plan, undefined, untilEight)
    const before = await seated('1')
    scene.service.setClock('2026-10-07T00:01:00Z')
    const after = await seated('2')
    assert.deepEqual(await served(), { [before]: 'Ann Lee' })
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' }, 1, plan, undefined, untilEight)
    assert.deepEqual(await served(), { [before]: 'Ann Lee' })
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' }, 2)
    assert.deepEqual(await served(), { [before]: 'Ann Lee', [after]: 'Ann Lee' })
  })

  it('stays the same when the line-up or the plan changes, and the next party is the new one’s', async () => {
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' })
    const before = await seated('1')
    await lineUp({ 'Bo Park': '1', 'Ann Lee': '2' }, 1)
    const after = await seated('2')
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' }, 2, await sections('3', '1 2'))
    const last = await seated('2').catch(() => undefined)
    assert.equal(last, undefined, 'somebody sits at 2')
    assert.deepEqual(await served(), { [before]: 'Ann Lee', [after]: 'Bo Park' })
  })

  it('is nobody again when the seating is undone, and the one who has the section when it is seated once more', async () => {
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' })
    const id = await scene.made(2, '19:00')
    await scene.move(id, 'seat')
    assert.deepEqual(Object.keys(await served()), [String(id)])
    await scene.move(id, 'undoSeat')
    assert.deepEqual(await served(), {})
    await scene.move(id, 'seat')
    assert.deepEqual(Object.keys(await served()), [String(id)])
  })

  it('goes along when a section is handed over, unless a party stays, and comes back by the undo of exactly that', async () => {
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' })
    const [one, two] = [await seated('1'), await seated('2')]
    const [row] = await scene.book.query('select id from shift where venue_id = $1', [scene.book.venue.id])
    const shift = Number(row?.['id'])
    const [ann, bo] = [servers['Ann Lee'] as number, servers['Bo Park'] as number]
    const done = await scene.book.act((work) =>
      handOver(work, host, { shift, from: ann, to: bo, parties: [one] }),
    )
    assert.deepEqual(done, { sections: [1], parties: [one], moved: [] })
    assert.deepEqual(await served(), { [one]: 'Bo Park', [two]: 'Ann Lee' })
    const three = await seated('3')
    await scene.book.act((work) =>
      handOver(work, host, { shift, from: bo, to: ann, parties: done.parties, only: done.sections }),
    )
    assert.deepEqual(await served(), { [one]: 'Ann Lee', [two]: 'Ann Lee', [three]: 'Bo Park' })
    await assert.rejects(
      scene.book.act((work) => handOver(work, host, { shift, from: ann, to: 99, parties: [] })),
      refusal(400, /not in this line-up/),
    )
  })

  it('is given to who sits already when the line-up comes late', async () => {
    const [one, four] = [await seated('1'), await seated('4')]
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' })
    assert.deepEqual(await served(), { [one]: 'Ann Lee' })
    assert.ok(four > 0)
  })

  it('is nobody of another service of the day, neither when it sits down nor when that line-up is saved', async () => {
    await lineUp({ 'Ann Lee': '1' }, 0, plan, [660, 900])
    const one = await seated('1')
    await lineUp({ 'Bo Park': '1' }, 0, plan, [1320, 1380])
    assert.deepEqual(await served(), {})
    await lineUp({ 'Bo Park': '1' })
    assert.deepEqual(await served(), { [one]: 'Bo Park' })
  })

  it('has the next of equal tables in the sections with fewer covers, at every door; without a line-up in those of rooms', async () => {
    const given = async (): Promise<string> => {
      const order: string[] = []
      for (const place of [1, 2, 3]) {
        const id = place % 2 === 0 ? await scene.taken(2, '21:00') : await scene.made(2, '21:00')
        if (place % 2 === 0) await scene.move(id, 'confirm')
        order.push((await scene.held())[id] ?? '')
      }
      return order.join(' ')
    }
    assert.equal(await given(), '1 2 3')
    await scene.open(tables)
    servers = Object.fromEntries(
      await Promise.all(['Ann Lee', 'Bo Park'].map(async (name) => [name, (await add(name)).id] as const)),
    )
    plan = await sections('1 2', '3 4')
    await lineUp({ 'Ann Lee': '1', 'Bo Park': '2' })
    assert.equal(await given(), '1 3 2')
  })

  it('is written for no party of a service without a line-up', async () => {
    await seated('1')
    assert.deepEqual(await served(), {})
  })

  it('gives who is only ticked the next section that nobody has', async () => {
    const of = await sections('1', '2', '3', '4')
    await lineUp({ 'Ann Lee': '', 'Bo Park': '1, 3 1' }, 0, of)
    const [one, two] = [await seated('1'), await seated('2')]
    assert.deepEqual(await served(), { [one]: 'Bo Park', [two]: 'Ann Lee' })
  })

  it('refuses a section twice, one the plan has not, an empty line-up and an old page, each with its sentence', async () => {
    await assert.rejects(
      lineUp({ 'Ann Lee': '1', 'Bo Park': '1' }),
      refusal(400, /Ann Lee and Bo Park both have section.1/),
    )
    await assert.rejects(lineUp({ 'Ann Lee': '7' }), refusal(400, /no section.7; it has 1, 2/))
    await assert.rejects(lineUp({}), refusal(400, /Check who works/))
    await lineUp({ 'Ann Lee': '1' })
    await assert.rejects(lineUp({ 'Bo Park': '1' }), refusal(409, /just saved by someone else/))
    await assert.rejects(add('Al Long'), refusal(400, /Ann Lee has the initials AL/))
    await assert.rejects(sections('1 9'), refusal(400, /no table 9/))
    await assert.rejects(sections('1', '2 1'), refusal(400, /Table 1 is in sections.1 and 2/))
  })
})

describe('covers spread over sections', () => {
  const scene = tableScene()

  it('are those of the line-up of a party’s own service', async () => {
    scene.service.setClock('2026-10-06T20:00:00Z') // 16:00 in New York
    await scene.open(tables)
    const add = async (name: string) =>
      (
        await scene.book.act((work) =>
          addServer(work, manager, { name, initials: '', color: '', account: null, isOn: true }),
        )
      ).id
    const [ann, bo] = [await add('Ann Lee'), await add('Bo Park')]
    const { id: plan } = await scene.book.act((work) =>
      savePlan(work, manager, {
        ...{ id: undefined, version: 0, name: 'Usual', isOn: true },
        sections: ['1 2', '3 4'],
      }),
    )
    const shifts = [
      [1020, 1140, ann, bo],
      [1260, 1380, bo, ann],
    ] as const
    for (const [fromMinute, untilMinute, first, second] of shifts)
      await scene.book.act((work) =>
        saveLineUp(work, host, {
          shift: { date: tonight, fromMinute, toMinute: untilMinute, plan },
          seenVersion: 0,
          lineUp: [
            { server: first, sections: '1', fromMinute, untilMinute },
            { server: second, sections: '2', fromMinute, untilMinute },
          ],
        }),
      )
    const ids = await scene.ids()
    const early = await scene.made(4, '17:30', { tables: [ids['3'] as number] })
    const late = await scene.made(2, '21:00', { tables: [ids['1'] as number] })
    const asked = await scene.made(2, '21:00')
    // Ann had four at five; at nine she has none yet, and Bo has two.
    assert.deepEqual(await scene.held(), { [early]: '3!', [late]: '1!', [asked]: '3' })
  })
})

describe('a server who is cut', () => {
  const scene = tableScene()
  const shiftOf = async () => {
    const [row] = await scene.book.query('select id from shift where venue_id = $1', [scene.book.venue.id])
    return Number(row?.['id'])
  }

  it('keeps out of use the tables that the plan gives them by now, and no others', async () => {
    scene.service.setClock('2026-10-06T22:00:00Z')
    await scene.open(['1', '2', '3'].map((label) => ({ label, most: 2 })))
    const save = (sections: readonly string[], known?: { id: number; version: number }) =>
      scene.book.act((work) =>
        savePlan(work, manager, {
          ...{ id: undefined, version: 0, name: 'Usual', isOn: true, sections },
          ...known,
        }),
      )
    const { id: plan } = await save(['1 2', '3'])
    const ann = await scene.book.act((work) =>
      addServer(work, manager, { name: 'Ann Lee', initials: '', color: '', account: null, isOn: true }),
    )
    const there = { fromMinute: 1020, untilMinute: 1380 }
    await scene.book.act((work) =>
      saveLineUp(work, host, {
        shift: { date: tonight, fromMinute: 1020, toMinute: 1380, plan },
        seenVersion: 0,
        lineUp: [{ server: ann.id, sections: '1', ...there }],
      }),
    )
    await scene.book.act(async (work) => cutServer(work, host, { shift: await shiftOf(), server: ann.id }))
    const off = async () =>
      (
        await scene.book.query(
          `select d.label from table_outage o join dining_table d on d.id = o.table_id
            where o.venue_id = $1 order by d.label`,
          [scene.book.venue.id],
        )
      ).map(({ label }) => label)
    assert.deepEqual(await off(), ['1', '2'])
    const [row] = await scene.book.query('select version from section_plan where id = $1', [plan])
    await save(['2 3', '1'], { id: plan, version: Number(row?.['version']) })
    assert.deepEqual(await off(), ['2', '3'])
  })

  it('gets nobody new by machine until the service ends; who is booked there moves if a machine may move them, and the undo opens the tables', async () => {
    scene.service.setClock('2026-10-06T22:00:00Z')
    await scene.open([
      { label: '1', most: 2 },
      { label: '2', most: 2 },
      { label: '3', most: 2 },
    ])
    const { 1: one, 2: two } = await scene.ids()
    const [ann, bo] = await Promise.all(
      ['Ann Lee', 'Bo Park'].map((name) =>
        scene.book.act((work) =>
          addServer(work, manager, { name, initials: '', color: '', account: null, isOn: true }),
        ),
      ),
    )
    const { id: plan } = await scene.book.act((work) =>
      savePlan(work, manager, {
        id: undefined,
        version: 0,
        name: 'Usual',
        isOn: true,
        sections: ['1 2', '3'],
      }),
    )
    const there = { fromMinute: 1020, untilMinute: 1380 }
    await scene.book.act((work) =>
      saveLineUp(work, host, {
        shift: { date: tonight, fromMinute: 1020, toMinute: 1380, plan },
        seenVersion: 0,
        lineUp: [
          { server: ann?.id as number, sections: '1', ...there },
          { server: bo?.id as number, sections: '2', ...there },
        ],
      }),
    )
    await scene.book.query(
      `insert into table_outage (venue_id, table_id, from_date, from_minute, until_date, until_minute, why)
       values ($1, $2, '2026-09-01', 1020, '2026-09-01', 1380, 'cut')`,
      [scene.book.venue.id, one],
    )
    const moves = await scene.made(2, '20:00')
    const stays = await scene.made(2, '20:00', { tables: [two as number] })
    assert.deepEqual(await scene.held(), { [moves]: '1', [stays]: '2!' })
    await scene.book.toldAll()
    const shift = await shiftOf()
    const about = { shift, server: ann?.id as number }
    const presses = [1, 2, 3].map(() => scene.book.act((work) => cutServer(work, host, about)))
    const moved = await Promise.all(presses)
    assert.deepEqual(
      moved.flat().map(({ reservation }) => reservation),
      [moves],
    )
    const outages = 'select 1 from table_outage where venue_id = $1'
    assert.equal(
      (await scene.book.query(outages, [scene.book.venue.id])).length,
      2,
      'one for each table, and no past one',
    )
    assert.deepEqual(await scene.held(), { [moves]: '3', [stays]: '2!' })
    assert.deepEqual(await scene.book.toldAll(), [], 'no event')
    await scene.refusedWith('tables-full', 2, '20:00')
    const asked = await scene.booked(2, '20:00', { tables: [one as number] })
    assert.equal(asked.kind, 'needs override')
    if (asked.kind === 'needs override')
      assert.deepEqual(
        asked.reasons.map(({ sentence }) => sentence.replaceAll(/\s/g, ' ')),
        ['Table 1 is cut until 23:00.'],
      )
    await scene.book.act((work) => undoCut(work, host, about))
    await scene.taken(2, '20:00')
    assert.deepEqual(
      await scene.book.query('select 1 from table_outage where venue_id = $1', [scene.book.venue.id]),
      [],
    )
  })

  it('leaves no table out when their sections are another’s or they leave the line-up, and a new line-up or a cut goes by it', async () => {
    scene.service.setClock('2026-10-06T20:30:00Z') // 16:30, half an hour before the doors open.
    await scene.open(tables)
    const [ann, bo] = await Promise.all(
      ['Ann Lee', 'Bo Park'].map(
        async (name) =>
          (
            await scene.book.act((work) =>
              addServer(work, manager, { name, initials: '', color: '', account: null, isOn: true }),
            )
          ).id,
      ),
    )
    assert.ok(ann !== undefined && bo !== undefined)
    const { id: plan } = await scene.book.act((work) =>
      savePlan(work, manager, {
        ...{ id: undefined, version: 0, name: 'Usual', isOn: true },
        sections: ['1 2', '3'],
      }),
    )
    const save = (seenVersion: number, who: readonly (readonly [number, string])[]) =>
      scene.book.act((work) =>
        saveLineUp(work, host, {
          shift: { date: tonight, fromMinute: 1020, toMinute: 1380, plan },
          seenVersion,
          lineUp: who.map(([server, sections]) => ({
            ...{ server, sections },
            fromMinute: 1020,
            untilMinute: 1380,
          })),
        }),
      )
    await save(0, [
      [ann, '1'],
      [bo, '2'],
    ])
    const shift = await shiftOf()
    const out = async () =>
      (
        await scene.book.query(
          `select d.label, o.from_minute from table_outage o
             join dining_table d on d.venue_id = o.venue_id and d.id = o.table_id
            where o.venue_id = $1 order by d.label`,
          [scene.book.venue.id],
        )
      ).map(({ label, from_minute }) => `${String(label)} from ${Number(from_minute)}`)
    await scene.book.act((work) => cutServer(work, host, { shift, server: ann }))
    assert.deepEqual(await out(), ['1 from 1020', '2 from 1020'])
    const give = (from: number, to: number, only?: readonly number[]) =>
      scene.book.act((work) => handOver(work, host, { shift, from, to, parties: [], ...(only && { only }) }))
    const done = await give(ann, bo)
    assert.deepEqual(await out(), [], 'Bo takes parties')
    await assert.rejects(save(1, [[bo, '1']]), refusal(409, /just saved by someone else/))
    await give(bo, ann, done.sections)
    assert.deepEqual(await out(), ['1 from 1020', '2 from 1020'], 'Ann is cut')
    await save(3, [[bo, '1']])
    assert.deepEqual(await out(), [], 'Ann is not there')
  })
})

describe('the initials of a name', () => {
  it('are the first letters of its first and last word, or the first two of one word', () => {
    assert.deepEqual(['Maya Okafor', 'Ben', 'Ana de la Cruz', 'Li-Wei'].map(initialsOf), [
      'MO',
      'BE',
      'AC',
      'LW',
    ])
  })
})
