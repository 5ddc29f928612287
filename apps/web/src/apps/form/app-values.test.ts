import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnfinished, newCallback, noValues, violationsIn } from './app-values.ts'

const codeOf = (url: string) =>
  violationsIn(
    { ...noValues(), callbackUrls: [newCallback(url)] },
    { useCases: [], scopes: [], baseUrl: 'https://meet.example.org' },
  ).get('callbackUrls.0') ?? ''

test('reports javascript: and app schemes while typing, but not an incomplete https URL', () => {
  for (const url of ['javascript:alert(1)', 'myapp://callback', 'ftp://acme.example/']) {
    assert.equal(codeOf(url), 'not_http', url)
    assert.equal(isUnfinished(codeOf(url), url), false, url)
  }
  for (const url of ['h', 'https', 'https:', 'https://']) assert.equal(isUnfinished(codeOf(url), url), true, url)
})
