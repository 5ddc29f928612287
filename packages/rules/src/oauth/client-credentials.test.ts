import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTriedSecret, readClientCredentials, type SentCredentials } from './client-credentials.ts'

const basic = (text: string) => `Basic ${btoa(text)}`
const nothing: SentCredentials = { authorization: undefined, clientId: undefined, clientSecret: undefined }
const read = (sent: Partial<SentCredentials>) => readClientCredentials({ ...nothing, ...sent })

const presented = [
  [{ clientId: 'a', clientSecret: 'b' }, 'post', 'a', 'b'],
  [{ authorization: basic('a:b') }, 'basic', 'a', 'b'],
  [{ authorization: basic('a:b'), clientId: 'a' }, 'basic', 'a', 'b'],
  [{ authorization: `bAsIc   ${btoa('a:b')} ` }, 'basic', 'a', 'b'],
  [{ authorization: basic('a:b:c') }, 'basic', 'a', 'b:c'],
  [{ authorization: basic('a%3Aa:b+%25') }, 'basic', 'a:a', 'b %'],
  [{ authorization: basic('a:%zz') }, 'basic', 'a', '%zz'],
  [{ authorization: basic('a:') }, 'basic', 'a', ''],
] as const
for (const [sent, method, clientId, secret] of presented) {
  test(`${JSON.stringify(sent)} presents ${clientId} by ${method}`, () => {
    assert.deepEqual(read(sent), { kind: 'presented', method, clientId, secret })
  })
}

test('a client id alone is presented as a public client’s', () => {
  assert.deepEqual(read({ clientId: 'a' }), { kind: 'presented', method: 'none', clientId: 'a' })
})

const refused = [
  [{}, 'invalid_client', undefined, false],
  [{ clientSecret: 'b' }, 'invalid_client', undefined, false],
  [{ authorization: 'Basic !' }, 'invalid_client', undefined, true],
  [{ authorization: basic('no colon') }, 'invalid_client', undefined, true],
  [{ authorization: basic(':b'), clientId: 'a' }, 'invalid_client', 'a', true],
  [{ authorization: 'Bearer a' }, 'invalid_client', undefined, false],
  [{ authorization: btoa('a:b') }, 'invalid_client', undefined, false],
  [{ authorization: basic('a:b'), clientSecret: 'b' }, 'invalid_request', 'a', false],
  [{ authorization: basic('a:b'), clientId: 'other' }, 'invalid_request', 'a', false],
  [{ authorization: 'Bearer a', clientId: 'a', clientSecret: 'b' }, 'invalid_request', 'a', false],
] as const
for (const [sent, error, clientId, challenged] of refused) {
  test(`${JSON.stringify(sent)} is ${error}`, () => {
    const found = read(sent)
    assert.equal(found.kind, 'refused')
    if (found.kind !== 'refused') return
    assert.deepEqual([found.error, found.clientId, found.basic], [error, clientId, challenged])
  })
}

test('says which secret of the app was tried, and whether it is of the other environment', () => {
  const now = new Date('2030-01-01T00:00:00Z')
  const secret = { name: 'Server', sandbox: false, retiredAt: null, expiresAt: null }
  const live = { sandbox: false }
  const sandbox = { sandbox: true }
  const cases = [
    [secret, sandbox, 'This is the live secret "Server"; the client id is the sandbox\'s.'],
    [{ ...secret, sandbox: true }, live, 'This is the sandbox secret "Server"; the client id is the live one.'],
    [
      { ...secret, retiredAt: now },
      sandbox,
      'This is the live secret "Server"; the client id is the sandbox\'s. That secret was retired.',
    ],
    [
      { ...secret, sandbox: true, expiresAt: now },
      live,
      'This is the sandbox secret "Server"; the client id is the live one. That secret has expired.',
    ],
    [{ ...secret, retiredAt: now }, live, 'The client secret is wrong: "Server" was retired.'],
    [{ ...secret, expiresAt: now }, live, 'The client secret is wrong: "Server" has expired.'],
    [{ ...secret, expiresAt: new Date(now.getTime() + 1) }, live, undefined],
    [secret, live, undefined],
  ] as const
  for (const [tried, client, cause] of cases) assert.equal(describeTriedSecret(tried, client, now), cause)
})
