import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { nameAmongStaff } from '../../../core/staff/staff-names.ts'
import { staffOfVenue } from '../../../core/staff/people.ts'
import { wholeFloor } from '../../../book/rules/floor/floor-reads.ts'
import { type TypedServer, addServer, changeServer, removeServer } from '../../../book/servers/actions.ts'
import { sectionPlansOf, sectionsOf, serversOf } from '../../../book/servers/reads.ts'
import { type ServerRow, serverColors } from '../../../book/servers/server.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  choiceField,
  idOf,
  lineField,
  mistakePart,
  tickField,
  tokenField,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { once } from '../parts/once.ts'
import { serverChip } from '../parts/server-chip.ts'
import { idIn } from '../parts/time-words.ts'
import { settingsHead } from '../settings/tabs.ts'
import { type Sent, home, sectionPages, sectionsCard, seenOf, sent } from './sections.ts'

/* What a manager keeps for the line-ups: who serves, and which tables are a section. */

export const serverSettingsPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => serversPage(await body(work)),
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const server = { ...(await typedServer(work, form)), isOn: true }
      await once(work, 'server', form, async () => (await addServer(work, actorOf(work.me), server)).id)
      return go(home, 'The server was added.')
    },
    again: async (work, { form }, { message }) => serversPage(await body(work, sent('new', form, message))),
  },
  {
    method: 'POST',
    path: `${home}/:id`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const id = idOf(params.id, 'server')
      if (form.has('delete')) {
        await removeServer(work, actorOf(work.me), id)
        return go(home, 'The server was deleted.')
      }
      await changeServer(work, actorOf(work.me), {
        ...(await typedServer(work, form)),
        id,
        version: versionIn(form),
      })
      return go(home, 'The server was saved.')
    },
    again: async (work, { params, form }, { message }) =>
      serversPage(await body(work, sent(`server ${params.id}`, form, message))),
  },
  ...sectionPages(async (work, sent) => serversPage(await body(work, sent))),
]

/** With what drags tables between sections. */
const serversPage = (body: Html): PageAnswer => ({ ...page('Servers', body), sheet: 'sections' })

const typedServer = async ({ db, venue }: OfficeWork, form: Form): Promise<TypedServer> => {
  const account = idIn(form.text('account')) ?? null
  if (account !== null && !(await staffOfVenue(db, venue.id)).some(({ id }) => id === account))
    throw badRequest('Choose an account from the list.')
  return {
    name: form.text('name'),
    initials: form.text('initials'),
    color: form.text('color'),
    account,
    isOn: form.text('isOn') === 'yes',
  }
}

const body = async (work: OfficeWork, sent?: Sent): Promise<Html> => {
  const { db, venue } = work
  const [servers, plans, sections, staff, floor] = await Promise.all([
    serversOf(db, venue.id),
    sectionPlansOf(db, venue.id),
    sectionsOf(db, venue.id),
    staffOfVenue(db, venue.id),
    wholeFloor(db, venue.id),
  ])
  const accounts = staff
    .filter(({ disabled_at }) => disabled_at === null)
    .map((person): readonly [string, string] => [String(person.id), nameAmongStaff(person)])
  return html`${settingsHead(home)}
    <div class="stack">
      <section class="card">
        <h2>Servers</h2>
        <p class="soft">Only staff see them. Servers who sign in with the role Server see their own parties on a phone. Add accounts under People.</p>
        ${
          servers.length > 0 &&
          html`<ul class="rows">
            ${servers.map((server) => serverPart(server, accounts, sent))}
          </ul>`
        }
        <form class="form" method="post" action="${home}">
          ${tokenField(seenOf(sent, 'new').typed.token)} ${mistakePart(seenOf(sent, 'new'))}
          <div class="fields">
            ${lineField(seenOf(sent, 'new'), { name: 'name', label: 'Name of a server', most: 60, required: true })}
            ${lineField(seenOf(sent, 'new'), { name: 'initials', label: 'Initials', most: 3, hint: 'Left empty: from the name.' })}
          </div>
          <div><button class="primary">Add server</button></div>
        </form>
      </section>
      ${sectionsCard({ plans, sections, floor }, sent)}
    </div>`
}

const serverPart = (
  server: ServerRow,
  accounts: readonly (readonly [string, string])[],
  sent: Sent | undefined,
): Html => {
  const { id, name, initials, color, account, is_on, version } = server
  const seen = seenOf(sent, `server ${id}`, {
    name,
    initials,
    color,
    account: account === null ? '' : String(account),
    isOn: is_on ? 'yes' : '',
  })
  return html`<li>
    <details class="grow" ${sent?.of === `server ${id}` && html`open`}>
      <summary>${serverChip(server)} <span class="strong">${name}</span>${!is_on && html` <span class="soft">off</span>`}</summary>
      <form class="form" method="post" action="${home}/${id}">
        ${versionField(version)} ${mistakePart(seen)}
        <div class="fields">
          ${lineField(seen, { name: 'name', label: 'Name', most: 60, required: true })}
          ${lineField(seen, { name: 'initials', label: 'Initials', most: 3, required: true })}
          ${choiceField(seen, { name: 'color', label: 'Color', choices: serverColors })}
          ${choiceField(seen, { name: 'account', label: 'Account of the office', choices: [['', 'None'], ...accounts] })}
        </div>
        ${tickField(seen, { name: 'isOn', label: 'Works here' })}
        <div class="inline">
          <button class="primary">Save</button>
          <button name="delete" value="yes" class="danger" formnovalidate>Delete</button>
        </div>
      </form>
    </details>
  </li>`
}
