import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { StaffRole } from '../core/staff/roles.ts'
import { type OfficeVisitor, type Seen, staffOf, visitOffice } from './office.ts'
import type { TestService, TestVenue } from './service.ts'

/** A venue and somebody of it who has signed in. */
export const atWork = async (
  service: TestService,
  role: StaffRole = 'manager',
  venue?: TestVenue,
): Promise<{ readonly venue: TestVenue; readonly visitor: OfficeVisitor }> => {
  const at = venue ?? (await service.venue())
  const { email } = await staffOf(service, at, role)
  const visitor = visitOffice(service)
  await visitor.signIn(email)
  return { venue: at, visitor }
}

/** The value of a form's first hidden field of a name. */
export const hiddenIn = ({ html }: Seen, name: string): string => {
  const found = new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(html)
  assert.ok(found, `no hidden ${name}`)
  return found[1] as string
}

/** The version that a page's first form carries. */
export const versionOn = async (visitor: OfficeVisitor, path: string): Promise<string> =>
  hiddenIn(await visitor.get(path), 'version')

/** Sends a form that makes something, with a token of its own. */
export const make = (visitor: OfficeVisitor, path: string, fields: Record<string, string>): Promise<Seen> =>
  visitor.post(path, { token: randomUUID(), ...fields })

/** The id at the end of where a form led. */
export const idAt = ({ status, to, html }: Seen): string => {
  assert.equal(status, 303, html.slice(html.indexOf('<main'), html.indexOf('<main') + 2000))
  const found = /\/(\d+)(?:[#?].*)?$/.exec(to ?? '')
  assert.ok(found, `no id in ${to}`)
  return found[1] as string
}

/** What the page behind a form's redirect says. */
export const followed = async (visitor: OfficeVisitor, { status, to, html }: Seen): Promise<Seen> => {
  assert.equal(status, 303, html.slice(html.indexOf('<main'), html.indexOf('<main') + 2000))
  return visitor.get((to as string).replace(/#.*/, ''))
}

/** Text of a page's main part, blanks collapsed, tags left out. */
export const wordsOf = ({ html }: Seen): string =>
  html
    .slice(html.indexOf('<main'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** One record of each kind that the office keeps, made by its forms. */
export const furnished = async (manager: OfficeVisitor, word = 'one') => {
  const guest = idAt(
    await make(manager, '/office/guests', { name: `Maya ${word}`, email: `maya.${word}@example.com` }),
  )
  const other = idAt(
    await make(manager, '/office/guests', { name: `May ${word}`, email: `may.${word}@example.com` }),
  )
  const lead = idAt(await make(manager, '/office/leads', { contactName: `Maya ${word}` }))
  const noted = await followed(
    manager,
    await make(manager, `/office/leads/${lead}/notes`, { kind: 'note', text: `A note of ${word}` }),
  )
  const note = /notes\/(\d+)"/.exec(noted.html)?.[1] ?? ''
  await make(manager, '/office/tasks', { title: `Task of ${word}` })
  const task = /\/office\/tasks\/(\d+)"/.exec((await manager.get('/office/tasks')).html)?.[1] ?? ''
  const subscriber = idAt(
    await make(manager, '/office/subscribers', {
      email: `sub.${word}@example.com`,
      where: 'Paper at the till',
    }),
  )
  const event = idAt(await make(manager, '/office/tickets/events', { name: `Night of ${word}` }))
  const dated = await followed(
    manager,
    await make(manager, `/office/tickets/events/${event}/dates`, {
      date: '2026-11-14',
      startTime: '20:30',
      capacity: '10',
      price: '95.00',
    }),
  )
  const date = /tickets\/dates\/(\d+)"/.exec(dated.html)?.[1] ?? ''
  const order = idAt(
    await make(manager, `/office/tickets/dates/${date}/sales`, {
      seats: '2',
      method: 'cash',
      shownTotalCents: '19000',
    }),
  )
  await manager.post(`/office/tickets/orders/${order}/refunds`, {
    version: '1',
    amount: '10',
    via: 'external',
    outcome: 'failed',
  })
  const refund =
    /refunds\/(\d+)"/.exec((await manager.get(`/office/tickets/orders/${order}`)).html)?.[1] ?? ''
  await make(manager, '/office/tickets/codes', { code: `CODE-${word}`, kind: 'percent', off: '10' })
  const code = /codes\/(\d+)"/.exec((await manager.get('/office/tickets/codes')).html)?.[1] ?? ''
  return { guest, other, lead, note, task, subscriber, event, date, order, refund, code }
}

/** What a browser would send of the fields in the main part of a page as they came; the last of a name counts. */
export const fieldsIn = ({ html }: Seen): Record<string, string> => {
  const main = html.slice(html.indexOf('<main'))
  const plain = (text = ''): string =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
  const fields: Record<string, string> = {}
  for (const [tag] of main.matchAll(/<input[^>]*>/g)) {
    const of = (name: string): string | undefined => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
    const isPicked = !/type="(?:radio|checkbox)"/.test(tag) || /\schecked/.test(tag)
    const name = of('name')
    if (name !== undefined && isPicked) fields[name] = plain(of('value'))
  }
  for (const [, name = '', text] of main.matchAll(/<textarea[^>]*name="([^"]*)"[^>]*>\n?([^<]*)/g))
    fields[name] = plain(text)
  for (const [, name = '', options = ''] of main.matchAll(
    /<select[^>]*name="([^"]*)"[^>]*>([^]*?)<\/select/g,
  ))
    fields[name] = plain(
      (/value="([^"]*)"[^>]*selected/.exec(options) ?? /value="([^"]*)"/.exec(options))?.[1],
    )
  return fields
}
