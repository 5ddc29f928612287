import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { CheckResult } from '@parley/contract'
import { FetchRefused } from '../platform/outbound/fetch-refused.ts'
import { createGuardedFetch, type FetchRequest, type GuardedFetch } from '../platform/outbound/guarded-fetch.ts'
import {
  type CheckedRevision,
  createBlocklistChecker,
  createPageChecks,
  type HostChecker,
  parseHostList,
  readBlocklist,
} from './page-checks.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==',
  'base64',
)

const planner: CheckedRevision = {
  name: 'Planner',
  homepageUrl: 'https://planner.test/',
  policyUrl: 'https://planner.test/policy',
  logoUrl: 'https://cdn.test/logo.png',
  callbackUrls: ['https://planner.test/callback', 'http://localhost:3000/callback'],
}

const answer = (finalUrl: string, { status = 200, bytes = png } = {}) => ({
  status,
  headers: {},
  bytes,
  finalUrl,
  isPublic: true,
})

/** Every fetch succeeds unless the test says otherwise; all fetched URLs are recorded. */
function pages(answers: Record<string, GuardedFetch> = {}) {
  const asked: { address: string; request: FetchRequest | undefined }[] = []
  const fetch: GuardedFetch = async (address, request) => {
    asked.push({ address, request })
    if (await request?.isDeniedHost?.(new URL(address).hostname)) {
      throw new FetchRefused('denied_host', 'is on a denied host', new URL(address).hostname)
    }
    return answers[address]?.(address, request) ?? answer(address)
  }
  return { asked, fetch }
}

const refuse = (...refusal: ConstructorParameters<typeof FetchRefused>) => Promise.reject(new FetchRefused(...refusal))
const lines = (checks: CheckResult[]) =>
  checks.map(({ check, field, result, message }) => `${check} ${field} ${result}: ${message}`)
const of = (checks: CheckResult[], check: string) => lines(checks.filter((one) => one.check === check))

test('passes an app whose pages answer, and returns its logo', async () => {
  const { asked, fetch } = pages()
  const { checks, logo } = await createPageChecks({ fetch, hostCheckers: [] })(planner)
  assert.deepEqual(lines(checks), [
    ...['homepageUrl', 'policyUrl', 'logoUrl', 'callbackUrls/0', 'callbackUrls/1'].map(
      (field) => `denied_host ${field} passed: The host is on no list of denied hosts.`,
    ),
    'page_answers homepageUrl passed: The page answers.',
    'page_answers policyUrl passed: The page answers.',
    'page_answers logoUrl passed: The page answers.',
    'logo_picture logoUrl passed: The picture is 1 × 1 pixels, image/png.',
  ])
  assert.deepEqual(logo, { mediaType: 'image/png', bytes: png })
  // Callbacks are not fetched, and only the logo is read beyond its head.
  assert.deepEqual(
    asked.map(({ address, request }) => [address, request?.readBody]),
    [
      [planner.homepageUrl, false],
      [planner.policyUrl, false],
      [planner.logoUrl, true],
    ],
  )
})

for (const [status, result] of [
  [199, 'failed'],
  [200, 'passed'],
  [299, 'passed'],
  [300, 'failed'],
  [404, 'failed'],
  [500, 'failed'],
] as const) {
  test(`a page that answers ${status}: ${result}`, async () => {
    const { fetch } = pages({ [planner.policyUrl]: async (address) => answer(address, { status }) })
    const { checks } = await createPageChecks({ fetch, hostCheckers: [] })(planner)
    const message = result === 'passed' ? 'The page answers.' : `The page answers ${status}.`
    assert.equal(of(checks, 'page_answers')[1], `page_answers policyUrl ${result}: ${message}`)
  })
}

for (const [refusal, said] of [
  [
    ['timeout', 'does not answer within 5 seconds', 'planner.test'],
    'failed: The page does not answer within 5 seconds.',
  ],
  [['private_address', 'leads to a private address', 'planner.test'], 'failed: The page leads to a private address.'],
  [
    ['private_address', 'leads to a private address', 'inside.test'],
    'failed: The page redirects to inside.test, which leads to a private address.',
  ],
  [['not_an_address', 'is not an address', ''], 'failed: The page is not an address.'],
  [
    ['port', 'is on port 8443, where nothing is fetched from', 'planner.test'],
    'noted: The page is on port 8443, where nothing is fetched from.',
  ],
] as [ConstructorParameters<typeof FetchRefused>, string][]) {
  test(`reports a failure plainly: ${said}`, async () => {
    const { fetch } = pages({ [planner.homepageUrl]: () => refuse(...refusal) })
    const { checks } = await createPageChecks({ fetch, hostCheckers: [] })(planner)
    assert.equal(of(checks, 'page_answers')[0], `page_answers homepageUrl ${said}`)
  })
}

test('reports a page that redirects to another host', async () => {
  const { fetch } = pages({ [planner.homepageUrl]: async () => answer('https://www.planner.test/start') })
  const { checks } = await createPageChecks({ fetch, hostCheckers: [] })(planner)
  assert.match(of(checks, 'page_answers')[0] ?? '', /passed: The page answers, and leads to www\.planner\.test\./)
})

test('fails a logo that is no image, and returns none', async () => {
  const { fetch } = pages({
    [planner.logoUrl]: async (address) => answer(address, { bytes: Buffer.from('<svg onload="alert(1)"/>') }),
  })
  const { checks, logo } = await createPageChecks({ fetch, hostCheckers: [] })(planner)
  assert.deepEqual(of(checks, 'logo_picture'), [
    'logo_picture logoUrl failed: The picture is an SVG, which can hold programs; give a PNG or a WebP.',
  ])
  assert.equal(logo, undefined)
})

