import { expectEqual, expectFields, expectRefusal, expectStatus } from '../expect.ts'
import type { Section } from '../statement.ts'

export const tasks: Section = {
  name: 'Tasks',
  about: 'Things for the staff of the venue to do.',
  statements: [
    {
      number: '1.1',
      says: 'POST makes a task: 201, done false, with what was sent.',
      check: async ({ write, unique }) => {
        const body = {
          title: unique(),
          due: '2031-05-06',
          priority: 'High',
          category: 'Finance',
          client: 'Ada',
        }
        const reply = await write.post('/tasks', body)
        expectStatus(reply, 201)
        expectFields(reply.body.task, { ...body, done: false }, 'the task')
      },
    },
    {
      number: '1.2',
      says: 'priority is Medium and category Other when left out.',
      check: async ({ make }) =>
        expectFields(
          await make.task(),
          { priority: 'Medium', category: 'Other', due: null, client: null },
          'it',
        ),
    },
    {
      number: '1.3',
      says: 'Any other category is filed as Other.',
      check: async ({ make }) =>
        expectEqual((await make.task({ category: 'Gardening' })).category, 'Other', 'the category'),
    },
    {
      number: '2',
      says: 'A missing title, an unreadable date and an unknown priority are 400.',
      check: async ({ write, unique }) => {
        const title = unique()
        for (const body of [
          {},
          { title: '' },
          { title: 7 },
          { title, due: 'Monday' },
          { title, due: '2026-02-30' },
          { title, priority: 'Urgent' },
        ]) {
          expectRefusal(await write.post('/tasks', body), 400)
        }
      },
    },
  ],
}
