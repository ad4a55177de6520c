import assert from 'node:assert/strict'
import { eventually } from '../../server/test/eventually.ts'
import { exportKinds } from '../../server/data/exports/kinds.ts'
import { visitOffice } from '../../server/test/office.ts'
import { rowsOf } from '../../server/test/rows.ts'
import type { Book } from './book.ts'
import type { Demo } from './first-hour.ts'
import { type Scene, ask } from './scene.ts'

const brought = 300
const names = Array.from({ length: brought }, (_, n) => `brought.${n}@example.com`)

/** The owner imports a file of guests, exports everything, and erases one person. */
export const tryData = async (book: Book, { context, url }: Scene, demo: Demo): Promise<void> => {
  const key = demo.keys.readWrite
  const owner = visitOffice({ url })
  const signIn = demo.signIns.find(({ role }) => role === 'owner')
  await owner.post('/office/sign-in', { email: signIn?.email ?? '', password: signIn?.password ?? '' })
  const find = async (email: string) =>
    (await ask(url, 'GET', `/guests/find?email=${email}`, 200, { key })).body as unknown[]

  await book.step('an import', async () => {
    const file = ['Name,Email', ...names.map((email, n) => `Guest ${n},${email}`), 'No One,no address'].join(
      '\n',
    )
    const body = new FormData()
    body.append('file', new Blob([file]), 'guests.csv')
    const uploaded = await fetch(`${url}/office/data/imports/guests`, {
      ...{ method: 'POST', body, redirect: 'manual' },
      headers: { cookie: owner.cookie(), 'sec-fetch-site': 'same-origin' },
    })
    const to = uploaded.headers.get('location')
    assert.ok(to, `${uploaded.status} ${await uploaded.text()}`)
    const started = await owner.post(`${to}/start`, chosenIn((await owner.get(to)).html))
    assert.equal(started.status, 303)
    const ended = await eventually(async () => {
      const [row] = await rowsOf<{ state: string; made: number; known: number; refused: number }>(
        context,
        'select state, made, known, refused from data_import where id = $1',
        [Number(to.split('/').at(-1))],
      )
      return row && row.state !== 'running' && row
    })
    assert.deepEqual(ended, { state: 'done', made: brought, known: 0, refused: 1 })
    assert.equal((await find(names[0] as string)).length, 1)
    assert.equal((await find(names.at(-1) as string)).length, 1)
    return `${brought} guests made, one row refused`
  })

  await book.step('an export', async () => {
    const everything = JSON.parse((await owner.get('/office/data/export/everything.json')).html)
    const [venue] = await rowsOf<{ id: number }>(context, `select id from venue where slug = 'blue-door'`)
    for (const { name, key: field, fields } of exportKinds) {
      const { status, html } = await owner.get(`/office/data/export/${name}.csv`)
      assert.equal(status, 200, name)
      assert.ok(html.includes(fields[0] as string), name)
      assert.ok(Array.isArray(everything[field]), field)
    }
    for (const table of ['reservation', 'guest', 'subscriber', 'lead', 'task']) {
      const [row] = await rowsOf<{ n: number }>(
        context,
        `select count(*)::int as n from ${table} where venue_id = $1`,
        [venue?.id],
      )
      assert.equal(everything[`${table}s`].length, row?.n, table)
    }
    const guests = (await owner.get('/office/data/export/guests.csv')).html
    assert.ok(names.every((email) => guests.includes(email)))
    return `${exportKinds.length} kinds, with every row counted`
  })

  await book.step('an erasure', async () => {
    // As the first hour left her. Another guest of the demo may have her name.
    const [email, phone] = ['maya@example.com', '(212) 555-0147']
    assert.equal((await find(email)).length, 1)
    const [guest] = (await find(email)) as [{ id: number; phone: string }]
    assert.equal(guest.phone, phone)
    const erased = await owner.post('/office/data/person/erase', { guest: String(guest.id), sure: 'yes' })
    assert.match(erased.words, /The person was erased\./)
    assert.deepEqual(await find(email), [])
    const left = (await owner.get('/office/data/export/everything.json')).html
    // With their quotes: the demo has people whose addresses end alike.
    assert.ok(!left.includes(`"${email}"`) && !left.includes(`"${phone}"`))
  })
}

/** The guessed columns. */
const chosenIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<select name="([\w-]+)">(.*?)<\/select>/gs)].map(([, name = '', inside = '']) => [
      name,
      /<option value="([\w-]*)" selected/.exec(inside)?.[1] ?? '',
    ]),
  )
