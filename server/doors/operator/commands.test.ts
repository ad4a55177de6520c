import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { openBook } from '../../book/reservations/test/book.ts'
import { rollingUp } from '../../data/reports/roll-up.ts'
import { scopesOfWords } from '../../integrations/access/scopes.ts'
import { sql } from '../../platform/db/sql.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'
import { allCommands } from './commands.ts'
import { readCommandLine } from './read-command-line.ts'

const commands = await allCommands()

/* What each command answers, run in this process; operator.test.ts runs the program. */
describe("the operator's commands", () => {
  let service: TestService
  let folder: string
  const run = async (...args: string[]) => {
    const line = readCommandLine(args, commands)
    if (line.kind !== 'command') throw new Error(line.text)
    return line.command.run(service.context, line.given)
  }
  // oxlint-disable-next-line typescript/no-explicit-any -- the test looks into answers it knows
  const json = async (...args: string[]): Promise<any> =>
    JSON.parse(JSON.stringify((await run(...args)).json))
  const refused = async (...args: string[]): Promise<string> => {
    const error = await run(...args).then(
      () => assert.fail(`not refused: ${args.join(' ')}`),
      (error: unknown) => error as Error,
    )
    assert.equal(error.name, 'Refusal', error.message)
    return error.message
  }
  const file = async (text: string | Buffer): Promise<string> => {
    await writeFile(join(folder, 'file'), text)
    return join(folder, 'file')
  }
  const statusOf = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).status

  before(async () => {
    service = await startService()
    folder = await mkdtemp(join(tmpdir(), 'venue-operator-'))
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  describe('venue', () => {
    it('create prints the venue; list has it', async () => {
      const made = await json(
        ...['venue', 'create', '--slug', 'lantern', '--name', ' Lantern ', '--timezone', 'Europe/Kyiv'],
        ...['--plan', 'group', '--country', 'UA', '--phone', '+380 44 555 0100'],
      )
      assert.deepEqual(made, {
        slug: 'lantern',
        name: 'Lantern',
        timezone: 'Europe/Kyiv',
        plan: 'group',
        paused: false,
        country: 'UA',
        phone: '+380 44 555 0100',
        postalAddress: null,
        mailFrom: null,
        testAddresses: [],
        monthlyEmails: 10_000,
        access: 'none',
        createdAt: '2026-10-06T19:00:00.000Z',
      })
      const list = await json('venue', 'list')
      assert.deepEqual(
        list.find(({ slug }: { slug: string }) => slug === 'lantern'),
        made,
      )
    })

    it('create refuses every field that cannot be kept, all at once, and a slug that is taken', async () => {
      const create = (slug: string, name: string, timezone: string, ...more: string[]) =>
        refused('venue', 'create', '--slug', slug, '--name', name, '--timezone', timezone, ...more)
      const mistakes = (await create('Blue Door', ' ', '+02:00', '--country', 'usa', '--phone', '555')).split(
        '\n',
      )
      assert.deepEqual(
        mistakes.map((mistake) => mistake.split(' must')[0]),
        ['The slug', 'The name', 'The timezone', 'The country', 'The phone'],
      )
      await service.venue({ slug: 'taken' })
      assert.equal(await create('taken', 'Other', 'UTC'), 'The slug taken is taken by another venue.')
    })

    it('update changes what is given and leaves the rest', async () => {
      await service.venue({ slug: 'mill' })
      await json(
        ...[
          'venue',
          'update',
          '--slug',
          'mill',
          '--postal-address',
          '1 Mill Lane',
          '--mail-from',
          'hi@mill.example',
        ],
        ...['--test-address', 'a@mill.example', '--test-address', 'b@mill.example', '--monthly-emails', '0'],
      )
      const second = await json('venue', 'update', '--slug', 'mill', '--plan', 'free', '--paused', 'true')
      assert.deepEqual(
        [second.plan, second.paused, second.postalAddress, second.mailFrom, second.monthlyEmails],
        ['free', true, '1 Mill Lane', 'hi@mill.example', 0],
      )
      assert.deepEqual(second.testAddresses, ['a@mill.example', 'b@mill.example'])
    })

    it('update replaces the saved test addresses by the list given; an empty text takes a value away', async () => {
      await service.venue({ slug: 'pier' })
      const update = (...args: string[]) => json('venue', 'update', '--slug', 'pier', ...args)
      await update('--test-address', 'a@pier.example', '--postal-address', '1 Pier')
      const replaced = await update('--test-address', 'c@pier.example')
      assert.deepEqual(replaced.testAddresses, ['c@pier.example'])
      const emptied = await update('--test-address', '', '--postal-address', '')
      assert.deepEqual([emptied.testAddresses, emptied.postalAddress], [[], null])
      assert.match(
        await refused('venue', 'update', '--slug', 'pier', '--test-address', 'nobody'),
        /^Each test address/,
      )
      assert.equal(
        await refused(
          ...['venue', 'update', '--slug', 'pier', '--test-address', 'a@b.io', '--test-address', 'A@b.io'],
        ),
        'A test address is listed twice.',
      )
    })

    it('a paused venue, or one on a plan without the API, is answered 403 until it changes back', async () => {
      const { key } = await service.venue({ slug: 'quay' })
      const after = async (...change: string[]) => {
        await json('venue', 'update', '--slug', 'quay', ...change)
        return statusOf(key)
      }
      assert.equal(await after('--paused', 'true'), 403)
      assert.equal(await after('--paused', 'false'), 200)
      assert.equal(await after('--plan', 'starter'), 403)
      assert.equal(await after('--plan', 'legacy'), 200)
    })
  })

  describe('rules', () => {
    it('import replaces the rules; show prints a document that imports to the same rules', async () => {
      await service.venue({ slug: 'cellar' })
      const document = {
        maxParty: 8,
        pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null },
        periods: [{ weekday: 5, name: 'Dinner', opens: '17:00', closes: '02:00', lastArrival: '01:00' }],
        specialDays: [
          { date: '2026-10-12', name: 'Columbus Day', periods: [{ opens: '17:00', closes: '21:00' }] },
        ],
        blocks: [
          { serviceDate: '2026-10-09', from: '18:00', to: '19:30', scope: 'online', publicNote: null },
        ],
      }
      const importing = async (text: string) =>
        json('rules', 'import', '--venue', 'cellar', '--file', await file(text))
      const imported = await importing(JSON.stringify(document))
      assert.deepEqual(await json('rules', 'show', '--venue', 'cellar'), imported)
      const { text } = await run('rules', 'show', '--venue', 'cellar')
      assert.deepEqual(await importing(text), imported)
      const replaced = await importing(JSON.stringify({ periods: [] }))
      assert.deepEqual([replaced.periods, replaced.specialDays, replaced.maxParty], [[], [], null])
    })

    it('import leaves a trail of what it changed, and none where it changes nothing', async () => {
      const venue = await service.venue({ slug: 'pantry' })
      const friday = { weekday: 5, name: 'Dinner', opens: '17:00', closes: '22:00' }
      for (const periods of [[friday], [friday], [{ ...friday, weekday: 1 }]])
        await json('rules', 'import', '--venue', 'pantry', '--file', await file(JSON.stringify({ periods })))
      assert.deepEqual(
        await rowsOf(
          service,
          `select actor_kind, action, before->>'periods' like '%"weekday":5%' as was, (after->>'periods')::json->0->>'weekday' as is
             from activity where venue_id = ${venue.id} order by id`,
        ),
        [
          { actor_kind: 'service', action: 'import the rules', was: false, is: '5' },
          { actor_kind: 'service', action: 'import the rules', was: true, is: '1' },
        ],
      )
    })

    it('a document with mistakes prints a sentence for each and changes nothing', async () => {
      await service.venue({ slug: 'attic' })
      const before = await json('rules', 'show', '--venue', 'attic')
      const importing = async (bytes: string | Buffer) =>
        refused('rules', 'import', '--venue', 'attic', '--file', await file(bytes))
      const mistakes = await importing(JSON.stringify({ minParty: 0, colour: 'blue' }))
      assert.equal(mistakes.split('\n').length, 3, mistakes)
      assert.match(await importing('{'), /is not JSON/)
      assert.match(await importing(Buffer.from([0xff])), /is not UTF-8/)
      assert.match(await importing(' '.repeat(2_000_000)), /more than 1048576 bytes/)
      assert.match(await refused('rules', 'import', '--venue', 'attic', '--file', '/nowhere/f'), /\(ENOENT\)/)
      assert.deepEqual(await json('rules', 'show', '--venue', 'attic'), before)
    })
  })

  describe('key', () => {
    const create = (venue: string, kind = 'api', scope = 'read') =>
      json('key', 'create', '--venue', venue, '--kind', kind, '--scope', scope)
    const accessOf = async (slug: string) =>
      (await json('venue', 'list')).find((one: { slug: string }) => one.slug === slug).access
    const makeVenue = (slug: string, plan: string) =>
      json('venue', 'create', '--slug', slug, '--name', slug, '--timezone', 'UTC', '--plan', plan)

    it('create grants access to a venue on pro, group or legacy, so that the key works', async () => {
      for (const plan of ['pro', 'group', 'legacy']) {
        await makeVenue(`on-${plan}`, plan)
        const { key } = await create(`on-${plan}`)
        assert.equal(await statusOf(key), 200)
        assert.equal(await accessOf(`on-${plan}`), 'approved')
      }
    })

    it('create on another plan makes the key without access, and says that it is answered 403', async () => {
      await makeVenue('on-free', 'free')
      const { json, notes } = await run(
        'key',
        'create',
        '--venue',
        'on-free',
        '--kind',
        'api',
        '--scope',
        'read',
      )
      assert.equal(await statusOf((json as { key: string }).key), 403)
      assert.equal(await accessOf('on-free'), 'none')
      assert.match(String(notes), /free, does not include the API/)
    })

    it('create of an automation key needs no access and gives none', async () => {
      await makeVenue('on-hooks', 'pro')
      const { key } = await create('on-hooks', 'automation')
      assert.equal(await statusOf(key), 200)
      assert.equal(await accessOf('on-hooks'), 'none')
    })

    it('revoke also stops the webhook endpoints that the key made', async () => {
      const venue = await service.venue({ slug: 'bell-tower' })
      const made = await create('bell-tower', 'api', 'read_write')
      const { status, text } = await service.call('POST', '/api/v1/webhooks', {
        key: made.key,
        body: { url: 'https://hooks.example.com/bell', events: ['reservation.created'] },
      })
      assert.equal(status, 201, text)
      await json('key', 'revoke', '--id', String(made.id))
      const { body } = await service.call('GET', '/api/v1/webhooks', { key: venue.key })
      assert.deepEqual([body[0].status, body[0].disabledReason], ['disabled', 'key-revoked'])
    })

    it('create and update settle what a key may do, until when and from where', async () => {
      await service.venue({ slug: 'on-terms' })
      const made = (await json(
        ...['key', 'create', '--venue', 'on-terms', '--kind', 'api', '--scopes', 'guests:read, tasks:edit'],
        ...[
          '--expires-at',
          '2027-01-31T00:00:00+01:00',
          '--addresses',
          '127.0.0.1,10.0.0.0/8',
          '--may-rotate',
        ],
      )) as { id: number; key: string; scope: string }
      assert.deepEqual(made, {
        ...{ id: made.id, key: made.key, kind: 'api', scope: 'read_write' },
        ...{ scopes: ['guests:read', 'tasks:edit'], expiresAt: '2027-01-30T23:00:00.000Z' },
      })
      const id = String(made.id)
      const { scopes, addresses, expiresAt, mayRotate } = (await json(
        ...[
          'key',
          'update',
          '--id',
          id,
          '--scopes',
          'guests:read',
          '--addresses',
          'any',
          '--expires-at',
          'never',
        ],
      )) as Record<string, unknown>
      assert.deepEqual(
        { scopes, addresses, expiresAt, mayRotate },
        { scopes: ['guests:read'], addresses: [], expiresAt: null, mayRotate: true },
      )
      for (const [flags, sentence] of [
        [['--scopes', 'guests:eat'], /^There is no scope guests:eat/],
        [['--expires-at', 'soon'], /^--expires-at must be/],
        [['--addresses', 'here'], /^here is no address/],
        [['--rate-per-minute', '1000000'], /from 1 to 600/],
      ] as const)
        assert.match(await refused('key', 'update', '--id', id, ...flags), sentence)
      assert.match(await refused('key', 'update', '--id', '999999', '--may-rotate'), /^There is no key/)
    })

    it('list shows every key without its text; revoke may be repeated', async () => {
      await makeVenue('on-list', 'pro')
      const { id, key } = await create('on-list', 'api', 'read_write')
      const revoke = () => json('key', 'revoke', '--id', String(id))
      const first = await revoke()
      service.setClock('2026-10-06T19:05:00Z')
      assert.deepEqual(await revoke(), first, 'the first moment stays')
      service.setClock('2026-10-06T19:00:00Z')
      const list = await json('key', 'list', '--venue', 'on-list')
      assert.deepEqual(list, [
        {
          id,
          name: 'api key',
          kind: 'api',
          scope: 'read_write',
          scopes: scopesOfWords({ kind: 'api', scope: 'read_write' }),
          expiresAt: null,
          addresses: [],
          mayRotate: false,
          rotatedFrom: null,
          ratePerMinute: null,
          lastFour: key.slice(-4),
          createdBy: 'operator',
          createdAt: '2026-10-06T19:00:00.000Z',
          lastUsedAt: null,
          revokedAt: '2026-10-06T19:00:00.000Z',
          revokedWhy: 'revoked-by-operator',
        },
      ])
      assert.equal(await refused('key', 'revoke', '--id', '999999'), 'There is no key with the id 999999.')
    })
  })

  describe('staff', () => {
    const add = async (venue: string, email: string, password: string) =>
      json(
        ...['staff', 'add', '--venue', venue, '--email', email, '--role', 'owner'],
        ...['--password-file', await file(password)],
      )

    it('add makes an account; list shows it without anything of its password', async () => {
      await service.venue({ slug: 'tavern' })
      const made = await add('tavern', ' Ines@Example.com', 'correct horse battery\r\n')
      assert.deepEqual(made, {
        id: made.id,
        venue: 'tavern',
        email: 'Ines@Example.com',
        role: 'owner',
        createdAt: '2026-10-06T19:00:00.000Z',
      })
      assert.deepEqual(await json('staff', 'list'), [made])
    })

    it('add makes a reviewer, who belongs to no venue', async () => {
      const made = await json(
        ...['staff', 'add', '--email', 'rae@example.com', '--role', 'reviewer'],
        ...['--password-file', await file('correct horse battery')],
      )
      assert.deepEqual([made.venue, made.role], [null, 'reviewer'])
      assert.deepEqual((await json('staff', 'list')).at(-1), made)
    })

    it('add refuses a short password, an invalid address, and one that has an account', async () => {
      await service.venue({ slug: 'forge' })
      await add('forge', 'sam@example.com', 'correct horse battery')
      const flags = (email: string) => [
        'staff',
        'add',
        '--venue',
        'forge',
        '--email',
        email,
        '--role',
        'host',
      ]
      const short = await refused(...flags('sam'), '--password-file', await file('short'))
      assert.match(short, /^The email must be .*\nThe password must have 12 to 200 characters\.$/)
      const again = await refused(
        ...flags('SAM@example.com'),
        ...['--password-file', await file('correct horse battery')],
      )
      assert.equal(again, 'There is already an account with the address SAM@example.com.')
    })
  })

  describe('staff reset', () => {
    const pathOf = (link: string) => link.slice(service.context.config.publicUrl.length)

    it('makes a link, once shown, with which the person chooses a password; a newer one ends it', async () => {
      const venue = await service.venue({ slug: 'lighthouse' })
      const { email, id } = await staffOf(service, venue, 'owner')
      const first = await json('staff', 'reset', '--email', email.toUpperCase())
      assert.deepEqual(first, {
        id,
        venue: 'lighthouse',
        email,
        link: first.link,
        expiresAt: '2026-10-07T19:00:00.000Z',
        codesReset: false,
      })
      assert.match(first.link, /\/office\/new-password\/[\w-]{43}$/)
      const { link } = await json('staff', 'reset', '--email', email, '--venue', 'lighthouse')
      const visitor = visitOffice(service)
      assert.equal((await visitor.get(pathOf(first.link))).status, 404)
      assert.equal((await visitor.post(pathOf(link), { password: 'chosen by herself' })).status, 200)
      const seen = await visitor.post('/office/sign-in', { email, password: 'chosen by herself' })
      assert.equal(seen.status, 303)
      assert.match(
        (await visitor.get('/office/activity')).words,
        /Created a password reset link for \S+ by the service/,
      )
      const said = await run('staff', 'reset', '--email', email)
      assert.match(said.notes?.join() ?? '', /shown only once/)
    })

    it('--codes switches codes off and signs out everywhere, without a link', async () => {
      const venue = await service.venue({ slug: 'boathouse' })
      const { email, id } = await staffOf(service, venue, 'owner')
      const visitor = visitOffice(service)
      await visitor.signIn(email)
      await service.db.run(sql()`
        update staff set totp_secret_sealed = 'x', totp_last_step = 1 where id = ${id}`)
      assert.deepEqual(await json('staff', 'reset', '--codes', '--email', email), {
        id,
        venue: 'boathouse',
        email,
        link: null,
        expiresAt: null,
        codesReset: true,
      })
      assert.equal((await visitor.get('/office/account')).status, 303)
      assert.equal((await visitor.signIn(email)).status, 303)
    })

    it('is for reviewers, too', async () => {
      await json(
        ...['staff', 'add', '--email', 'roy@example.com', '--role', 'reviewer'],
        ...['--password-file', await file('correct horse battery')],
      )
      const { venue, link } = await json('staff', 'reset', '--email', 'roy@example.com')
      assert.equal(venue, null)
      const chosen = { password: 'chosen by himself' }
      assert.equal((await visitOffice(service).post(pathOf(link), chosen)).status, 200)
    })

    it('refuses an address without an account, one of another venue, and a shut account', async () => {
      const venue = await service.venue({ slug: 'wine-cellar' })
      await service.venue({ slug: 'loft' })
      const { email, id } = await staffOf(service, venue, 'host')
      assert.equal(
        await refused('staff', 'reset', '--email', 'nobody@example.com'),
        'There is no account with the address nobody@example.com.',
      )
      assert.equal(
        await refused('staff', 'reset', '--email', email, '--venue', 'loft'),
        `There is no account with the address ${email} at this venue.`,
      )
      await service.db.run(sql()`update staff set disabled_at = now() where id = ${id}`)
      assert.match(await refused('staff', 'reset', '--email', email), /is deactivated/)
    })
  })

  it('listen refuses to forward to another machine', async () => {
    assert.equal(
      await refused('listen', '--port', '4000', '--forward-to', 'https://example.com/hook'),
      'Deliveries can only be forwarded to this machine: use an address such as http://localhost:3000/hook.',
    )
  })

  it('reports check passes sums of past days that are those of their bookings, and fails with the days that are not, until these are made once more', async () => {
    const book = await openBook(service)
    for (const date of ['2026-09-28', '2026-09-30']) await book.booking('Completed', { date })
    const makeSums = () => rollingUp(service.context)(new AbortController().signal)
    const check = ['reports', 'check', '--venue', book.venue.slug, '--from', '2026-09-20']
    await makeSums()
    assert.deepEqual(await json(...check), { days: 14, differing: [] })
    // As a previous release writes it: without a mark.
    await book.query(
      `update reservation set party_size = party_size + 1 where venue_id = $1 and service_date = '2026-09-28'`,
      [book.venue.id],
    )
    assert.equal(
      await refused(...check),
      '1 of 14 days differ from their bookings and are made once more: 2026-09-28.',
    )
    await makeSums()
    assert.deepEqual(await json(...check), { days: 14, differing: [] })
    assert.equal(
      await refused(...check.slice(0, -1), '2026-09-31'),
      '--from must be a real date, YYYY-MM-DD, not "2026-09-31".',
    )
  })

  it('every command about a venue refuses a slug that no venue has', async () => {
    const sentence = 'There is no venue with the slug "nowhere".'
    for (const args of [
      ['venue', 'update', '--slug', 'nowhere', '--plan', 'pro'],
      ['rules', 'show', '--venue', 'nowhere'],
      ['rules', 'import', '--venue', 'nowhere', '--file', '/nowhere/f'],
      ['access', 'approve', '--venue', 'nowhere'],
      ['key', 'create', '--venue', 'nowhere', '--kind', 'api', '--scope', 'read'],
      ['key', 'list', '--venue', 'nowhere'],
      ['reports', 'check', '--venue', 'nowhere', '--from', '2026-09-20'],
      [
        'staff',
        'add',
        '--venue',
        'nowhere',
        '--email',
        'a@b.io',
        '--role',
        'host',
        '--password-file',
        '/nowhere/f',
      ],
    ])
      assert.equal(await refused(...args), sentence, args.join(' '))
  })
})
