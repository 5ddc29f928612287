import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dated, datesToCancel, extentsToCancel, isRoomOpen, isWhole } from './dates-to-cancel.ts'

const on = (day: string, originalDay = day): Dated => ({
  startTime: `2030-01-${day}T09:00:00.000Z`,
  endTime: `2030-01-${day}T09:30:00.000Z`,
  originalStartTime: `2030-01-${originalDay}T09:00:00.000Z`,
})
const [monday, tuesday, wednesday] = [on('07'), on('08'), on('09')]
const ahead = [monday, tuesday, wednesday]
const early = '2030-01-07T08:59:59Z'
const running = '2030-01-07T09:00:00Z'

const cases = [
  ['one', monday, early, [monday]],
  ['one', monday, running, [monday]],
  ['one', wednesday, early, [wednesday]],
  ['following', tuesday, early, [tuesday, wednesday]],
  ['following', wednesday, early, [wednesday]],
  ['all', tuesday, early, ahead],
  ['all', tuesday, running, [tuesday, wednesday]],
] as const
for (const [extent, chosen, now, going] of cases) {
  test(`the dates that cancelling ${extent} of ${chosen.startTime} at ${now} removes`, () =>
    assert.deepEqual(datesToCancel({ ahead, chosen }, extent, new Date(now)), going))
}

test('the dates that follow are those of the series, wherever they were moved', () => {
  const late = on('10', '08')
  const moved = [monday, wednesday, late]
  assert.deepEqual(datesToCancel({ ahead: moved, chosen: wednesday }, 'following', new Date(early)), [wednesday])
  assert.deepEqual(datesToCancel({ ahead: moved, chosen: late }, 'following', new Date(early)), [late, wednesday])
})

test('a date beyond those that are listed is cancelled as well', () => {
  const far = on('31')
  assert.deepEqual(datesToCancel({ ahead, chosen: far }, 'following', new Date(early)), [far])
})

const three = ['one', 'following', 'all']
for (const [name, chosen, now, extents] of [
  ['the first', monday, early, three],
  ['the second', tuesday, early, three],
  ['the second, while the first is running', tuesday, running, three],
  ['the second, once it has begun', tuesday, '2030-01-08T09:00:00Z', ['one', 'all']],
  ['a moved date, now before the first', on('06', '08'), '2030-01-05T00:00:00Z', three],
] as const)
  test(`what can be cancelled from a date: ${name}`, () =>
    assert.deepEqual(extentsToCancel({ ahead, chosen }, new Date(now)), extents))

test('this and all following dates from the first are all dates', () => {
  assert.equal(isWhole({ ahead, chosen: monday }, 'following'), true)
  assert.equal(isWhole({ ahead, chosen: tuesday }, 'following'), false)
  assert.equal(isWhole({ ahead, chosen: monday }, 'one'), false)
  assert.equal(isWhole({ ahead, chosen: wednesday }, 'all'), true)
})

test('a date has its room open from 15 minutes before', () => {
  assert.equal(isRoomOpen([monday, tuesday], new Date('2030-01-07T08:44:59.999Z')), false)
  assert.equal(isRoomOpen([monday, tuesday], new Date('2030-01-07T08:45:00Z')), true)
  assert.equal(isRoomOpen([], new Date(running)), false)
})
