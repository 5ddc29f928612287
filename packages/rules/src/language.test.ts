import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredLanguage } from './language.ts'

const cases: [string, string | undefined][] = [
  ['', undefined],
  ['*', undefined],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
  ['en;q=0.2, hi;q=0.9', 'hi'],
  ['AR-eg', 'ar'],
  ['de;q=0, en', 'en'],
  ['fr, ja', undefined],
  [`${'xx,'.repeat(50)}de`, undefined],
  ['de;q=banana', undefined],
  ['\u0000,;;q=,en', 'en'],
]
for (const [header, language] of cases) {
  test(`${JSON.stringify(header.slice(0, 60))} asks for ${language}`, () => {
    assert.equal(preferredLanguage(header), language)
  })
}
