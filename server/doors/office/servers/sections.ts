import { type Html, html } from '../../../platform/html/html.ts'
import type { Floor } from '../../../book/rules/floor/floor.ts'
import { byLabel } from '../../../book/rules/floor/written-floor.ts'
import { mostSections, savePlan } from '../../../book/servers/actions.ts'
import { type SectionPlanRow, sectionPlansOf, sectionsOf } from '../../../book/servers/reads.ts'
import {
  savePlansByCsv,
  sectionsAsCsv,
  sectionsTyped,
  versionOfPlans,
} from '../../../book/servers/sections-csv.ts'
import { labelsIn, typedLabels } from '../../../book/servers/typed-labels.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, type PageAnswer, go } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type FormSeen,
  type Typed,
  areaField,
  lineField,
  mistakePart,
  tickField,
  tokenField,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { once } from '../parts/once.ts'
import { idIn } from '../parts/time-words.ts'
import { cutWords } from './cut-words.ts'

/*
 * Which tables one server looks after: typed, as lines of a spreadsheet, or dragged. What is saved is always what is typed: the
 * script (assets/sections.js) shows the fields as boxes with tables in them, and writes each move back into the fields.
 */

export const home = '/office/settings/servers'

/** A form that came back, and which of the page it is. */
export type Sent = { readonly of: string; readonly seen: FormSeen; readonly sections: readonly string[] }

export const sent = (of: string, form: Form, mistake: string): Sent => ({
  of,
  seen: { typed: typedIn(form), mistake },
  sections: form.all('section'),
})

export const seenOf = (sent: Sent | undefined, of: string, typed: Typed = {}): FormSeen =>
  sent?.of === of ? sent.seen : { typed }

/** `shown`: the page with a form that came back. */
export const sectionPages = (
  shown: (work: OfficeWork, sent: Sent) => Promise<PageAnswer>,
): readonly VenuePage[] => [
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
      if (id === undefined) {
        await once(work, 'section plan', form, () => savePlan(work, actorOf(work.me), plan))
        return go(home, 'The section plan was saved.')
      }
      const { moved, isCut } = await savePlan(work, actorOf(work.me), plan)
      return go(home, `The section plan was saved. ${isCut ? await cutWords(work, moved) : ''}`.trim())
    },
    again: async (work, { form }, { message }) =>
      shown(work, sent(`plan ${form.text('plan')}`, form, message)),
  },
  {
    method: 'GET',
    path: `${home}/sections.csv`,
    role: 'manager',
    answer: async ({ db, venue }) => ({
      kind: 'file',
      name: `${venue.slug}-sections.csv`,
      type: 'text/csv; charset=utf-8',
      body: sectionsAsCsv(await sectionPlansOf(db, venue.id), await sectionsOf(db, venue.id)),
    }),
  },
  {
    method: 'POST',
    path: `${home}/sections-csv`,
    role: 'manager',
    answer: async (work, { form }) => {
      const lines = { text: form.text('lines'), seen: form.text('seen') }
      const moved = await savePlansByCsv(work, actorOf(work.me), lines)
      const words = moved.length > 0 ? await cutWords(work, moved) : ''
      return go(home, `The section plans were saved. ${words}`.trim())
    },
    again: async (work, { form }, { message }) => shown(work, sent('lines', form, message)),
  },
]

type Plans = {
  readonly plans: readonly SectionPlanRow[]
  readonly sections: Awaited<ReturnType<typeof sectionsOf>>
  readonly floor: Floor | undefined
}

export const sectionsCard = ({ plans, sections, floor }: Plans, sent: Sent | undefined): Html => {
  const tables = floor?.tables ?? []
  const labels = tables.map(({ label }) => label).toSorted(byLabel)
  if (labels.length === 0)
    return html`<section class="card">
      <h2>Section plans</h2>
      <p class="soft">Sections are made of tables: <a href="/office/settings/tables">add yours first</a>.</p>
    </section>`
  // A first plan begins as the rooms are.
  const byRoom = (floor?.rooms ?? []).map(({ id }) =>
    typedLabels(tables.filter(({ room }) => room === id).map(({ label }) => label)),
  )
  return html`<section class="card" id="section-plans">
    <h2>Section plans</h2>
    <p class="soft">Which tables one server looks after. Type the labels of each section, such as 11 12 13.</p>
    ${plans.map((plan) => {
      const own = sent?.of === `plan ${plan.id}` ? sent : undefined
      const typed = own?.sections ?? sectionsTyped(sections, plan.id)
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
    ${linesForm(plans, sections, sent)}
  </section>`
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
  return html`<form class="form" method="post" action="${home}/sections" data-sections="${JSON.stringify(labels)}">
    ${plan ? versionField(plan.version) : tokenField(seen.typed.token)}
    <input type="hidden" name="plan" value="${plan?.id ?? ''}" /> ${mistakePart(seen)}
    <div class="fields">
      ${lineField(seen, { name: 'name', label: 'Name of the plan', most: 60, required: true })}
    </div>
    <div class="fields section-fields">
      ${Array.from(
        { length: shown },
        (_, n) =>
          html`<label class="field"><span>Section ${n + 1}</span><input name="section" value="${sections[n] ?? ''}" autocomplete="off" maxlength="1000" /></label>`,
      )}
    </div>
    ${unused.length > 0 && html`<p class="small soft" data-unused>In no section yet: ${typedLabels(unused)}</p>`}
    ${plan && tickField(seen, { name: 'isOn', label: 'Offered in line-ups' })}
    <div><button class="primary">Save sections</button></div>
  </form>`
}

/** All plans at once, for a spreadsheet. */
const linesForm = (
  plans: readonly SectionPlanRow[],
  sections: Plans['sections'],
  sent: Sent | undefined,
): Html => {
  const own = sent?.of === 'lines' ? sent.seen : undefined
  const now = { lines: sectionsAsCsv(plans, sections).replaceAll('\r\n', '\n') }
  const isStale = own !== undefined && own.typed['seen'] !== versionOfPlans(plans)
  const seen: FormSeen = own ? { ...own, ...(isStale && { meanwhile: now }) } : { typed: now }
  return html`<details ${own && html`open`}>
    <summary class="strong">As spreadsheet rows</summary>
    <form class="form" method="post" action="${home}/sections-csv">
      <input type="hidden" name="seen" value="${versionOfPlans(plans)}" />
      ${mistakePart(seen)}
      ${areaField(seen, {
        name: 'lines',
        label: 'Sections of all plans',
        most: 100_000,
        rows: 8,
        hint: 'One line for each section, as from a spreadsheet: Usual,1,11 12 13. A plan that is not there yet is made; one that is not in these lines stays as it is.',
      })}
      <div class="inline">
        <button class="primary">Save these lines</button>
        <a class="button" href="${home}/sections.csv">Download as CSV</a>
      </div>
    </form>
  </details>`
}
