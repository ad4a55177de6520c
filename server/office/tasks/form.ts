import { limits } from '@venue-data/contract/limits.ts'
import { priorities } from '@venue-data/contract/lead.ts'
import { taskCategories } from '@venue-data/contract/task.ts'
import { type Html, html } from '../../html/html.ts'
import type { StaffTaskRow } from '../../tasks/staff-reads.ts'
import {
  type FormSeen,
  type Typed,
  choiceField,
  lineField,
  mistakePart,
  tokenField,
  versionField,
} from '../parts/fields.ts'

const home = '/office/tasks'

export const typedOf = (task: StaffTaskRow): Typed => ({
  title: task.title,
  due: task.due ?? '',
  priority: task.priority,
  category: task.category,
  client: task.client ?? '',
})

/** One task, to change or to throw away. */
export const taskForm = (task: StaffTaskRow, seen: FormSeen): Html =>
  html`<div class="page-head">
      <div>
        <p class="small"><a class="crumb" href="${home}">‹ Tasks</a></p>
        <h1>Task</h1>
      </div>
      <form method="post" action="${home}/${task.id}/delete" data-asks="Delete this task?">
        ${versionField(task.version)}<button class="danger">Delete</button>
      </form>
    </div>
    <section class="card narrow">
      <form class="form" method="post" action="${home}/${task.id}">
        ${versionField(task.version)} ${mistakePart(seen)} ${title(seen)} ${details(seen)}
        <div class="inline">
          <button class="primary">Save</button><a class="button quiet" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`

/** The line at the top of the list: a title is enough. */
export const quickTask = (seen: FormSeen): Html =>
  html`<section class="card">
    <form class="form" method="post" action="${home}">
      ${tokenField(seen.typed.token)} ${mistakePart(seen)}
      <div class="quick">
        ${title(seen)}
        <button class="primary">Add</button>
      </div>
      <details ${seen.mistake !== undefined && html`open`}>
        <summary>When, how urgent, what for</summary>
        ${details({ ...seen, typed: { priority: 'Medium', category: 'Other', ...seen.typed } })}
      </details>
    </form>
  </section>`

const title = (seen: FormSeen): Html =>
  lineField(seen, {
    name: 'title',
    label: 'What is to be done',
    most: limits.titleCharacters,
    required: true,
  })

const details = (seen: FormSeen): Html =>
  html`<div class="fields">
    ${lineField(seen, { name: 'due', label: 'Due', type: 'date' })}
    ${choiceField(seen, { name: 'priority', label: 'Priority', choices: priorities })}
    ${choiceField(seen, { name: 'category', label: 'Category', choices: taskCategories })}
    ${lineField(seen, { name: 'client', label: 'Who it is about', most: limits.shortTextCharacters })}
  </div>`
