import { expectRefusal, expectStatus } from '../expect.ts'
import type { Section } from '../statement.ts'

export const versioning: Section = {
  name: 'Versioning',
  about: 'What may come, and what stays.',
  statements: [
    {
      number: '1',
      says: 'This is version 1: every path carries /api/v1/.',
      check: async ({ write }) => {
        expectStatus(await write.get('/api/v1/me'), 200)
        for (const path of ['/api/v2/me', '/api/me', '/api/v1.0/me'])
          expectRefusal(await write.get(path), 404)
      },
    },
    {
      number: '3',
      says: 'Unknown words in a query are ignored.',
      check: async ({ write }) => {
        const query = { fields: 'id', page: '2', offset: '10', dryRun: 'true' }
        expectStatus(await write.get('/guests', query), 200)
        expectStatus(await write.get('/me', query), 200)
      },
    },
  ],
}
