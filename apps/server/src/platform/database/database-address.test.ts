import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionTo, readDatabaseUrl } from './database-address.ts'

test('one host is one address, as it was written', () => {
  for (const url of [
    'postgres://parley:hush@db.internal:5433/parley',
    'postgresql://parley@[::1]/parley?sslmode=verify-full',
    'postgres://parley@localhost/parley?host=/run/postgresql&port=5432',
    'postgres:///parley',
  ]) {
    assert.deepEqual(readDatabaseUrl(url), { kind: 'read', connection: { connectionString: url } }, url)
  }
})

test('several hosts are one address each, with a preference for the writable one', () => {
  const hosts = [
    'postgres://parley:hu%2Csh@a:1/db?sslmode=require',
    'postgres://parley:hu%2Csh@[::1]:2/db?sslmode=require',
  ]
  const wanted = { connectionString: hosts[0], hosts, requiresPrimary: true }
  const [common, more] = ['postgres://parley:hu%2Csh@a:1,[::1]:2/db', 'sslmode=require']
  assert.deepEqual(connectionTo(`${common}?${more}`), wanted)
  assert.deepEqual(connectionTo(`${common}?target_session_attrs=read-write&${more}`), wanted)
  assert.deepEqual(connectionTo(`${common}?${more}&target_session_attrs=primary`), wanted)
  assert.deepEqual(connectionTo('postgres://a/db?target_session_attrs=read-write'), {
    connectionString: 'postgres://a/db',
    requiresPrimary: true,
  })
})

for (const [url, sentence] of [
  ['mysql://a/db', /begins with postgres:\/\//],
  ['postgres://a:x/db', /begins with postgres:\/\//],
  ['postgres://u:hush@a:1,b:x/db', /one of them is not of the form host:port/],
  ['postgres://u:hush@a:1,,b:2/db', /an empty host/],
  ['postgres://u:hush@a:1,b:2/db?target_session_attrs=any', /other than read-write or primary/],
  [`postgres://u:hush@${'a,'.repeat(8)}b/db`, /more than 8 hosts/],
] as const) {
  test(`refuses ${url}`, () => {
    const read = readDatabaseUrl(url)
    assert.ok(read.kind === 'refused')
    assert.match(read.problem, sentence)
    assert.ok(!read.problem.includes('hush'))
    assert.throws(() => connectionTo(url), TypeError)
  })
}
