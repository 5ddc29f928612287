import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RoomSnapshot } from '@parley/client/join'
import { groupsOf, placedPeople, placesOf, shuffled, withinRooms, withPlace } from './breakout-people.ts'

const person = (id: string, more: object = {}) => ({
  id,
  name: id,
  isGuest: false,
  isMe: false,
  role: 'participant',
  ...more,
})

test('a participant knows the people in the same room, and where the others are', () => {
  const snapshot = {
    me: person('me', { isMe: true }),
    others: [person('ann')],
    elsewhere: [{ id: 'bob', name: 'bob', isGuest: true, breakoutRoom: 'two' }],
    breakout: { room: 'one' },
    hostView: null,
  } as unknown as RoomSnapshot
  assert.deepEqual(
    placedPeople(snapshot).map(({ id, room, isMe, role }) => [id, room, isMe, role]),
    [
      ['me', 'one', true, 'participant'],
      ['ann', 'one', false, 'participant'],
      ['bob', 'two', false, undefined],
    ],
  )
})

test('a host knows what the service lists, with those who ask for help', () => {
  const listed = (admissionId: string, breakoutRoom: string | null, helpAskedOn: string | null) => ({
    admissionId,
    name: admissionId,
    guest: false,
    role: 'participant',
    breakoutRoom,
    helpAskedOn,
  })
  const participants = [listed('me', null, null), listed('ann', 'one', '2030-01-07T09:00:00Z')]
  const snapshot = { me: person('me'), hostView: { participants } } as unknown as RoomSnapshot
  assert.deepEqual(
    placedPeople(snapshot).map(({ id, room, isMe, asksForHelp }) => [id, room, isMe, asksForHelp]),
    [
      ['me', null, true, false],
      ['ann', 'one', false, true],
    ],
  )
})

test('people are divided, moved by hand, and back in the main room when their room is taken away', () => {
  const places = placesOf(['a', 'b', 'c'], 2)
  assert.deepEqual(groupsOf(places, 2), [['a', 'c'], ['b']])
  assert.deepEqual(groupsOf(withPlace(places, 'a', 1), 2), [['c'], ['b', 'a']])
  assert.deepEqual(groupsOf(withPlace(places, 'c', undefined), 2), [['a'], ['b']])
  assert.deepEqual(groupsOf(withinRooms(places, 1), 2), [['a', 'c'], []])
})

test('shuffling keeps everyone', () => {
  assert.deepEqual(shuffled(['a', 'b', 'c']).toSorted(), ['a', 'b', 'c'])
})
