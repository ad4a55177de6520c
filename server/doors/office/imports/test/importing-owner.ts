import assert from 'node:assert/strict'
import { runImports } from '../../../../data/imports/run.ts'
import { sql } from '../../../../platform/db/sql.ts'
import { staffOf, visitOffice } from '../../../../test/office.ts'
import type { TestService, TestVenue } from '../../../../test/service.ts'

/** The owner of a venue, by itself of a new one, signed in, who uploads and imports files. */
export const importingOwner = async (service: TestService, of?: TestVenue) => {
  const venue = of ?? (await service.venue())
  const { email } = await staffOf(service, venue, 'owner')
  const owner = visitOffice(service)
  await owner.signIn(email)
  const upload = (kind: string, bytes: string | Buffer, headers = {}) =>
    owner.upload(`/office/data/imports/${kind}`, { name: `${kind}.csv`, bytes }, headers)
  /** Uploads, starts with the columns that were guessed and those given, and runs to the end. */
  const bring = async (kind: string, text: string, more: Record<string, string> = {}) => {
    const { to, html } = await upload(kind, text)
    assert.ok(to, html)
    const shown = await owner.get(to)
    const fields = { ...chosenIn(shown.html), ...more }
    const started = await owner.post(`${to}/start`, fields)
    assert.equal(started.status, 303, started.html)
    await runImports(service.context)
    return { to, ...(await countsOf(service, venue, to)) }
  }
  return { venue, owner, upload, bring }
}

/** How far an import came. */
export const countsOf = (service: TestService, venue: TestVenue, to: string) =>
  service.db.one(
    sql({ state: 'text', made: 'int4', known: 'int4', refused: 'int4', told: 'int4', problem: 'text?' })`
      select state, made, known, refused, told, problem from data_import
       where venue_id = ${venue.id} and id = ${Number(to.split('/').at(-1))}`,
  )

/** The venue's guests, as the API lists them. */
export const guestsOf = async (service: TestService, venue: TestVenue) =>
  (await service.call('GET', '/api/v1/guests?limit=100', { key: venue.key })).body

/** What is chosen in the form of a page, as a browser would send it. */
export const chosenIn = (html: string): Record<string, string> => {
  const fields: Record<string, string> = {}
  for (const [, name = '', inside = ''] of html.matchAll(/<select name="([\w-]+)">(.*?)<\/select>/gs)) {
    fields[name] = /<option value="([\w-]*)" selected/.exec(inside)?.[1] ?? ''
  }
  return fields
}
