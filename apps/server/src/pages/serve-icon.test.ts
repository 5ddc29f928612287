import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startApp } from '../../test/start-app.ts'

test('the icon is the web app’s, and browsers that ask without a link get it as well', async () => {
  const app = await startApp()
  const expected = readFileSync(new URL('../../../web/src/app/icon.svg', import.meta.url), 'utf8')
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    const answer = await fetch(`${app.base}${path}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml')
    assert.equal(await answer.text(), expected)
  }
})
