import { notFound } from '../../../platform/kernel/refusal.ts'
import { addTaskByStaff, deleteTask, editTask, tickTask } from '../../../crm/tasks/actions.ts'
import { taskFields } from '../../../crm/tasks/fields.ts'
import { taskById } from '../../../crm/tasks/reads.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import { backField, idOf, versionIn } from '../parts/forms/fields.ts'
import { refusedForm } from '../parts/forms/form.ts'
import { once } from '../parts/once.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { taskForm } from './form.ts'
import { taskList } from './list.ts'

const home = '/office/tasks'

/** What staff have to do: written down, ticked off, changed, thrown away. For every role. */
export const taskPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'host',
    answer: async (work, { query }) => page('Tasks', await taskList(work, query, { typed: {} })),
  },
  {
    method: 'POST',
    path: home,
    role: 'host',
    answer: async (work, { form }) => {
      await once(
        work,
        'task',
        form,
        async () => (await addTaskByStaff(work, actorOf(work.me), taskFields.in(form))).id,
      )
      return go(home, 'The task was added.')
    },
    again: async (work, { form }, { message }) =>
      page('Tasks', await taskList(work, new URLSearchParams(), refusedForm(form, message))),
  },
  {
    method: 'POST',
    path: `${home}/:id/tick`,
    role: 'host',
    answer: async (work, { params, form }) => {
      const done = form.text('done') === 'yes'
      const task = await tickTask(work, actorOf(work.me), { id: idOf(params.id, 'task'), done })
      return go(backField(form, home), done ? `Done: ${task.title}` : `Reopened: ${task.title}`)
    },
  },
  {
    method: 'GET',
    path: `${home}/:id`,
    role: 'host',
    answer: async (work, { params }) => {
      const task = await taskOf(work, params.id)
      return page('Task', taskForm(task, { typed: taskFields.typed(task) }))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id`,
    role: 'host',
    answer: async (work, { params, form }) => {
      await editTask(work, actorOf(work.me), {
        id: idOf(params.id, 'task'),
        seenVersion: versionIn(form),
        changes: taskFields.some(taskFields.in(form)),
      })
      return go(home, 'The task was saved.')
    },
    again: async (work, { params, form }, { message }) => {
      const task = await taskOf(work, params.id)
      const now = { version: task.version, typed: taskFields.typed(task) }
      return page('Task', taskForm(task, refusedForm(form, message, now)))
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/delete`,
    role: 'host',
    answer: async (work, { params, form }) => {
      await deleteTask(work, actorOf(work.me), { id: idOf(params.id, 'task'), seenVersion: versionIn(form) })
      return go(home, 'The task was deleted.')
    },
    again: async (work, { params }, { message }) => {
      const task = await taskOf(work, params.id)
      return page('Task', taskForm(task, { typed: taskFields.typed(task), mistake: message }))
    },
  },
]

const taskOf = async ({ db, venue }: OfficeWork, id: string | undefined) => {
  const task = await taskById(db, venue.id, idOf(id, 'task'))
  if (!task) throw notFound('task')
  return task
}
