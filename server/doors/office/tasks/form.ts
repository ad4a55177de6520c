import { type Html, html } from '../../../platform/html/html.ts'
import { taskFields } from '../../../crm/tasks/fields.ts'
import type { TaskRow } from '../../../crm/tasks/task.ts'
import { type FormSeen, mistakePart, tokenField, versionField } from '../parts/forms/fields.ts'
import { fieldPart } from '../parts/forms/form.ts'

const home = '/office/tasks'

/** One task, to change or to throw away. */
export const taskForm = (task: TaskRow, seen: FormSeen): Html =>
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
        ${versionField(task.version)} ${mistakePart(seen)} ${fieldPart(taskFields, seen, 'title')} ${details(seen)}
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
        ${fieldPart(taskFields, seen, 'title')}
        <button class="primary">Add</button>
      </div>
      <details ${seen.mistake !== undefined && html`open`}>
        <summary>More details</summary>
        ${details({ ...seen, typed: { ...taskFields.typed({}), ...seen.typed } })}
      </details>
    </form>
  </section>`

const details = (seen: FormSeen): Html =>
  html`<div class="fields">
    ${fieldPart(taskFields, seen, 'due')} ${fieldPart(taskFields, seen, 'priority')}
    ${fieldPart(taskFields, seen, 'category')} ${fieldPart(taskFields, seen, 'client')}
    ${fieldPart(taskFields, seen, 'assigned_role')}
  </div>`
