import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { scopesOfWords } from '../../integrations/access/scopes.ts'
import { staffOf, visitOffice } from '../../test/office.ts'
import { type Ran, runOperator, settingsOf } from '../../test/processes/operator.ts'
import { type TestService, startService } from '../../test/service.ts'

const rulesDocument = {
  minParty: 2,
  maxDaysAhead: 60,
  periods: [
    { weekday: 2, name: 'Dinner', opens: '17:00', closes: '22:00', lastArrival: '21:00' },
    { weekday: 5, name: 'Dinner', opens: '17:00', closes: '02:00' },
  ],
  closures: [{ from: '2026-12-24', to: '2026-12-26', name: 'Christmas break' }],
}

describe('the operator at the command line', () => {
  let service: TestService
  let folder: string
  const run = (...args: string[]): Promise<Ran> => runOperator(args, settingsOf(service))
  /** Runs with --json; standard output must be exactly one JSON value. */
  const answer = async (...args: string[]) => {
    const ran = await run(...args, '--json')
    assert.equal(ran.code, 0, ran.stderr)
    return JSON.parse(ran.stdout)
  }
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const me = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).status

  before(async () => {
    service = await startService()
    folder = await mkdtemp(join(tmpdir(), 'venue-operator-'))
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('makes a venue, imports its rules and makes a key that works at once; revoked, it is 401 at once', async () => {
    const made = await answer(
      ...[
        'venue',
        'create',
        '--slug',
        'blue-door',
        '--name',
        'The Blue Door',
        '--timezone',
        'America/New_York',
      ],
    )
    assert.deepEqual([made.slug, made.plan, made.country, made.access], ['blue-door', 'pro', 'US', 'none'])
    const rules = await file('rules.json', JSON.stringify(rulesDocument))
    const imported = await answer('rules', 'import', '--venue', 'blue-door', '--file', rules)
    assert.deepEqual(imported.closures, rulesDocument.closures)

    const key = await answer(
      ...['key', 'create', '--venue', 'blue-door', '--kind', 'api', '--scope', 'read_write'],
    )
    assert.deepEqual(Object.keys(key), ['id', 'key', 'kind', 'scope'])
    const account = await service.call('GET', '/api/v1/me', { key: key.key })
    assert.deepEqual(account.body, {
      venue: { slug: 'blue-door', name: 'The Blue Door', timezone: 'America/New_York' },
      plan: 'pro',
      key: {
        ...{ kind: 'api', scope: 'read_write', name: 'api key' },
        scopes: scopesOfWords({ kind: 'api', scope: 'read_write' }),
        createdAt: account.body.key.createdAt,
        ...{ lastUsedAt: null, expiresAt: null, allowedAddresses: 0, mayRotate: false },
      },
    })
    const book = (partySize: number) =>
      service.call('POST', '/api/v1/reservations', {
        key: key.key,
        body: { guestName: 'Maya Okafor', partySize, date: '2026-10-09', time: '19:30' },
      })
    assert.equal((await book(1)).body.reason, 'party-too-small', 'the imported rules decide')
    assert.equal((await book(2)).status, 201)

    const revoked = await answer('key', 'revoke', '--id', String(key.id))
    assert.notEqual(revoked.revokedAt, null)
    assert.equal(await me(key.key), 401)
  })

  it('withdraws the access of a venue: every key of either kind answers 401', async () => {
    const venue = await service.venue({ slug: 'harbour' })
    const automation = await venue.makeKey('read', 'automation')
    assert.deepEqual([await me(venue.key), await me(automation.key)], [200, 200])
    const access = await answer('access', 'withdraw', '--venue', 'harbour', '--why', 'Keys were published.')
    assert.deepEqual(
      [access.access, access.answer, access.liveKeys],
      ['withdrawn', 'Keys were published.', 0],
    )
    assert.deepEqual([await me(venue.key), await me(automation.key)], [401, 401])
  })

  it('makes a staff account from a password file and never shows the password', async () => {
    await service.venue({ slug: 'orchard' })
    const password = 'correct horse battery'
    const ran = await run(
      ...['staff', 'add', '--venue', 'orchard', '--email', 'Ines@Example.com', '--role', 'manager'],
      ...['--password-file', await file('password', `${password}\n`)],
    )
    assert.equal(ran.code, 0, ran.stderr)
    assert.ok(!`${ran.stdout}${ran.stderr}`.includes(password))
    assert.match(ran.stdout, /Ines@Example\.com/)
  })

  it('prints a link for a new password and nothing else on standard output', async () => {
    const venue = await service.venue({ slug: 'pier' })
    const { email } = await staffOf(service, venue, 'owner')
    const ran = await run('staff', 'reset', '--email', email, '--json')
    assert.equal(ran.code, 0, ran.stderr)
    const { link } = JSON.parse(ran.stdout)
    assert.match(link, /^http:\/\/127\.0\.0\.1:8080\/office\/new-password\/[\w-]{43}$/)
    assert.equal(ran.stdout.trim().split('\n').length, 1)
    assert.ok(!ran.stderr.includes(link.slice(-43)), 'neither in a note nor in a log')
    const { pathname } = new URL(link)
    assert.equal((await visitOffice(service).get(pathname)).status, 200)
  })

  it('ends with 1 and says why on standard error when it is refused', async () => {
    const ran = await run('rules', 'show', '--venue', 'nowhere', '--json')
    assert.deepEqual(ran, { code: 1, stdout: '', stderr: 'There is no venue with the slug "nowhere".\n' })
  })

  it('ends with 2 and a usage line when it is used wrongly', async () => {
    const ran = await run('key', 'create', '--venue', 'blue-door', '--kind', 'root', '--scope', 'read')
    assert.deepEqual([ran.code, ran.stdout], [2, ''])
    assert.match(ran.stderr, /^--kind must be api or automation\.\nUsage: bin\/venue key create --venue S /)
  })

  it('names the database, not the password, when it cannot be reached', async () => {
    const ran = await runOperator(['venue', 'list', '--json'], {
      ...settingsOf(service),
      DATABASE_URL: 'postgres://operator:hidden-word@127.0.0.1:1/none',
    })
    assert.deepEqual([ran.code, ran.stdout], [1, ''])
    assert.match(ran.stderr, /^[^\n]*ECONNREFUSED[^\n]*\n$/)
    assert.ok(!ran.stderr.includes('hidden-word'))
  })

  it('pages turns doors of the guest pages on and off, and says where they are', async () => {
    await service.venue({ slug: 'pages-venue' })
    const shown = await answer('pages', '--venue', 'pages-venue')
    assert.deepEqual(shown.doors, ['book', 'waitlist', 'enquire', 'news'])
    assert.match(shown.url, /\/v\/pages-venue$/)
    const changed = await answer('pages', '--venue', 'pages-venue', '--off', 'all', '--color', '#FFD400')
    assert.deepEqual([changed.doors, changed.color], [[], '#ffd400'])
    assert.deepEqual((await answer('pages', '--venue', 'pages-venue', '--on', 'book,news')).doors, [
      'book',
      'news',
    ])
    const wrong = await run('pages', '--venue', 'pages-venue', '--on', 'parking')
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /there is no door "parking"/)
  })

  it('a new slug moves the guest pages, and cannot be another venue’s', async () => {
    await service.venue({ slug: 'old-slug' })
    await answer('venue', 'update', '--slug', 'old-slug', '--new-slug', 'new-slug')
    assert.match((await answer('pages', '--venue', 'new-slug')).url, /\/v\/new-slug$/)
    const taken = await run('venue', 'update', '--slug', 'new-slug', '--new-slug', 'pages-venue')
    assert.equal(taken.code, 1)
    assert.match(taken.stderr, /is taken by another venue/)
  })
})