test('does not read a logo whose address does not answer', async () => {
  const { fetch } = pages({ [planner.logoUrl]: async (address) => answer(address, { status: 404 }) })
  const { checks, logo } = await createPageChecks({ fetch, hostCheckers: [] })(planner)
  assert.deepEqual(of(checks, 'logo_picture'), [])
  assert.equal(logo, undefined)
})

test('does not report an internal error as one of the page', async () => {
  const { fetch } = pages({ [planner.homepageUrl]: () => Promise.reject(new TypeError('ours')) })
  await assert.rejects(createPageChecks({ fetch, hostCheckers: [] })(planner), /ours/)
})

test('reports a denied host as one finding with every address, callbacks too, and does not fetch its pages', async () => {
  const { fetch } = pages()
  const hostCheckers = [createBlocklistChecker(new Set(['planner.test']))]
  const callbackUrls = ['https://a.b.planner.test/callback', 'https://notplanner.test/callback']
  const { checks } = await createPageChecks({ fetch, hostCheckers })({ ...planner, callbackUrls })
  assert.deepEqual(of(checks, 'denied_host'), [
    'denied_host homepageUrl failed: planner.test is on the list of denied hosts. It is also in: privacy policy, callback URL 1.',
    'denied_host logoUrl passed: The host is on no list of denied hosts.',
    'denied_host callbackUrls/1 passed: The host is on no list of denied hosts.',
  ])
  const notTried = 'not_tried: The page was not fetched: its host is denied.'
  assert.deepEqual(of(checks, 'page_answers').slice(0, 2), [
    `page_answers homepageUrl ${notTried}`,
    `page_answers policyUrl ${notTried}`,
  ])
})

test('an additional checker may add findings, is called once a host, and is not waited for', async () => {
  const asked: string[] = []
  const young: HostChecker = async (host) => {
    asked.push(host)
    return host === 'cdn.test' ? { kind: 'suspicious', message: 'The domain is 3 days old.' } : undefined
  }
  const failing: HostChecker = () => Promise.reject(new Error('down'))
  let givenUp = false
  const hanging: HostChecker = (_host, signal) => {
    signal.addEventListener('abort', () => {
      givenUp = true
    })
    return new Promise(() => undefined)
  }
  const { fetch } = pages()
  const { checks } = await createPageChecks({ fetch, hostCheckers: [failing, young, hanging] })(planner)
  assert.deepEqual(of(checks, 'new_domain'), ['new_domain logoUrl noted: The domain is 3 days old.'])
  assert.deepEqual(asked.sort(), ['cdn.test', 'localhost', 'planner.test'])
  assert.equal(givenUp, true)
})

test('sends no request with page checks off, and still compares hosts with the blocklist', async () => {
  const hostCheckers = [createBlocklistChecker(new Set(['cdn.test']))]
  const { checks, logo } = await createPageChecks({ fetch: undefined, hostCheckers })(planner)
  assert.deepEqual(
    of(checks, 'page_answers'),
    ['homepageUrl', 'policyUrl', 'logoUrl'].map(
      (field) => `page_answers ${field} noted: The page was not fetched: switched off by the operator.`,
    ),
  )
  assert.equal(of(checks, 'denied_host').filter((line) => line.includes('failed')).length, 1)
  assert.equal(logo, undefined)
})

test('accepts only hosts in the list of denied hosts, and denies their subdomains as well', async () => {
  const hosts = readBlocklist()
  assert.ok(hosts.size > 20)
  for (const host of hosts) assert.equal(new URL(`http://${host}/`).hostname, host)
  const checkHost = createBlocklistChecker(hosts)
  const { signal } = new AbortController()
  for (const host of ['bit.ly', 'BIT.LY.', 'www.bit.ly', 'planner.example', '10.0.0.1.nip.io', 'x.home.arpa']) {
    assert.equal((await checkHost(host, signal))?.kind, 'denied', host)
  }
  for (const host of ['habit.ly', 'localhost', 'planner.org', 'example.de', 'io', 'testing']) {
    assert.equal(await checkHost(host, signal), undefined, host)
  }
  assert.deepEqual(parseHostList('# no\n\n A.Example # why\nb.example\r\n'), new Set(['a.example', 'b.example']))
})

test('works with the guarded fetch: a real server, real redirects, a real image', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/') response.end('<h1>Planner</h1>')
    else if (request.url === '/policy') response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    else response.writeHead(200, { 'content-type': 'text/html' }).end(png)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const fetch = createGuardedFetch({
    baseUrl: 'https://meet.example.org',
    resolveName: async () => ['127.0.0.1'],
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: () => true,
  })
  const base = `http://planner.test:${(server.address() as AddressInfo).port}`
  const revision = { ...planner, homepageUrl: `${base}/`, policyUrl: `${base}/policy`, logoUrl: `${base}/logo.svg` }
  const { checks, logo } = await createPageChecks({ fetch, hostCheckers: [] })(revision)
  assert.deepEqual(of(checks, 'page_answers'), [
    'page_answers homepageUrl passed: The page answers.',
    'page_answers policyUrl failed: The page redirects to 169.254.169.254, which leads to a private address.',
    'page_answers logoUrl passed: The page answers.',
  ])
  assert.deepEqual(logo, { mediaType: 'image/png', bytes: png })
})
