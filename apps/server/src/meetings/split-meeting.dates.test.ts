import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Meeting, quietly, startSplits, third, weekly } from '../../test/meetings/start-splits.ts'
import { cancelPath, detailsPath } from '../../test/people.ts'

const { alice, mondays, splitUp, read, occurrencesOf, quiet } = await startSplits()

test('cancelled and changed occurrences stay with the part that has them', async () => {
  const meeting = await quiet()
  const change = (start: string, body: object) =>
    alice.send('PUT', `${detailsPath(meeting)}/occurrences/${encodeURIComponent(start)}${quietly.query}`, body)
  await change('2030-01-14T09:00:00Z', { topic: 'Early' })
  await change('2030-01-28T09:00:00Z', { startTime: '2030-01-29T11:00:00Z', topic: 'Late' })
  await alice.send('POST', `${cancelPath(meeting)}${quietly.query}`, {
    cancel: 'current',
    occurrence: '2030-01-07T09:00:00Z',
  })
  await alice.send('POST', `${cancelPath(meeting)}${quietly.query}`, {
    cancel: 'current',
    occurrence: '2030-02-04T09:00:00Z',
  })
  const next = await splitUp(meeting)
  assert.deepEqual(await occurrencesOf(meeting), ['01-07T09:00–09:30 cancelled', '01-14T09:00–09:30 changed Early'])
  assert.deepEqual(await occurrencesOf(next), [
    '01-21T09:00–09:30 active',
    '01-29T11:00–11:30 changed Late',
    '02-04T09:00–09:30 cancelled',
    '02-11T09:00–09:30 active',
  ])
  assert.deepEqual([next.restoredOccurrences, next.removedOccurrences], [[], []])
})

test('a change of the rule treats them as an update does, and says what it restores and removes', async () => {
  const meeting = await quiet({ repeatOptions: weekly({ endDate: '2030-02-04T09:00:00Z' }) })
  await alice.send('POST', `${cancelPath(meeting)}${quietly.query}`, {
    cancel: 'current',
    occurrence: '2030-01-28T09:00:00Z',
  })
  const tuesdays = weekly({ daysOfWeek: [0, 0, 1, 0, 0, 0, 0], endDate: '2030-02-05T12:00:00Z' })
  const next = await splitUp(meeting, { repeatOptions: tuesdays })
  assert.deepEqual(
    next.removedOccurrences.map(({ startTime }: { startTime: string }) => startTime.slice(5, 10)),
    ['01-21', '02-04'],
  )
  assert.deepEqual(await occurrencesOf(next), [
    '01-22T09:00–09:30 active',
    '01-29T09:00–09:30 active',
    '02-05T09:00–09:30 active',
  ])
  const back = await alice.send('PUT', `${detailsPath(next)}${quietly.query}`, {
    ...mondays({
      startTime: third,
      endTime: '2030-01-21T09:30:00Z',
      repeatOptions: weekly({ endDate: '2030-02-04T09:00:00Z' }),
    }),
  })
  assert.deepEqual(
    back.body.restoredOccurrences.map(({ startTime }: { startTime: string }) => startTime.slice(5, 10)),
    ['01-28'],
    'the cancellation that was dropped is remembered',
  )
})

test('a count is divided', async () => {
  const meeting = await quiet({ repeatOptions: weekly({ count: 5 }) })
  const next = await splitUp(meeting)
  const counts = async (one: Meeting) => {
    const { count, endDate } = (await read(one)).repeatOptions
    return [count, endDate]
  }
  assert.deepEqual(await counts(meeting), [2, '2030-01-14T23:59:59.000Z'])
  assert.deepEqual(await counts(next), [3, '2030-02-04T23:59:59.000Z'])
})

test('an occurrence in the hour that a clock change skips: the others keep their time of day', async () => {
  const nightly = { startTime: '2030-03-29T01:30:00Z', endTime: '2030-03-29T02:00:00Z' }
  const repeatOptions = { repeat: 'daily', timeZone: 'Europe/London', endDate: '2030-04-02T00:00:00Z' }
  const meeting = await quiet({ ...nightly, repeatOptions })
  const next = await splitUp(meeting, { occurrence: '2030-03-31T01:30:00Z' })
  assert.deepEqual(await occurrencesOf(next, 'limit=9&status=all&from=2030-03-01T00:00:00Z'), [
    '03-30T01:30–02:00 cancelled',
    '03-31T01:30–02:00 active',
    '04-01T00:30–01:00 active',
  ])
})
