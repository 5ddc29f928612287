import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from '@parley/contract'
import { problemAdvice } from '@parley/contract/problem-advice'
import { permit, submit } from '../../test/oauth/apps.ts'
import { signUp } from '../../test/people.ts'
import { publicAddress, startApp } from '../../test/start-app.ts'
import { docPages } from './doc-pages.ts'
import { readDocText } from './doc-text.ts'

const app = await startApp({ emails: 'dropped' })
const { base } = app
const get = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(base + path, { headers, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}
const anchorsIn = (page: string) => [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
const linksIn = (page: string) => [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = '']) => href)
const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '')

test('serves each page as HTML with one script of our own, and as its Markdown source', async () => {
  for (const { name } of docPages) {
    const page = await get(`/docs/${name}`)
    assert.equal(page.status, 200, name)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-[\w+/=]+'; img-src/,
    )
    assert.doesNotMatch(policy, /unsafe/)
    assert.deepEqual(page.body.match(/<script[^>]*>/g), ['<script type="module" src="/docs/docs-page.js">'])
    assert.doesNotMatch(page.body, /<[^>]+ (?:style|on\w+)=/)
    assert.equal(page.body.match(/<h1[ >]/g)?.length, 1, `${name} has one first heading`)
    assert.doesNotMatch(page.body, /&lt;!--/, `${name} shows a comment`)
    assert.equal(new Set(anchorsIn(page.body)).size, anchorsIn(page.body).length, `${name}: no id twice`)

    const source = await get(`/docs/${name}.md`)
    assert.equal(source.headers.get('content-type'), 'text/markdown; charset=utf-8')
    assert.match(source.body, /^# \S/)
  }
})

