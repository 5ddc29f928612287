import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepPlaces } from './places.ts'

const people = (ids: string, from = 'now') => [...ids].map((id) => ({ id, from }))
const cases: [string, string, string, string, string][] = [
  ['new people follow', 'ab', 'abc', '', 'abc'],
  ['people who arrive again in another order keep their places', 'abc', 'cab', '', 'abc'],
  ['people who have left are gone', 'abc', 'ac', '', 'ac'],
  ['people who are expected back stay', 'abc', 'c', 'ab', 'abc'],
  ['people who were never there are not expected', 'a', 'a', 'xy', 'a'],
  ['at first all are new', '', 'ba', '', 'ba'],
]
for (const [what, before, current, expected, shown] of cases) {
  test(what, () => {
    const placed = keepPlaces(people(before, 'before'), people(current), new Set(expected))
    assert.equal(placed.map(({ id }) => id).join(''), shown)
    for (const { id, from } of placed) assert.equal(from, current.includes(id) ? 'now' : 'before')
  })
}
