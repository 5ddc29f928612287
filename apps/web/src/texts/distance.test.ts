import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageCodes } from '@parley/texts/languages'
import { writeDistance } from './distance.ts'

const now = new Date('2030-01-07T09:00:00Z')
const cases = [
  ['2030-01-07T09:00:59Z', 'in 59 seconds'],
  ['2030-01-07T09:01:00Z', 'in 1 minute'],
  ['2030-01-07T10:29:59Z', 'in 89 minutes'],
  ['2030-01-07T10:30:00Z', 'in 1 hour'],
  ['2030-01-08T20:59:59Z', 'in 35 hours'],
  ['2030-01-08T21:00:00Z', 'in 1 day'],
  ['2030-01-07T08:35:00Z', '25 minutes ago'],
] as const

for (const [to, words] of cases) test(`${to} is ${words}`, () => assert.equal(writeDistance(to, now, 'en'), words))

test('writes distances in the words of each language', () => {
  const written = languageCodes.map((language) => writeDistance('2030-01-07T09:25:00Z', now, language))
  assert.equal(new Set(written).size, languageCodes.length)
})
