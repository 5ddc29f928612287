import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from '@parley/contract'
import { problemAdvice } from '@parley/contract/problem-advice'
import { startApp } from '../../test/start-app.ts'

const { base } = await startApp()
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const get = (path: string, accept: string) => fetch(base + path, { headers: { accept } })

test('a browser receives a page about each code, a program the same reply as before', async () => {
  for (const [code, { status, title }] of Object.entries(problems)) {
    const page = await get(`/problems/${code}`, browser)
    assert.equal(page.status, 200)
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(String(page.headers.get('content-security-policy')), /^default-src 'none'; style-src 'sha256-/)
    const text = (await page.text()).replaceAll(/<[^>]+>/g, '')
    assert.ok(text.includes(`HTTP status ${status}`), code)
    assert.ok(text.includes('What to do'), code)

    const answer = await get(`/problems/${code}`, 'application/json')
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
    const { headers, status } = await get('/problems/not_found', accept)
    assert.equal(headers.get('content-type')?.split(';')[0], type, accept)
    assert.match(String(headers.get('vary')), /\baccept\b/, accept)
    assert.equal(status, 200)
  }
})

test('the list of problems says what to do about each code', async () => {
  const text = await (await get('/docs/problems.md', '*/*')).text()
  for (const [code, advice] of Object.entries(problemAdvice)) {
    assert.ok(text.includes(`[${code}](/problems/${code})`), code)
    assert.ok(text.includes(advice), code)
  }
})
