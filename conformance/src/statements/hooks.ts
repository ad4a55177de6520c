import { expectFields, expectRefusal, expectStatus } from '../expect.ts'
import type { Section } from '../statement.ts'

const event = 'ticket_order.refunded'

export const hooks: Section = {
  name: 'Hooks',
  about: "What the venue's automation platform uses instead of webhook endpoints.",
  statements: [
    {
      number: '1',
      says: 'Only addresses on the platform’s hook host are accepted, and only known events; else 400.',
      check: async ({ write }) => {
        for (const targetUrl of ['https://example.com/hook', 'http://hooks.zapier.com/a', '']) {
          expectRefusal(await write.post('/hooks', { event, targetUrl }), 400)
        }
        const body = { event: 'guest.eaten', targetUrl: 'https://hooks.zapier.com/hooks/conformance' }
        expectRefusal(await write.post('/hooks', body), 400)
      },
    },
    {
      number: '2',
      says: 'POST makes a hook: 201 with id, event and targetUrl; DELETE removes it, and then it is 404.',
      needs: ['loopback'],
      check: async ({ write, unique }) => {
        const targetUrl = `https://hooks.zapier.com/hooks/${unique()}`
        const made = await write.post('/hooks', { event, targetUrl })
        expectStatus(made, 201)
        expectFields(made.body, { event, targetUrl }, 'the hook')
        const gone = await write.delete(`/hooks/${made.body.id}`)
        expectStatus(gone, 200)
        expectFields(gone.body, { id: made.body.id, deleted: true }, 'the reply')
        expectRefusal(await write.delete(`/hooks/${made.body.id}`), 404)
      },
    },
  ],
}
