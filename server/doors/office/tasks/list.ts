import { type Html, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { dayNear, momentInWords } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { TaskRow } from '../../../crm/tasks/task.ts'
import { doneTasksPage, openTasksPage, taskCounts } from '../../../crm/tasks/reads.ts'
import type { FormSeen } from '../parts/forms/fields.ts'
import { addressOf, counted, listFoot, pageRows, tabs } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'
import { nearDay } from '../parts/time-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { quickTask } from './form.ts'

const home = '/office/tasks'

/** What is open, the most urgent date first; or what was done, latest first. */
export const taskList = async (
  { db, venue, now }: OfficeWork,
  query: URLSearchParams,
  seen: FormSeen,
): Promise<Html> => {
  const shows = query.get('show') === 'done' ? 'done' : null
  const after = query.get('after')
  const asked = { limit: pageRows, after }
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const [counts, list] = await Promise.all([
    taskCounts(db, venue.id, today),
    shows === 'done' ? doneTasksPage(db, venue.id, asked) : openTasksPage(db, venue.id, {}, asked),
  ])
  const back = addressOf(home, { show: shows })
  return html`<div class="page-head">
      <h1>Tasks</h1>
      ${counts.overdue > 0 && tag(`${counts.overdue} overdue`, 'bad')}
    </div>
    ${tabs('Tasks', back, [
      [home, 'Open', counts.open],
      [`${home}?show=done`, 'Done'],
    ])}
    <div class="stack">
      ${shows === null && quickTask(seen)}
      <section class="card list-card">
        ${
          list.rows.length === 0
            ? html`<p class="empty">${emptyWords(shows, after)}</p>`
            : html`<ul class="rows tasks">
                ${list.rows.map((task) => taskRow(task, today, venue.timezone, back))}
              </ul>`
        }
        ${listFoot({ path: home, query: { show: shows }, after, next: list.next })}
      </section>
    </div>`
}

const emptyWords = (shows: 'done' | null, after: string | null): string => {
  if (after !== null) return 'No more tasks.'
  return shows === 'done' ? 'No completed tasks.' : 'No open tasks.'
}

const taskRow = (task: TaskRow, today: LocalDate, zone: string, back: string): Html =>
  html`<li id="t${task.id}">
    <form method="post" action="${home}/${task.id}/tick">
      <input type="hidden" name="back" value="${back}" />
      <button
        class="tick"
        name="done"
        value="${task.done ? 'no' : 'yes'}"
        aria-label="${task.done ? 'Reopen' : 'Done'}: ${task.title}"
        title="${task.done ? 'Reopen' : 'Done'}"
      >
        ${task.done && '✓'}
      </button>
    </form>
    <div class="grow">
      <a class="row-link breaks" href="${home}/${task.id}">${task.title}</a>
      <span class="small soft breaks"
        >${[task.category, task.client].filter((one) => one !== null).join(' · ')}${
          task.done_at !== null && ` · done ${momentInWords(task.done_at, zone)}`
        }</span
      >
    </div>
    <div class="task-tags">
      ${task.priority !== 'Medium' && tag(task.priority, task.priority === 'High' ? 'warn' : '')}
      ${task.done || task.due === null ? undefined : dueTag(task.due, today)}
    </div>
  </li>`

const dueTag = (due: LocalDate, today: LocalDate): Html => {
  const words = nearDay(due, today) ?? dayNear(due, today)
  if (due >= today) return tag(words, due === today ? 'accent' : '')
  const late = Temporal.PlainDate.from(due).until(Temporal.PlainDate.from(today)).days
  return tag(`${counted(late, 'day')} overdue`, 'bad')
}
