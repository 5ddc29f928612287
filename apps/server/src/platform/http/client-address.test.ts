import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createClientAddress } from './client-address.ts'

const rows: [string, string[], string | undefined, string][] = [
  ['no proxy is trusted: nothing is believed', [], '203.0.113.9', '127.0.0.1'],
  ['a trusted proxy says who it is', ['127.0.0.1'], '203.0.113.9', '203.0.113.9'],
  ['what a client says of itself is not believed', ['127.0.0.1'], '192.0.2.66, 203.0.113.9', '203.0.113.9'],
  ['a chain of proxies', ['127.0.0.1', '10.0.0.0/8'], '192.0.2.66, 203.0.113.9, 10.1.2.3', '203.0.113.9'],
  ['a chain in which everybody is trusted', ['127.0.0.0/8', '10.0.0.0/8'], '10.1.2.3, 10.0.0.1', '10.1.2.3'],
  ['IPv6', ['127.0.0.1', '2001:db8::/32'], '2001:db9::7, 2001:db8::1', '2001:db9::7'],
  ['IPv4 inside IPv6 is IPv4', ['127.0.0.1', '10.0.0.0/8'], '203.0.113.9, ::ffff:10.1.2.3', '203.0.113.9'],
  ['another proxy is trusted', ['192.0.2.1'], '203.0.113.9', '127.0.0.1'],
  ['nothing is forwarded', ['127.0.0.1'], undefined, '127.0.0.1'],
]
for (const [what, trustProxy, forwarded, expected] of rows) {
  test(`${what}: the address is ${expected}, as Fastify has it`, async () => {
    const http = Fastify({ trustProxy: trustProxy.length === 0 ? false : trustProxy })
    const addressOf = createClientAddress(trustProxy)
    http.get('/', (request) => ({ ours: addressOf(request.raw), fastify: request.ip }))
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    const { ours, fastify } = (await http.inject({ url: '/', headers, remoteAddress: '127.0.0.1' })).json()
    assert.deepEqual([ours, fastify], [expected, expected])
  })
}
