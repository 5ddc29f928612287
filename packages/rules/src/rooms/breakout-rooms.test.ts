import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assignedRoomOf,
  closingTime,
  currentRoomOf,
  divideEvenly,
  moveOneself,
  openBreakout,
  type StoredBreakout,
} from './breakout-rooms.ts'

const breakout: StoredBreakout = {
  rooms: [
    { id: 'one', name: 'Room 1' },
    { id: 'two', name: 'Room 2' },
  ],
  choice: false,
  endsAt: '2030-01-07T10:00:00.000Z',
  message: null,
}
const at = (time: string) => new Date(`2030-01-07T${time}Z`)
const inMain = { breakoutRoom: null, breakoutAway: false }
const inOne = { breakoutRoom: 'one', breakoutAway: false }
const away = { breakoutRoom: 'one', breakoutAway: true }

test('breakout rooms are open until their end', () => {
  assert.equal(openBreakout(breakout, at('09:59:59')), breakout)
  assert.equal(openBreakout(breakout, at('10:00:00')), undefined)
  assert.equal(openBreakout(null, at('09:00:00')), undefined)
  const endless = { ...breakout, endsAt: null }
  assert.equal(openBreakout(endless, at('23:00:00')), endless)
})

test('a person is in the room that they belong to unless they went to the main room; old rooms count as none', () => {
  const placesOf = (place: typeof away | typeof inMain) => [
    assignedRoomOf(breakout, place),
    currentRoomOf(breakout, place),
  ]
  assert.deepEqual(placesOf(inOne), ['one', 'one'])
  assert.deepEqual(placesOf(away), ['one', null])
  assert.deepEqual(placesOf(inMain), [null, null])
  assert.deepEqual(placesOf({ ...inMain, breakoutRoom: 'of an earlier opening' } as never), [null, null])
  assert.equal(currentRoomOf(undefined, inOne), null)
})

const moves = [
  ['participant', inOne, null, away],
  ['participant', away, 'one', inOne],
  ['participant', away, 'two', 'forbidden'],
  ['participant', inMain, 'one', 'forbidden'],
  ['participant', inMain, null, inMain],
  ['cohost', inMain, 'two', { breakoutRoom: 'two', breakoutAway: false }],
  ['host', inOne, 'three', 'not found'],
] as const
for (const [role, place, room, expected] of moves) {
  test(`a ${role} in ${currentRoomOf(breakout, place)} who goes to ${room}: ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(moveOneself({ breakout, role, place, room }), expected)
  })
}

test('participants who choose go to every room', () => {
  const chosen = moveOneself({
    breakout: { ...breakout, choice: true },
    role: 'participant',
    place: inOne,
    room: 'two',
  })
  assert.deepEqual(chosen, { breakoutRoom: 'two', breakoutAway: false })
})

test('a countdown never ends after the end that is set', () => {
  assert.deepEqual(closingTime(breakout, 30, at('09:00:00')), at('09:00:30'))
  assert.deepEqual(closingTime(breakout, 30, at('09:59:45')), at('10:00:00'))
  assert.deepEqual(closingTime({ ...breakout, endsAt: null }, 0, at('09:00:00')), at('09:00:00'))
})

test('people are divided into rooms of equal size, or of one more', () => {
  assert.deepEqual(divideEvenly([1, 2, 3, 4, 5], 2), [
    [1, 3, 5],
    [2, 4],
  ])
  assert.deepEqual(divideEvenly([1], 3), [[1], [], []])
})
