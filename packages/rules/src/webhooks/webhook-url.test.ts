import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLocalHttp, readWebhookUrl, type WebhookUrlCode, type WebhookUrlPolicy } from './webhook-url.ts'

const isAllowedPort = (port: number) => port === 443 || port >= 1024
/** On a server: of IP addresses, only one is public. */
const server: WebhookUrlPolicy = {
  allowsLocalHttp: false,
  isAllowedPort,
  isAllowedAddress: (address) => address === '93.184.216.34' || address === '2606:2800:220:1::1',
}
/** On a developer's machine, which may be posted to. */
const local: WebhookUrlPolicy = { allowsLocalHttp: true, isAllowedPort, isAllowedAddress: () => true }

const codeOf = (url: string, policy: WebhookUrlPolicy) => {
  const { value, violations } = readWebhookUrl('/url', url, policy)
  if (violations === undefined) {
    assert.equal(value, url)
    return undefined
  }
  assert.deepEqual(
    violations.map(({ path }) => path),
    ['/url'],
  )
  return violations[0]?.code
}

const accepted = [
  'https://planner.example.com/parley',
  'https://planner.example.com',
  'HTTPS://Planner.Example.com/Parley',
  'https://planner.example.com:443/',
  'https://planner.example.com:1024/',
  'https://planner.example.com:65535/',
  'https://planner.example.com/hooks?token=a&b=%23',
  'https://planner.example.com/@alice',
  'https://planner.example.com/a:b@c',
  'https://xn--bcher-kva.example/',
  'https://93.184.216.34/',
  'https://[2606:2800:220:1::1]:8443/',
  'https://1.2.3.4.example.org/',
  'https://localhost.example.org/',
  'https://intranet/',
]
for (const url of accepted) test(`${url} is accepted`, () => assert.equal(codeOf(url, server), undefined))

const refused: readonly (readonly [string, WebhookUrlCode])[] = [
  ['', 'not_a_url'],
  ['parley', 'not_a_url'],
  ['//planner.example.com/', 'not_a_url'],
  ['https:planner.example.com', 'not_a_url'],
  ['https:/planner.example.com', 'not_a_url'],
  ['https://', 'not_a_url'],
  ['https:///parley', 'not_a_url'],
  ['https://?a=b', 'not_a_url'],
  ['https://:443/', 'not_a_url'],
  ['https://planner.example.com:65536/', 'not_a_url'],
  ['https://256.256.256.256/', 'not_a_url'],
  [' https://planner.example.com/', 'forbidden_character'],
  ['https://planner.example.com/a b', 'forbidden_character'],
  ['https://planner.example.com/\r\nHost: a', 'forbidden_character'],
  ['https://planner.example.com/%0d%0a', 'forbidden_character'],
  ['https://planner.example.com\\@evil.example/', 'forbidden_character'],
  ['https://bücher.example/', 'forbidden_character'],
  ['http://planner.example.com/', 'not_https'],
  ['ftp://planner.example.com/', 'not_https'],
  ['javascript://planner.example.com/', 'not_https'],
  ['http://localhost:4000/', 'not_https'],
  ['http://127.0.0.1:4000/', 'not_https'],
  ['https://alice@planner.example.com/', 'userinfo'],
  ['https://alice:secret@planner.example.com/', 'userinfo'],
  ['https://@planner.example.com/', 'userinfo'],
  ['https://planner.example.com@evil.example/', 'userinfo'],
  ['https://planner.example.com/#', 'fragment'],
  ['https://planner.example.com#a', 'fragment'],
  ['https://planner.example.com:442/', 'port'],
  ['https://planner.example.com:22/', 'port'],
  ['https://planner.example.com:1023/', 'port'],
  ['https://planner.example.com:0/', 'port'],
  ['https://10.0.0.5/', 'private_address'],
  ['https://127.0.0.1/', 'private_address'],
  ['https://2130706433/', 'private_address'],
  ['https://0x7f000001/', 'private_address'],
  ['https://0177.0.0.1/', 'private_address'],
  ['https://127.1/', 'private_address'],
  ['https://127%2e0%2e0%2e1/', 'private_address'],
  ['https://169.254.169.254/latest/meta-data', 'private_address'],
  ['https://[::1]/', 'private_address'],
  ['https://[::ffff:127.0.0.1]/', 'private_address'],
  ['https://localhost/', 'private_address'],
  ['https://api.localhost./', 'private_address'],
]
for (const [url, code] of refused)
  test(`${JSON.stringify(url)} is refused: ${code}`, () => assert.equal(codeOf(url, server), code))

const onlyLocal = ['http://localhost:4000/', 'http://LOCALHOST:4000/', 'http://127.0.0.1:4000/', 'http://[::1]:4000/']
for (const url of [...onlyLocal, 'https://localhost/', 'https://127.0.0.1/', 'https://10.0.0.5/'])
  test(`${url} is accepted where the own machine may be posted to`, () => assert.equal(codeOf(url, local), undefined))
for (const url of ['http://127.0.0.2:4000/', 'http://10.0.0.5:4000/', 'http://localhost.example.org:4000/'])
  test(`${url} is refused there too`, () => assert.equal(codeOf(url, local), 'not_https'))

test('a refusal names a port only where the address does', () => {
  const messageOf = (url: string) => readWebhookUrl('/url', url, local).violations?.[0]?.message
  assert.equal(messageOf('http://localhost/'), 'url must name a port from 1024 on.')
  assert.equal(messageOf('http://localhost:81/'), 'url must not name port 81.')
  assert.match(messageOf('https://planner.example.com/%00') ?? '', /no control characters\.$/)
})

test('only http to the own machine is local', () => {
  for (const url of onlyLocal) assert.equal(isLocalHttp(url), true, url)
  for (const url of ['https://localhost/', 'http://planner.example.com/']) assert.equal(isLocalHttp(url), false, url)
})

test('one of the addresses of localhost is enough', () => {
  const isAllowedAddress = (address: string) => address === '::1'
  assert.equal(codeOf('https://localhost/', { ...server, isAllowedAddress }), undefined)
})
