import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkOf, networksOf } from './network.ts'

describe('what tries are counted by', () => {
  it('is a whole IPv4 address, however it is written', () => {
    assert.equal(networkOf('203.0.113.7'), '203.0.113.7')
    assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7')
    assert.notEqual(networkOf('203.0.113.7'), networkOf('203.0.113.8'))
  })

  it('is the network of an IPv6 address, whose holder has all of it', () => {
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
    assert.equal(networkOf('2001:DB8:1:2::9'), '2001:db8:1:2::/64')
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64')
    assert.equal(networkOf('::1'), '0:0:0:0::/64')
    assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64')
    assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  })

  it('is also the 56 and 48 bits around it, with four and sixteen times the room', () => {
    assert.deepEqual(networksOf('2001:db8:1:23f::9'), [
      { name: '2001:db8:1:23f::/64', times: 1 },
      { name: '2001:db8:1:200::/56', times: 4 },
      { name: '2001:db8:1::/48', times: 16 },
    ])
    assert.deepEqual(networksOf('203.0.113.7'), [{ name: '203.0.113.7', times: 1 }])
  })

  it('is one for all that is no address', () => {
    for (const text of ['', 'localhost', '1.2.3', 'x'.repeat(10_000), 'a:b:c', '][::1', '1.2.3.4, 5.6.7.8'])
      assert.equal(networkOf(text), 'unknown', text.slice(0, 20))
  })
})
