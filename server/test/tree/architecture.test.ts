import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { importsAgainstTheOrder, violationsIn } from './architecture.ts'
import { type Sources, importsOf, readSources } from './imports.ts'

const sources = readSources()

/**
 * Imports of a slice from one further down the list, which may only become fewer. No wing uses a later one;
 * these are within a wing:
 */
const withinAWing: Readonly<Record<string, number>> = {
  'integrations/access from integrations/webhooks': 5,
  'integrations/practice from integrations/webhooks': 1,
  'marketing/campaigns from marketing/bounces': 1,
}

/** What is found in the real sources with one file added or replaced. */
const planted = (path: string, text: string): string[] =>
  violationsIn(new Map([...sources, [path, text]]) satisfies Sources)

describe('architecture', () => {
  it('reads every import there is', () => {
    for (const [path, text] of sources) {
      const written =
        text.match(/^(?:import|export)\b[^;=]*?\bfrom '[^']+'|^import '[^']+'|\bawait import\('/gm)?.length ??
        0
      assert.equal(importsOf(path, text).length, written, path)
    }
    assert.ok(sources.size > 150)
    assert.deepEqual(
      importsOf(
        'server/crm/guests/x.ts',
        `import type { A } from './a.ts'\nimport {\n  type B,\n  type C as D,\n} from '../../b/b.ts'\nimport { type E, f } from '@venue-data/contract/f.ts'\nimport 'node:fs'\n// import { g } from './g.ts'\nimport * as h from 'h'\nimport i, { j } from 'i/j'\nexport { k } from './k.ts'\nconst l = (await import('./l.ts')).l\n`,
      ).map(({ to, typesOnly }) => [to, typesOnly]),
      [
        ['server/crm/guests/a.ts', true],
        ['server/b/b.ts', true],
        ['contract/f.ts', false],
        ['node:fs', false],
        ['h', false],
        ['i/j', false],
        ['server/crm/guests/k.ts', false],
        ['server/crm/guests/l.ts', false],
      ],
    )
  })

  it('every file keeps to who may import whom, without circles, barrels, defaults, environment or Date', () => {
    assert.deepEqual(violationsIn(sources), [])
  })

  it('wings and their slices keep to their order, but for imports that did not when it was written down', () => {
    assert.deepEqual(importsAgainstTheOrder(sources), withinAWing)
    const one = new Map([
      ...sources,
      ['server/crm/tasks/x.ts', `import { lanes } from '../../integrations/webhooks/engine/lanes.ts'`],
    ])
    assert.equal(importsAgainstTheOrder(one)['crm/tasks from integrations/webhooks'], 1)
  })

  describe('the check fires on', () => {
    const cases: [what: string, path: string, text: string, said: RegExp][] = [
      [
        'kernel importing db',
        'server/platform/kernel/x.ts',
        `import { sql } from '../db/sql.ts'`,
        /kernel may not know db/,
      ],
      [
        'kernel importing a type of http',
        'server/platform/kernel/x.ts',
        `import type { Query } from '../http/serve.ts'`,
        /kernel may not know http/,
      ],
      [
        'kernel doing I/O',
        'server/platform/kernel/x.ts',
        `import { readFile } from 'node:fs/promises'`,
        /kernel takes no such package/,
      ],
      [
        'the contract importing the server',
        'contract/x.ts',
        `import { sql } from '../server/platform/db/sql.ts'`,
        /contract may not know db/,
      ],
      [
        'the contract importing more than TypeBox',
        'contract/x.ts',
        `import { z } from 'zod'`,
        /contract takes no such package/,
      ],
      [
        'db importing http',
        'server/platform/db/x.ts',
        `import { ok } from '../http/serve.ts'`,
        /db may not know http/,
      ],
      [
        'a door with a statement',
        'server/doors/office/x.ts',
        `import { sql } from '../../platform/db/sql.ts'`,
        /a door has no statement/,
      ],
      [
        'http importing a slice',
        'server/platform/http/x.ts',
        `import { keyCheck } from '../../integrations/access/key-check.ts'`,
        /http may not know slices/,
      ],
      [
        'rules importing db',
        'server/crm/guests/rules.ts',
        `import { sql } from '../../platform/db/sql.ts'`,
        /rules and states are facts in/,
      ],
      [
        'a rule of a folder doing I/O',
        'server/book/reservations/rules/x.ts',
        `import { readFileSync } from 'node:fs'`,
        /rules and states are facts in/,
      ],
      [
        'the assignment of tables doing I/O',
        'server/book/day/assignment/x.ts',
        `import { readFileSync } from 'node:fs'`,
        /rules and states are facts in/,
      ],
      [
        'a slice importing the writes of another',
        'server/crm/leads/actions.ts',
        `import { insertGuest } from '../guests/writes.ts'`,
        /the writes of a slice belong to its own actions/,
      ],
      [
        'a door importing writes',
        'server/doors/operator/x.ts',
        `import { insertGuest } from '../../crm/guests/writes.ts'`,
        /the writes of a slice belong to its own actions/,
      ],
      [
        'a prefix before the name, in rules',
        'server/crm/guests/x-rules.ts',
        `import { sql } from '../../platform/db/sql.ts'`,
        /rules and states are facts in/,
      ],
      [
        'a prefix before the name, in the writes of another',
        'server/crm/leads/x.ts',
        `import { lockGuest } from '../guests/staff-writes.ts'`,
        /the writes of a slice belong to its own actions/,
      ],
      [
        'a matter with statements that answers requests',
        'server/crm/guests/merge-x.ts',
        `import { sql } from '../../platform/db/sql.ts'\nimport { ok } from '../../platform/http/serve.ts'`,
        /a file with statements knows nothing of HTTP/,
      ],
      [
        'a slice importing a door',
        'server/crm/guests/actions.ts',
        `import { page } from '../../doors/office/frame/page.ts'`,
        /slices may not know doors/,
      ],
      [
        'a slice importing the app',
        'server/crm/guests/actions.ts',
        `import { buildApp } from '../../app.ts'`,
        /slices may not know app/,
      ],
      [
        'an action importing Fastify',
        'server/crm/guests/actions.ts',
        `import { fastify } from 'fastify'`,
        /slices takes no such package/,
      ],
      [
        'a write that records an event',
        'server/crm/guests/writes.ts',
        `import { recordEvent } from '../../core/events/record.ts'`,
        /a write reports only what it changed/,
      ],
      [
        'a route that writes',
        'server/crm/guests/routes.ts',
        `import { insertGuest } from './writes.ts'`,
        /a route leads to an action/,
      ],
      [
        'a slice loading a door later',
        'server/crm/guests/actions.ts',
        `const { page } = await import('../../doors/office/frame/page.ts')`,
        /slices may not know doors/,
      ],
      [
        'the program importing a test',
        'server/crm/guests/x.ts',
        `import { startService } from '../../test/service.ts'`,
        /never imports a test/,
      ],
      [
        'an ending left out',
        'server/crm/guests/x.ts',
        `import { x } from './rules'`,
        /the ending \.ts is written out/,
      ],
      ['a room nobody knows', 'server/helpers/x.ts', 'export const x = 1', /belongs to no room/],
      [
        'a barrel',
        'server/crm/guests/index.ts',
        `export { insertGuest } from './writes.ts'`,
        /barrels are not used/,
      ],
      [
        'passing on wholesale',
        'server/crm/guests/x.ts',
        `export * from './writes.ts'`,
        /nothing is passed on wholesale/,
      ],
      ['a default export', 'server/crm/guests/x.ts', 'export default 1', /exports are named/],
      [
        'the environment',
        'server/crm/guests/x.ts',
        'export const x = process.env.HOME',
        /the environment is read in config\.ts/,
      ],
      ['Date', 'server/crm/guests/x.ts', 'export const x = new Date()', /Date is not used/],
      ['the time by Date', 'server/crm/guests/x.ts', 'export const x = () => Date.now()', /Date is not used/],
      [
        'a statement without the tag',
        'server/crm/guests/x.ts',
        `export const x = (c) => c.query('select 1')`,
        /through the sql tag/,
      ],
      [
        'the SDK importing the contract, which is not shipped',
        'sdk/src/x.ts',
        `import type { Reservation } from '@venue-data/contract/records/reservation.ts'`,
        /sdk may not know contract/,
      ],
      [
        'the SDK needing Node',
        'sdk/src/x.ts',
        `import { createHmac } from 'node:crypto'`,
        /sdk takes no such package/,
      ],
      [
        'a client importing the server',
        'cli/src/x.ts',
        `import { startService } from '../../server/main.ts'`,
        /cli may not know main/,
      ],
      [
        'the SDK reading the environment',
        'sdk/src/x.ts',
        'export const x = process.env.KEY',
        /the environment is read in config\.ts/,
      ],
      ['an enum', 'server/crm/guests/x.ts', 'export enum Colour { Red }', /only erasable TypeScript/],
    ]
    const clean = violationsIn(sources)
    for (const [what, path, text, said] of cases) {
      it(what, () => {
        const found = planted(path, `${text}\n`).filter((one) => !clean.includes(one))
        assert.ok(
          found.some((one) => one.startsWith(path) && said.test(one)),
          found.join('\n'),
        )
      })
    }

    it('a circle, over two files and over three, types included', () => {
      const two = violationsIn(
        new Map([
          ...sources,
          ['server/platform/kernel/a.ts', `import { b } from './b.ts'\n`],
          ['server/platform/kernel/b.ts', `import type { A } from './a.ts'\n`],
        ]),
      )
      assert.ok(
        two.includes(
          'server/platform/kernel/a.ts -> server/platform/kernel/b.ts -> server/platform/kernel/a.ts is a circle',
        ),
      )
      const three = violationsIn(
        new Map([
          ...sources,
          ['server/platform/kernel/a.ts', `import { b } from './b.ts'\n`],
          ['server/platform/kernel/b.ts', `import { c } from './c.ts'\n`],
          ['server/platform/kernel/c.ts', `export { a } from './a.ts'\n`],
        ]),
      )
      assert.ok(three.some((one) => one.endsWith('c.ts -> server/platform/kernel/a.ts is a circle')))
    })

    it('but not on a comment, nor on a test', () => {
      assert.deepEqual(
        planted('server/platform/kernel/x.ts', `// import { sql } from '../db/sql.ts'\n`),
        clean,
      )
      assert.deepEqual(
        planted('server/platform/kernel/x.test.ts', `import { sql } from '../db/sql.ts'\nprocess.env.X\n`),
        clean,
      )
    })
  })
})
