import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAuthenticated } from './authentication-results.ts'

const server = 'mx.example.net'
const sender = 'bob@example.org'
const isFrom = (...headers: string[]) => isAuthenticated({ server, sender, headers })

const authenticated: [string, string][] = [
  ['DMARC of the domain', 'mx.example.net; dmarc=pass header.from=example.org'],
  ['with a policy as a comment', ' mx.example.net;\r\n dmarc=pass (p=NONE sp=QUARANTINE) header.from=example.org'],
  ['with a version and capitals', 'MX.Example.Net 1; DMARC/1 = PASS header.from = Example.ORG'],
  ['DKIM of the domain', 'mx.example.net; dkim=pass reason="good signature" header.d=example.org header.s=a'],
  ['DKIM of its organisation', 'mx.example.net; dkim=pass header.i=@org.example'.replace('org.example', 'example.org')],
  ['SPF of a subdomain', 'mx.example.net; spf=pass smtp.mailfrom=bounce@mail.example.org'],
  ['the second of several methods', 'mx.example.net; spf=fail smtp.mailfrom=x; dmarc=pass header.from=example.org'],
]
for (const [name, header] of authenticated) test(`authenticated: ${name}`, () => assert.equal(isFrom(header), true))

const others: [string, string][] = [
  ['another server', 'mx.evil.example; dmarc=pass header.from=example.org'],
  ['no method', 'mx.example.net; none'],
  ['a failure', 'mx.example.net; dmarc=fail header.from=example.org'],
  ['DMARC of another domain', 'mx.example.net; dmarc=pass header.from=evil.example'],
  ['DMARC without a domain', 'mx.example.net; dmarc=pass'],
  ['DKIM of another domain', 'mx.example.net; dkim=pass header.d=evil.example'],
  ['DKIM of a domain that ends alike', 'mx.example.net; dkim=pass header.d=notexample.org'],
  ['DKIM of a top-level domain', 'mx.example.net; dkim=pass header.d=org'],
  ['SPF of another domain', 'mx.example.net; spf=pass smtp.mailfrom=bob@evil.example'],
  ['a result within a comment', 'mx.example.net (; dmarc=pass header.from=example.org)'],
  ['a result within quotes', 'mx.example.net; spf=fail reason="; dmarc=pass header.from=example.org"'],
  ['a domain that is given twice', 'mx.example.net; dmarc=pass header.from=evil.example header.from=example.org'],
  ['nothing', ''],
]
for (const [name, header] of others) test(`not authenticated: ${name}`, () => assert.equal(isFrom(header), false))

test('only the topmost header of the server counts, and those of others are passed over', () => {
  const [pass, fail] = ['mx.example.net; dmarc=pass header.from=example.org', 'mx.example.net; dmarc=fail']
  assert.equal(isFrom(fail, pass), false)
  assert.equal(isFrom(pass, fail), true)
  assert.equal(isFrom('gateway.example; dmarc=fail', pass), true)
  assert.equal(isFrom(), false)
})

test('a long header takes linear time', () => {
  assert.equal(isFrom(`mx.example.net; ${'('.repeat(4_000)}${' '.repeat(4_000)}`), false)
  assert.equal(isFrom(`mx.example.net; ${'a='.repeat(2_000)}${'  ='.repeat(1_000)}`), false)
})
