import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { isWithin, readBlock } from './addresses.ts'

describe('blocks of addresses', () => {
  it('are read with a prefix length or as a single address, with IPv4 in either spelling', () => {
    for (const [typed, read] of [
      ['192.0.2.7', '192.0.2.7/32'],
      [' 10.0.0.0/8 ', '10.0.0.0/8'],
      ['10.1.2.3/8', '10.1.2.3/8'],
      ['0.0.0.0/0', '0.0.0.0/0'],
      ['2001:db8::/32', '2001:db8::/32'],
      ['2001:db8::1', '2001:db8::1/128'],
      ['::ffff:192.0.2.7', '192.0.2.7/32'],
      ['::ffff:c000:207', '192.0.2.7/32'],
      ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
      ['::/0', '::/0'],
    ] as const)
      assert.equal(readBlock(typed), read, typed)
    for (const typed of [
      '',
      '10',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      'fe80::1%eth0',
      '::/129',
      'host',
      '10.0.0.256',
    ])
      assert.equal(readBlock(typed), undefined, typed)
  })

  it('contain addresses of either family, including IPv4 written as IPv6', () => {
    const blocks = ['10.0.0.0/8', '192.0.2.7/32', '2001:db8::/32']
    for (const address of ['10.255.0.1', '192.0.2.7', '::ffff:10.0.0.1', '::ffff:a00:1', '2001:db8:1::5'])
      assert.equal(isWithin(blocks, address), true, address)
    for (const address of [
      '11.0.0.1',
      '192.0.2.8',
      '::ffff:11.0.0.1',
      '2001:db9::1',
      '::1',
      '',
      'nonsense',
      'unknown',
    ])
      assert.equal(isWithin(blocks, address), false, address)
    assert.equal(isWithin([], '10.0.0.1'), false)
  })
})

describe('a key restricted to addresses', () => {
  let direct: TestService
  let proxied: TestService
  before(async () => {
    direct = await startService()
    proxied = await startService({ TRUST_PROXY: '1' })
  })
  after(async () => {
    await direct.stop()
    await proxied.stop()
  })
  const bound = async (venue: TestVenue, ...addresses: string[]) =>
    (await venue.makeKey('read_write', 'api', { addresses })).key

  it('works from there and nowhere else; the refusal names the address that was seen', async () => {
    const venue = await direct.venue()
    const here = await bound(venue, '10.0.0.0/8', '127.0.0.0/8')
    assert.equal((await direct.call('GET', '/api/v1/me', { key: here })).body.key.allowedAddresses, 2)
    const key = await bound(venue, '203.0.113.0/24')
    const refused = await direct.call('GET', '/api/v1/me', { key })
    assert.equal(refused.status, 403)
    assert.deepEqual(refused.body, {
      error: 'This key may not be used from 127.0.0.1; its owner can allow that address.',
      reason: 'address-not-allowed',
    })
    assert.notEqual(refused.headers.get('ratelimit-remaining'), null, 'it counts')
    // Before the key's scopes are checked, and before the body.
    const write = await direct.call('POST', '/api/v1/campaigns', { key, body: '{' })
    assert.equal(write.body.reason, 'address-not-allowed')
  })

  it('a caller’s claim about its address counts only through a trusted proxy', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    for (const [service, status] of [
      [direct, 403],
      [proxied, 200],
    ] as const) {
      const key = await bound(await service.venue(), '203.0.113.0/24')
      assert.equal((await service.call('GET', '/api/v1/me', { key, headers })).status, status)
    }
    const key = await bound(await proxied.venue(), '203.0.113.9/32')
    const mapped = { 'x-forwarded-for': '::ffff:203.0.113.9' }
    assert.equal((await proxied.call('GET', '/api/v1/me', { key, headers: mapped })).status, 200)
    const elsewhere = await proxied.call('GET', '/api/v1/me', {
      key,
      headers: { 'x-forwarded-for': '198.51.100.1' },
    })
    assert.match(elsewhere.body.error, /from 198\.51\.100\.1;/)
  })
})
