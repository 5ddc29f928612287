import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

/** Each range with the last address before it, its own first and last, and the first after it. */
const ranges = [
  { name: 'this network', inside: ['0.0.0.0', '0.0.0.1', '0.255.255.255'], outside: ['1.0.0.0'] },
  { name: 'private, 10/8', inside: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
  { name: 'shared, 100.64/10', inside: ['100.64.0.0', '100.127.255.255'], outside: ['100.63.255.255', '100.128.0.0'] },
  {
    name: 'loopback',
    inside: ['127.0.0.0', '127.0.0.1', '127.255.255.255'],
    outside: ['126.255.255.255', '128.0.0.0'],
  },
  { name: 'link-local', inside: ['169.254.0.0', '169.254.169.254'], outside: ['169.253.255.255', '169.255.0.0'] },
  { name: 'private, 172.16/12', inside: ['172.16.0.0', '172.31.255.255'], outside: ['172.15.255.255', '172.32.0.0'] },
  { name: 'protocols', inside: ['192.0.0.0', '192.0.0.192', '192.0.0.255'], outside: ['191.255.255.255', '192.0.1.0'] },
  { name: 'documentation 1', inside: ['192.0.2.0', '192.0.2.255'], outside: ['192.0.1.255', '192.0.3.0'] },
  { name: '6to4 relays', inside: ['192.88.99.0', '192.88.99.255'], outside: ['192.88.98.255', '192.88.100.0'] },
  {
    name: 'private, 192.168/16',
    inside: ['192.168.0.0', '192.168.255.255'],
    outside: ['192.167.255.255', '192.169.0.0'],
  },
  { name: 'benchmarks', inside: ['198.18.0.0', '198.19.255.255'], outside: ['198.17.255.255', '198.20.0.0'] },
  { name: 'documentation 2', inside: ['198.51.100.0', '198.51.100.255'], outside: ['198.51.99.255', '198.51.101.0'] },
  { name: 'documentation 3', inside: ['203.0.113.0', '203.0.113.255'], outside: ['203.0.112.255', '203.0.114.0'] },
  { name: 'multicast', inside: ['224.0.0.0', '239.255.255.255'], outside: ['223.255.255.255'] },
  { name: 'reserved and broadcast', inside: ['240.0.0.0', '255.255.255.254', '255.255.255.255'], outside: [] },
  { name: 'the metadata of a cloud', inside: ['168.63.129.16'], outside: ['168.63.129.15', '168.63.129.17'] },
  { name: 'IPv6 unspecified and loopback', inside: ['::', '::1', '0:0:0:0:0:0:0:1'], outside: [] },
  { name: 'IPv4-compatible', inside: ['::8.8.8.8', '::127.0.0.1'], outside: [] },
  {
    name: 'IPv4-mapped',
    inside: ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:8.8.8.8'],
    outside: [],
  },
  { name: 'IPv4-translated', inside: ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'], outside: [] },
  {
    name: 'NAT64 to what is not public',
    inside: ['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b::169.254.169.254', '64:ff9b::168.63.129.16'],
    outside: ['64:ff9b::8.8.8.8', '64:ff9b::808:808'],
  },
  { name: 'local NAT64', inside: ['64:ff9b:1::1', '64:ff9b:1::8.8.8.8', '64:ff9b:0:0:0:1:808:808'], outside: [] },
  { name: 'discard', inside: ['100::', '100::ffff:ffff:ffff:ffff'], outside: [] },
  { name: 'below global unicast', inside: ['1fff:ffff::1'], outside: ['2000::1'] },
  { name: 'Teredo', inside: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'], outside: [] },
  { name: 'IPv6 benchmarks', inside: ['2001:2::1'], outside: [] },
  { name: 'protocols of IPv6', inside: ['2001:1ff:ffff::1'], outside: ['2001:200::1'] },
  { name: 'ORCHID', inside: ['2001:10::1', '2001:20::1', '2001:2f:ffff::1'], outside: [] },
  {
    name: 'IPv6 documentation',
    inside: ['2001:db8::', '2001:db8:ffff::1'],
    outside: ['2001:db7:ffff::1', '2001:db9::1'],
  },
  { name: '6to4', inside: ['2002::', '2002:7f00:1::1', '2002:808:808::1'], outside: ['2001:ffff::1', '2003::1'] },
  { name: 'more documentation', inside: ['3fff::', '3fff:fff:ffff::1'], outside: ['3ffe:ffff::1', '3fff:1000::1'] },
  { name: 'above global unicast', inside: ['4000::1', '5f00::1', '8000::1'], outside: ['3fff:ffff::1'] },
  { name: 'unique local', inside: ['fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'], outside: [] },
  { name: 'IPv6 link-local', inside: ['fe80::1', 'fe80::1%eth0', 'febf:ffff::1'], outside: [] },
  { name: 'site-local', inside: ['fec0::1', 'feff:ffff::1'], outside: [] },
  { name: 'IPv6 multicast', inside: ['ff00::1', 'ff02::1', 'ffff:ffff::1'], outside: [] },
  {
    name: 'well-known resolvers',
    inside: [],
    outside: ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2001:4860:4860::8888'],
  },
]

for (const { name, inside, outside } of ranges) {
  test(`address ranges: ${name}`, () => {
    for (const address of inside) assert.equal(isPublicAddress(address), false, address)
    for (const address of outside) assert.equal(isPublicAddress(address), true, address)
  })
}

test('treats a malformed address as not public', () => {
  const texts = [
    '',
    'example.org',
    '8.8.8',
    '8.8.8.8.8',
    '08.8.8.8',
    '0x8.8.8.8',
    '134744072',
    ' 8.8.8.8',
    '8.8.8.8/32',
  ]
  const zoned = ['2606:4700::1%1', '[2606:4700::1]', '2606:4700::1/64', '8.8.8.256', 'g::1']
  for (const text of [...texts, ...zoned]) assert.equal(isPublicAddress(text), false, text)
})
