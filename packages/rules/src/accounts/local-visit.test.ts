import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLocalVisit, type LocalService, type VisitTrace } from './local-visit.ts'

const service: LocalService = { baseUrl: 'http://localhost:3000', behindProxy: false }
const curl: VisitTrace = {
  peerAddress: '127.0.0.1',
  host: 'localhost:3000',
  origin: undefined,
  headerNames: ['host', 'user-agent', 'accept', 'content-type', 'content-length'],
}

const cases: [string, boolean, Partial<VisitTrace>, Partial<LocalService>?][] = [
  ['curl on this machine', true, {}],
  ['curl on this machine over IPv6', true, { peerAddress: '::1', host: '[::1]:3000' }],
  ['curl on this machine over a dual-stack socket', true, { peerAddress: '::ffff:127.0.0.1', host: '127.0.0.1:3000' }],
  ['another loopback address', true, { peerAddress: '127.8.9.10', host: '127.8.9.10' }],
  ['a browser on this machine', true, { origin: 'http://localhost:3000' }],
  ['a development server on this machine', true, { origin: 'http://127.0.0.1:5173' }],
  ['a name below localhost', true, { host: 'parley.localhost:3000' }, { baseUrl: 'http://parley.localhost:3000' }],

  ['another machine', false, { peerAddress: '192.0.2.1' }],
  ['another machine over IPv6', false, { peerAddress: '2001:db8::1' }],
  ['another machine over a dual-stack socket', false, { peerAddress: '::ffff:192.0.2.1' }],
  ['the host of a container', false, { peerAddress: '172.17.0.1' }],
  ['a connection without an address', false, { peerAddress: undefined }],
  ['a service with a public address', false, {}, { baseUrl: 'https://meet.example.org' }],
  ['a service with a configured proxy', false, {}, { behindProxy: true }],
  ['a proxy that passes the Host header on', false, { host: 'meet.example.org' }],
  ['a host name that begins with localhost', false, { host: 'localhost.example.org' }],
  ['a host name that begins with 127.0.0.1', false, { host: '127.0.0.1.example.org' }],
  ['no Host header', false, { host: undefined }],
  ['a Host header with user information', false, { host: 'localhost@example.org' }],
  ['another site’s page in a browser on this machine', false, { origin: 'https://evil.example' }],
  ['a page with an opaque origin', false, { origin: 'null' }],
  ...[
    'forwarded',
    'via',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'cf-connecting-ip',
    'true-client-ip',
  ].map((name): [string, boolean, Partial<VisitTrace>] => [
    `a proxy that adds ${name}`,
    false,
    { headerNames: [...curl.headerNames, name] },
  ]),
]
for (const [name, local, visit, changes] of cases) {
  test(`${name}: ${local ? 'local' : 'not local'}`, () =>
    assert.equal(isLocalVisit({ ...service, ...changes }, { ...curl, ...visit }), local))
}
