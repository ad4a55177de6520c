import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { nameAmongStaff } from '../../../core/staff/staff-names.ts'
import { staffOfVenue } from '../../../core/staff/people.ts'
import { wholeFloor } from '../../../book/rules/floor/floor-reads.ts'
import {
  type TypedServer,
  addServer,
  changeServer,
  mostSections,
  removeServer,
  savePlan,
} from '../../../book/servers/actions.ts'
import { type SectionPlanRow, sectionPlansOf, sectionsOf, serversOf } from '../../../book/servers/reads.ts'
import { type ServerRow, serverColors } from '../../../book/servers/server.ts'
import { labelsIn, typedLabels } from '../../../book/servers/typed-labels.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type FormSeen,
  type Typed,
  choiceField,
  idOf,
  lineField,
  mistakePart,
  tickField,
  tokenField,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { once } from '../parts/once.ts'
import { serverChip } from '../parts/server-chip.ts'
import { idIn } from '../parts/time-words.ts'
import { settingsHead } from '../settings/tabs.ts'

/* What a manager keeps for the line-ups: who serves, and which tables are a section. */

const home = '/office/settings/servers'

export const serverSettingsPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => page('Servers', await body(work)),
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
    again: async (work, { form }, { message }) =>
      page('Servers', await body(work, sent('new', form, message))),
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
      page('Servers', await body(work, sent(`server ${params.id}`, form, message))),
  },
  {
    method: 'POST',
    path: `${home}/sections`,
    role: 'manager',
    answer: async (work, { form }) => {
      const id = idIn(form.text('plan'))
      const plan = {
        id,
        version: id === undefined ? 0 : versionIn(form),
        name: form.text('name'),
        isOn: id === undefined || form.text('isOn') === 'yes',
        sections: form.all('section'),
      }
      if (id === undefined)
        await once(work, 'section plan', form, () => savePlan(work, actorOf(work.me), plan))
      else await savePlan(work, actorOf(work.me), plan)
      return go(home, 'The section plan was saved.')
    },
    again: async (work, { form }, { message }) =>
      page('Servers', await body(work, sent(`plan ${form.text('plan')}`, form, message))),
  },
]

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

/** A form that came back, and which of the page it is. */
type Sent = { readonly of: string; readonly seen: FormSeen; readonly sections: readonly string[] }

const sent = (of: string, form: Form, mistake: string): Sent => ({
  of,
  seen: { typed: typedIn(form), mistake },
  sections: form.all('section'),
})

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
  const typedOf = (plan: number): string[] => {
    const own = sections.filter(({ plan_id }) => plan_id === plan)
    const most = Math.max(0, ...own.map(({ section }) => section))
    return Array.from({ length: most }, (_, n) =>
      typedLabels(own.filter(({ section }) => section === n + 1).map(({ label }) => label)),
    )
  }
  // A first plan begins as the rooms are.
  const byRoom = (floor?.rooms ?? []).map(({ id }) =>
    typedLabels((floor?.tables ?? []).filter(({ room }) => room === id).map(({ label }) => label)),
  )
  const labels = (floor?.tables ?? []).map(({ label }) => label)
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
      ${
        labels.length === 0
          ? html`<section class="card">
              <h2>Section plans</h2>
              <p class="soft">Sections are made of tables: <a href="/office/settings/tables">add yours first</a>.</p>
            </section>`
          : html`<section class="card">
              <h2>Section plans</h2>
              <p class="soft">Which tables one server looks after. Type the labels of each section, such as 11 12 13.</p>
              ${plans.map((plan) => {
                const own = sent?.of === `plan ${plan.id}` ? sent : undefined
                const typed = own?.sections ?? typedOf(plan.id)
                return html`<details ${own && html`open`}>
                  <summary class="strong">${plan.name}${!plan.is_on && ' (off)'} <span class="soft">${typed.filter((one) => one.trim() !== '').length} sections</span></summary>
                  ${planForm(plan, own?.seen ?? { typed: { name: plan.name, isOn: plan.is_on ? 'yes' : '' } }, typed, labels)}
                </details>`
              })}
              <details ${(plans.length === 0 || sent?.of === 'plan ') && html`open`}>
                <summary class="strong">New section plan</summary>
                ${planForm(
                  undefined,
                  seenOf(sent, 'plan ', { name: plans.length === 0 ? 'Usual' : '' }),
                  sent?.of === 'plan ' ? sent.sections : byRoom,
                  labels,
                )}
              </details>
            </section>`
      }
    </div>`
}

const seenOf = (sent: Sent | undefined, of: string, typed: Typed = {}): FormSeen =>
  sent?.of === of ? sent.seen : { typed }

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

const planForm = (
  plan: SectionPlanRow | undefined,
  seen: FormSeen,
  sections: readonly string[],
  labels: readonly string[],
): Html => {
  const used = new Set(
    sections.flatMap((one) =>
      labelsIn(
        one,
        labels.map((label) => label.toLowerCase()),
      ).map((label) => label.toLowerCase()),
    ),
  )
  const unused = labels.filter((label) => !used.has(label.toLowerCase()))
  const shown = Math.min(mostSections, Math.max(6, sections.length + 2))
  return html`<form class="form" method="post" action="${home}/sections">
    ${plan ? versionField(plan.version) : tokenField(seen.typed.token)}
    <input type="hidden" name="plan" value="${plan?.id ?? ''}" /> ${mistakePart(seen)}
    <div class="fields">
      ${lineField(seen, { name: 'name', label: 'Name of the plan', most: 60, required: true })}
    </div>
    <div class="fields">
      ${Array.from(
        { length: shown },
        (_, n) =>
          html`<label class="field"><span>Section ${n + 1}</span><input name="section" value="${sections[n] ?? ''}" autocomplete="off" maxlength="1000" /></label>`,
      )}
    </div>
    ${unused.length > 0 && html`<p class="small soft">In no section yet: ${typedLabels(unused)}</p>`}
    ${plan && tickField(seen, { name: 'isOn', label: 'Offered in line-ups' })}
    <div><button class="primary">Save sections</button></div>
  </form>`
}
