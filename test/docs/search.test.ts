import assert from 'node:assert/strict'
import { test } from 'node:test'
import MiniSearch from 'minisearch'
import { docPages, startPage } from '../../apps/server/src/docs/doc-pages.ts'
import { readDocText } from '../../apps/server/src/docs/doc-text.ts'
import { createDocSearch } from '../../apps/server/src/docs/docs-search.js'
import { searchSections } from '../../apps/server/src/docs/search-sections.ts'

const texts = new Map([startPage, ...docPages].map((page) => [page, readDocText(page, 'https://meet.example.org')]))
const sections = searchSections(texts)
const search = createDocSearch(MiniSearch, sections)

/** What people type, and what the section that they need says. Written before the pages were divided into guides. */
const questions: [words: string, answer: RegExp][] = [
  ['cancel one date of a series', /"cancel": "current"|cancel.{0,80}`?occurrence/],
  ['change this and all following dates', /meetingDetails\/:?\{?meetingId\}?\/split|splitMeeting|\bsplit\b/],
  ['days of week order', /Sunday/],
  ['redirect uri localhost with any port', /loopback|localhost.{0,200}port|port.{0,200}localhost/],
  ['verify the signature of a webhook', /webhook-signature|standardwebhooks/],
  ['webhook receiver answers 401', /signature.{0,400}clock|clock.{0,400}signature/s],
  ['refresh token used twice', /refresh token/],
  ['how long does an access token live', /access token.{0,60}(?:hour|min)/s],
  ['too many requests', /Retry-After/],
  ['retry creating a meeting without making it twice', /Idempotency-Key/],
  ['keep a copy of meetings in sync', /cursor/],
  ['codes of fields in errors', /errors\[\]|wrong_type/],
  ['personal access token', /personal token/i],
  ['connect Claude', /Claude/],
  ['join a meeting from my own page', /join\(/],
  ['call the API from Python', /python/i],
  ['https certificate reverse proxy', /proxy|caddy/i],
  ['backup and restore', /npm run parley -- (?:backup|restore)|backup/],
  ['upgrade to a new version', /upgrade|version/i],
  ['smtp settings for email', /SMTP_/],
]

test('the search finds the answer to twenty questions among its first three results', () => {
  const missed = questions.flatMap(([words, answer]) => {
    const found = search(words).slice(0, 3)
    const isFound = found.some(({ path, heading }) => {
      const section = sections.find((one) => one.path === path && one.heading === heading)
      return section !== undefined && answer.test(`${section.heading} ${section.text}`)
    })
    return isFound ? [] : [`${words}: ${found.map(({ path }) => path).join(' ')}`]
  })
  assert.equal(questions.length, 20)
  assert.deepEqual(missed, [])
})

test('the search finds words in other forms, half typed and misspelt', () => {
  const first = (words: string) => search(words)[0]?.path
  assert.equal(first('cancelling meeting'), first('cancel meetings'))
  assert.ok(search('idempot').some(({ excerpt }) => excerpt.includes('Idempotency-Key')))
  assert.ok(search('refesh token').some(({ heading }) => /refresh/i.test(heading)))
  assert.deepEqual(search('the of and'), [])
  assert.deepEqual(search('zzzzzz'), [])
})

test('every section has its own address', () => {
  const paths = sections.map(({ path }) => path)
  assert.equal(new Set(paths).size, paths.length)
})
