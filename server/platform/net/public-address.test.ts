import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import ipaddr from 'ipaddr.js'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** IANA IPv4 Special-Purpose Address Registry, every row, including those IANA calls globally reachable. */
const ianaIpv4 = [
  '0.0.0.0/8',
  '0.0.0.0/32',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.0.0/29',
  '192.0.0.8/32',
  '192.0.0.9/32',
  '192.0.0.10/32',
  '192.0.0.170/32',
  '192.0.0.171/32',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.88.99.2/32',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '255.255.255.255/32',
]

/** IANA IPv6 Special-Purpose Address Registry, every row. */
const ianaIpv6 = [
  '::1/128',
  '::/128',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001::/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
]

/**
 * Not in those registries: multicast, site-local, older forms of IPv4 inside IPv6, a cloud's own service, unallocated
 * space.
 */
const others = [
  '224.0.0.0/4',
  '168.63.129.16/32',
  'ff00::/8',
  'fec0::/10',
  '::/96',
  '::ffff:0:0:0/96',
  '4000::/2',
  '1000::/4',
  'e000::/4',
]

const firstAndLast = (range: string): string[] => {
  const [address, bits] = ipaddr.parseCIDR(range)
  const bytes = address.toByteArray()
  const last = bytes.map((byte, index) => byte | (0xff >> Math.min(8, Math.max(0, bits - index * 8))))
  return [address.toString(), ipaddr.fromByteArray(last).toString()]
}

describe('public-address: only public unicast may be connected to', () => {
  for (const range of [...ianaIpv4, ...ianaIpv6, ...others]) {
    it(`nothing in ${range} is public`, () => {
      for (const address of firstAndLast(range)) assert.equal(isPublicAddress(address), false, address)
    })
  }

  for (const address of [
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '::8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
    '2001:0:808:808::1', // a public IPv4 address inside
    '::ffff:127.0.0.1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
    '192.0.0.192',
    '0.0.0.0',
    '::',
  ]) {
    it(`${address} is not public`, () => {
      assert.equal(isPublicAddress(address), false)
    })
  }

  for (const text of [
    '',
    ' ',
    'localhost',
    'example.com',
    '127.1',
    '0x8080808',
    '134744072',
    '010.8.8.8',
    '8.8.8',
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8/32',
    '8.8.8.8:443',
    '[2606:4700::1111]',
    '2606:4700::1111%eth0',
    'fe80::1%lo',
    '8.8.8.8\u0000',
    '８.8.8.8',
    '2606:4700:::1',
  ]) {
    it(`${JSON.stringify(text)} is not an address, so not a public one`, () => {
      assert.equal(isPublicAddress(text), false)
      assert.equal(isLoopbackAddress(text), false)
    })
  }

  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '168.63.129.17',
    '1.0.0.0',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450:4001::200e',
    '2400:cb00::1',
    '2001:200::1',
    '2003::1',
    '2620:4f:8001::1',
    '3ffe::1',
  ]) {
    it(`${address}, next to such a range or in common use, is public`, () => {
      assert.equal(isPublicAddress(address), true)
    })
  }

  it('knows the addresses of the machine itself', () => {
    for (const address of ['127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'])
      assert.equal(isLoopbackAddress(address), true)
    for (const address of ['::ffff:127.0.0.1', '128.0.0.1', '0.0.0.0', '::', '10.0.0.1'])
      assert.equal(isLoopbackAddress(address), false)
  })
})
