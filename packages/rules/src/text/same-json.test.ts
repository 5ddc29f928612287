import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameJson } from './same-json.ts'

const date = new Date('2030-01-07T09:00:00Z')

test('compares values as JSON without the order of their fields', () => {
  const cases: [unknown, unknown, boolean][] = [
    [{ a: 1, b: { c: [1, 'x', null] } }, { b: { c: [1, 'x', null] }, a: 1 }, true],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: undefined }, { b: undefined }, true],
    [{ a: date }, { a: date.toISOString() }, true],
    [[date], [new Date(date)], true],
    [[undefined], [null], true],
    [null, null, true],
    [undefined, undefined, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: null }, false],
    [{ a: null }, {}, false],
    [{ a: date }, { a: new Date(date.getTime() + 1) }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [{}, null, false],
    [0, false, false],
    ['1', 1, false],
  ]
  for (const [one, other, isSame] of cases) {
    assert.equal(isSameJson(one, other), isSame, JSON.stringify([one, other]))
    assert.equal(isSameJson(other, one), isSame, JSON.stringify([other, one]))
  }
})
