import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicAddress, startApp } from '../../test/start-app.ts'
import { docPages } from './doc-pages.ts'

const { base } = await startApp()

test('lists every page but those of operators as Markdown in ten lines, with addresses that lead there', async () => {
  const response = await fetch(`${base}/llms.txt`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await response.text()
  assert.match(text, /^# Parley\n> .+\n- /)
  assert.equal(text.trimEnd().split('\n').length, 10)
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
