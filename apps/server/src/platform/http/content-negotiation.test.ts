import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsGzip, preferredLanguage } from './content-negotiation.ts'

const languages: [string, string | undefined][] = [
  ['', undefined],
  ['*', undefined],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['tlh-CH, tlh;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
  ['en;q=0.2, hi;q=0.9', 'hi'],
  ['AR-eg', 'ar'],
  ['de;q=0, en', 'en'],
  ['tlh, ja', undefined],
  [`${'xx,'.repeat(50)}de`, 'de'],
  ['de;q=banana', undefined],
  ['\u0000,;;q=,en', 'en'],
  [' de \t; q=0.5 , en ; q=0.4', 'de'],
]
for (const [header, language] of languages) {
  test(`Accept-Language ${JSON.stringify(header.slice(0, 60))} requests ${language}`, () => {
    assert.equal(preferredLanguage(header), language)
  })
}

test('compresses nothing without Accept-Encoding, and reads a weight in any spelling', () => {
  assert.equal(acceptsGzip({}), false)
  for (const header of ['gzip', 'GZip', 'br , gzip ; q=0.001', '*;q=0.1', 'identity, gzip;q=0.5']) {
    assert.equal(acceptsGzip({ 'accept-encoding': header }), true, header)
  }
  for (const header of ['', 'br', 'gzip ; q=0', 'gzip;q=0.000, *;q=1', 'xgzip', 'gzipx']) {
    assert.equal(acceptsGzip({ 'accept-encoding': header }), false, header)
  }
})
