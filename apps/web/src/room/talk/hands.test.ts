import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeHand, type Hands, handOrder } from './hands.ts'

const here = ['ann', 'bob', 'cem']
const none: Hands = new Map()
const raise = (hands: Hands, id: string, atMs: number) => changeHand(hands, id, atMs)

test('the first raised is the first, whoever told of it first', () => {
  const hands = raise(raise(raise(none, 'cem', 30), 'ann', 10), 'bob', 20)
  assert.deepEqual(
    [...handOrder(hands, here)],
    [
      ['ann', 1],
      ['bob', 2],
      ['cem', 3],
    ],
  )
})

test('to say it again keeps the place; down and up again loses it', () => {
  const hands = raise(raise(none, 'ann', 10), 'bob', 20)
  assert.equal(handOrder(raise(hands, 'ann', 99), here).get('ann'), 1)
  const again = raise(changeHand(hands, 'ann', undefined), 'ann', 30)
  assert.deepEqual(
    [...handOrder(again, here)],
    [
      ['bob', 1],
      ['ann', 2],
    ],
  )
})

test('who has left is not waited for', () => {
  const hands = raise(raise(none, 'eve', 5), 'bob', 20)
  assert.deepEqual([...handOrder(hands, here)], [['bob', 1]])
})