test('every link leads to an existing page and heading, in both forms', async () => {
  const paths = ['/docs', '/docs/index.md', ...docPages.flatMap(({ name }) => [`/docs/${name}`, `/docs/${name}.md`])]
  const broken: string[] = []
  let followed = 0
  for (const path of paths) {
    const { body } = await get(path)
    const isMarkdown = path.endsWith('.md')
    const links = isMarkdown
      ? [...withoutCode(body).matchAll(/\]\(([^()\s]+)\)/g)].map(([, to = '']) => to)
      : linksIn(body)
    for (const link of links.filter((to) => !/^https?:/.test(to) || to.startsWith(base))) {
      const { pathname, hash } = new URL(link, base + path)
      // Pages of the web app are built separately.
      if (pathname === '/' || pathname === '/help') continue
      followed++
      const there = await get(pathname)
      const form = pathname.endsWith('.md') ? await get(pathname.replace('.md', '')) : there
      const isThere =
        there.status === 200 && (hash === '' || anchorsIn(form.body).includes(decodeURIComponent(hash.slice(1))))
      if (!isThere) broken.push(`${path}: ${link}`)
    }
    if (!isMarkdown)
      assert.ok(
        links.every((to) => !/^[^/#]*\.md/.test(to)),
        `${path} leads to pages, not to files`,
      )
  }
  assert.deepEqual(broken, [])
  assert.ok(followed > 50, `${followed}`)
})

test('no page shows the address of another service: examples call this one', async () => {
  const paths = [
    '/docs',
    '/docs/index.md',
    '/llms.txt',
    ...docPages.flatMap(({ name }) => [`/docs/${name}`, `/docs/${name}.md`]),
  ]
  for (const path of paths) assert.doesNotMatch((await get(path)).body, /localhost:3000|meet\.example\.org/, path)
  assert.match((await get('/docs/quick-starts.md')).body, /const issuer = new URL\('http:\/\/parley\.test'\)/)
  assert.match((await get('/docs/webhooks.md')).body, /curl -s http:\/\/parley\.test\/api\/webhooks /)
  assert.match((await get('/docs/events.md')).body, /"http:\/\/parley\.test\/api\/events\?follow=true"/)
  assert.match((await get('/docs/operations.md')).body, /server_name parley\.test;/)
})

test('settings for a public service name no host of the reader’s own machine', () => {
  const operations = docPages.find(({ name }) => name === 'operations')
  assert.ok(operations)
  for (const base of ['http://localhost:3000', 'http://127.0.0.1:8080']) {
    const text = readDocText(operations, base)
    assert.match(text, /server_name your-domain\.example;/, base)
    assert.match(text, /BASE_URL=https:\/\/your-domain\.example$/m, base)
  }
  const text = readDocText(operations, 'https://parley.acme.example:8443')
  assert.match(text, /BASE_URL=https:\/\/parley\.acme\.example:8443$/m)
  assert.match(text, /server_name parley\.acme\.example;/)
})

test('serves only the listed pages, whatever the address looks like', async () => {
  const beyond = [
    'architecture',
    'architecture.md',
    'decisions/0001-node-26-from-npm',
    'decisions/0001-node-26-from-npm.md',
    'mail-samples',
    '..%2fpackage.json',
    '%2e%2e/package.json',
    '..%2f..%2fetc%2fpasswd',
    'oauth.md%00',
    'oauth.html',
    'OAUTH',
    'oauth.md.md',
    'oauth%2f..%2f..%2fREADME.md',
    '.md',
    '%5c..%5cREADME.md',
  ]
  for (const name of beyond) assert.equal((await get(`/docs/${name}`)).status, 404, name)
  const moved = await get('/docs/')
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/docs'])
  assert.equal((await fetch(`${base}/docs`, { method: 'POST' })).status, 405)
})

test('answers a repeated request with its tag with 304', async () => {
  const first = await get('/docs/oauth')
  const again = await get('/docs/oauth', { 'if-none-match': String(first.headers.get('etag')) })
  assert.deepEqual([again.status, again.body], [304, ''])
})

test('shows a developer programs with the callback and scopes of their own app, and others the plain programs', async () => {
  const olga = await signUp(app, 'Olga')
  const dan = await signUp(app, 'Dan')
  await permit(olga, dan, { oauthEnabled: true })
  const registered = await submit(dan, { callbackUrls: ['https://acme.example/back'], scopes: ['user:read'] })
  const local = await submit(dan, { name: 'On my machine', callbackUrls: ['http://localhost:8093/back'] })
  const shown = await get(`/docs/quick-starts.md?app=${local._id}`, { cookie: `parley_session=${dan.token}` })
  assert.match(shown.body, /\}\)\.listen\(8093\)/)
  assert.match(shown.body, /open `http:\/\/localhost:8093\/login`/)
  for (const path of ['/docs/quick-starts', '/docs/quick-starts.md']) {
    const asked = `${path}?app=${registered._id}`
    const own = await get(asked, { cookie: `parley_session=${dan.token}` })
    assert.equal(own.status, 200)
    assert.match(own.body, /redirect_uri=https:\/\/acme\.example\/back(&amp;|&)response_type=code/)
    assert.equal(own.headers.get('cache-control'), 'private, no-store')
    const usual = await get(path)
    for (const headers of [{}, { cookie: `parley_session=${olga.token}` }]) {
      const other = await get(asked, headers)
      assert.equal(other.body, usual.body)
      assert.doesNotMatch(other.body, /acme\.example/)
      assert.match(other.headers.get('cache-control') ?? '', /public/)
    }
  }
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const getAs = (path: string, accept: string) => fetch(base + path, { headers: { accept } })

test('a browser receives a page about each code, a program the same reply as before', async () => {
  for (const [code, { status, title }] of Object.entries(problems)) {
    const page = await getAs(`/problems/${code}`, browser)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(
      String(page.headers.get('content-security-policy')),
      /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-/,
    )
    const text = (await page.text()).replaceAll(/<[^>]+>/g, '')
    assert.ok(text.includes(`HTTP status ${status}`), code)
    assert.ok(text.includes('What to do'), code)

    const answer = await getAs(`/problems/${code}`, 'application/json')
    assert.deepEqual(await answer.json(), { code, status, title })
  }
})

test('the Accept header decides, and caches know it', async () => {
  const ways = [
    { accept: '*/*', type: 'application/json' },
    { accept: 'application/problem+json', type: 'application/json' },
    { accept: 'application/json, text/html', type: 'application/json' },
    { accept: 'text/html;q=0.5, application/json', type: 'application/json' },
    { accept: 'text/html;q=0', type: 'application/json' },
    { accept: 'text/html', type: 'text/html' },
    { accept: 'application/json;q=0.5, text/html', type: 'text/html' },
    { accept: browser, type: 'text/html' },
  ]
  for (const { accept, type } of ways) {
    const { headers, status } = await getAs('/problems/not_found', accept)
    assert.equal(headers.get('content-type')?.split(';')[0], type, accept)
    assert.match(String(headers.get('vary')), /\baccept\b/, accept)
    assert.equal(status, 200)
  }
})

test('the list of problems says what to do about each code', async () => {
  const text = await (await getAs('/docs/problems.md', '*/*')).text()
  for (const [code, advice] of Object.entries(problemAdvice)) {
    assert.ok(text.includes(`[${code}](/problems/${code})`), code)
    assert.ok(text.includes(advice), code)
  }
})

test('lists every page but those of operators as Markdown in a line each, with addresses that lead there', async () => {
  const response = await fetch(`${base}/llms.txt`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await response.text()
  assert.match(text, /^# Parley\n> .+\n- /)
  const links = [...text.matchAll(/^- \[([^\]]+)\]\(([^)]+)\): (.+)$/gm)].map(([, label, address]) => [label, address])
  const expected = docPages
    .filter(({ audience }) => audience !== 'operators')
    .map(({ name, label }) => [label, `${publicAddress}/docs/${name}.md`])
  assert.deepEqual(links, expected)
  assert.doesNotMatch(text, /operations\.md/)
  const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address = '']) => address)
  assert.equal(addresses.length, expected.length + 1)
  for (const address of addresses) {
    const page = await fetch(address.replace(publicAddress, base))
    assert.equal(page.status, 200, address)
    const type = address.endsWith('.md') ? 'text/markdown; charset=utf-8' : 'application/json; charset=utf-8'
    assert.equal(page.headers.get('content-type'), type, address)
  }
  assert.ok(text.includes(`${publicAddress}/mcp`))
})

test('answers a repeated request with its tag with 304, and no other method', async () => {
  const first = await fetch(`${base}/llms.txt`)
  const etag = String(first.headers.get('etag'))
  assert.equal((await fetch(`${base}/llms.txt`, { headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await fetch(`${base}/llms.txt`, { method: 'POST' })).status, 405)
})
