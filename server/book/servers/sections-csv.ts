import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { csvRow } from '../../platform/kernel/csv/csv-text.ts'
import { csvTyped } from '../../platform/kernel/csv/csv-typed.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { changedMeanwhile } from '../../platform/kernel/running/seen-version.ts'
import { mostPlans, mostSections, savePlan } from './actions.ts'
import type { MovedByCut } from './move-from-cuts.ts'
import { type SectionPlanRow, sectionPlansOf, sectionsOf } from './reads.ts'
import { typedLabels } from './typed-labels.ts'

/*
 * All section plans as lines of a spreadsheet, out and in again: a line for each section. A plan that a text names is as the
 * text has it from then on, or new; one that it does not name stays as it is.
 */

const columns = ['plan', 'section', 'tables'] as const

/** The tables of each section of a plan, from the first, as a field begins. */
export const sectionsTyped = (
  sections: Awaited<ReturnType<typeof sectionsOf>>,
  plan: number,
): readonly string[] => {
  const own = sections.filter(({ plan_id }) => plan_id === plan)
  const most = Math.max(0, ...own.map(({ section }) => section))
  return Array.from({ length: most }, (_, n) =>
    typedLabels(own.filter(({ section }) => section === n + 1).map(({ label }) => label)),
  )
}

export const sectionsAsCsv = (
  plans: readonly SectionPlanRow[],
  sections: Awaited<ReturnType<typeof sectionsOf>>,
): string =>
  csvRow(columns) +
  plans
    .flatMap(({ id, name }) =>
      sectionsTyped(sections, id).flatMap((tables, n) =>
        tables === '' ? [] : [csvRow([name, n + 1, tables])],
      ),
    )
    .join('')

/** Changes with each change of a plan, so that an old page is refused. */
export const versionOfPlans = (plans: readonly SectionPlanRow[]): string =>
  plans
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, version }) => `${id}.${version}`)
    .join(' ')

/**
 * Saves the plans of a text, all or none. Refuses a line that cannot be read, a section twice in a plan, an old page, and what
 * `savePlan` refuses. Returns who was moved from tables that are cut now.
 */
export const savePlansByCsv = async (
  work: Work,
  actor: Actor,
  { text, seen }: { readonly text: string; readonly seen: string },
): Promise<readonly MovedByCut[]> => {
  const { db, venue } = work
  const moved: MovedByCut[] = []
  const [plans, sections] = [await sectionPlansOf(db, venue.id), await sectionsOf(db, venue.id)]
  if (seen !== versionOfPlans(plans)) throw changedMeanwhile('page')
  for (const [name, typed] of plansIn(text)) {
    const plan = plans.find((one) => one.name.toLowerCase() === name.toLowerCase())
    const is = plan && sectionsTyped(sections, plan.id)
    if (plan && is?.join('\n') === typed.join('\n') && plan.name === name) continue
    const saved = await savePlan(work, actor, {
      ...{ id: plan?.id, version: plan?.version ?? 0, isOn: plan?.is_on ?? true },
      ...{ name, sections: typed },
    })
    moved.push(...saved.moved)
  }
  return moved
}

/** The sections of each plan that a text names, by the name as it is first written. */
const plansIn = (text: string): ReadonlyMap<string, readonly string[]> => {
  const { rows, mistakes } = csvTyped(text, { columns, needed: columns, most: mostPlans * mostSections })
  const plans = new Map<string, string[]>()
  const names = new Map<string, string>()
  for (const row of rows) {
    const written = row.text('plan')
    if (written === '') mistakes.push(`Line ${row.line}: plan is missing.`)
    const name = names.get(written.toLowerCase()) ?? written
    names.set(written.toLowerCase(), name)
    const section = row.number('section', [1, mostSections], 0)
    if (row.text('section') === '') mistakes.push(`Line ${row.line}: section is missing.`)
    const own = plans.get(name) ?? []
    plans.set(name, own)
    if (own[section - 1] !== undefined)
      mistakes.push(`Line ${row.line}: section ${section} of ${name} is there twice.`)
    if (section > 0) own[section - 1] = row.text('tables')
  }
  if (mistakes.length > 0) throw badRequest(mistakes.join(' '))
  if (plans.size === 0) throw badRequest('There is no line of a section.')
  return new Map([...plans].map(([name, own]) => [name, Array.from(own, (tables) => tables ?? '')]))
}
