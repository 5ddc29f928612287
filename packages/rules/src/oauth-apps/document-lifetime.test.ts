import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  defaultDocumentLifetimeMs,
  documentLifetimeMs,
  maxDocumentLifetimeMs,
  minDocumentLifetimeMs,
} from './document-lifetime.ts'

const minutes = (count: number) => count * 60 * 1000

for (const [cacheControl, age, lifetimeMs] of [
  [undefined, undefined, defaultDocumentLifetimeMs],
  ['', '', defaultDocumentLifetimeMs],
  ['public', undefined, defaultDocumentLifetimeMs],
  ['max-age=', undefined, defaultDocumentLifetimeMs],
  ['max-age=-1', undefined, defaultDocumentLifetimeMs],
  ['max-age=1e9', undefined, defaultDocumentLifetimeMs],
  ['s-maxage=86400', undefined, defaultDocumentLifetimeMs],
  ['public, Max-Age=1800', undefined, minutes(30)],
  ['max-age="1800"', undefined, minutes(30)],
  ['max-age=1800', '600', minutes(20)],
  ['max-age=1800', 'soon', minutes(30)],
  ['max-age=301', undefined, 301_000],
  ['max-age=300', undefined, minDocumentLifetimeMs],
  ['max-age=299', undefined, minDocumentLifetimeMs],
  ['max-age=0', undefined, minDocumentLifetimeMs],
  ['max-age=1800', '999999999999999', minDocumentLifetimeMs],
  ['no-store', undefined, minDocumentLifetimeMs],
  ['max-age=86400, no-cache="set-cookie"', undefined, minDocumentLifetimeMs],
  ['max-age=86399', undefined, maxDocumentLifetimeMs - 1_000],
  ['max-age=86400', undefined, maxDocumentLifetimeMs],
  ['max-age=31536000, immutable', undefined, maxDocumentLifetimeMs],
] as const) {
  test(`Cache-Control: ${cacheControl}, Age: ${age}`, () =>
    assert.equal(documentLifetimeMs({ 'cache-control': cacheControl, age }), lifetimeMs))
}
