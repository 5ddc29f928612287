import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarSearch, readEditMeetingSearch, readMeetingSearch, readNewMeetingSearch } from './search-params.ts'

test('known search parameters are read, all others are dropped', () => {
  assert.deepEqual(readMeetingSearch({ q: 'stand', role: 'host', when: 'past' }), {
    q: 'stand',
    role: 'host',
    when: 'past',
  })
  assert.deepEqual(readMeetingSearch({ q: '', role: 'king', when: 'never', page: 3 }), {})
  assert.deepEqual(readMeetingSearch({ when: 'invitations' }), { when: 'invitations' })
  assert.deepEqual(readMeetingSearch({ q: 2030 }), { q: '2030' })
  assert.equal(readMeetingSearch({ q: 'x'.repeat(251) }).q?.length, 250)
})

test('keeps a valid view and date, and drops everything else', () => {
  assert.deepEqual(readCalendarSearch({ view: 'week', date: '2030-01-07' }), { view: 'week', date: '2030-01-07' })
  assert.deepEqual(readCalendarSearch({ view: 'year', date: '2030-13-07' }), {})
  assert.deepEqual(readCalendarSearch({ date: 'today' }), {})
  assert.deepEqual(readCalendarSearch({ date: 20300107 }), {})
})

test('only an instant is accepted as the start', () => {
  assert.deepEqual(readNewMeetingSearch({ start: '2030-01-07T09:15:00.000Z' }), { start: '2030-01-07T09:15:00.000Z' })
  for (const start of ['tomorrow', '2030-01-07', '2030-13-07T09:00:00Z', 7, undefined])
    assert.deepEqual(readNewMeetingSearch({ start }), {}, String(start))
})

test('only a meeting id is accepted as the meeting to copy', () => {
  const copy = '019aaaaa-0000-7000-8000-00000000000f'
  assert.deepEqual(readNewMeetingSearch({ copy }), { copy })
  for (const other of [`${copy}0`, '../x', 7, undefined]) assert.deepEqual(readNewMeetingSearch({ copy: other }), {})
})

test('only an instant is accepted as the first date to edit', () => {
  assert.deepEqual(readEditMeetingSearch({ from: '2030-01-07T09:15:00.000Z' }), { from: '2030-01-07T09:15:00.000Z' })
  for (const from of ['tomorrow', '2030-01-07', 7, undefined])
    assert.deepEqual(readEditMeetingSearch({ from }), {}, String(from))
})

test('proposed times are accepted together, when they make a meeting', () => {
  const [start, end] = ['2030-01-07T09:00:00.000Z', '2030-01-07T09:30:00.000Z']
  assert.deepEqual(readEditMeetingSearch({ start, end }), { start, end })
  for (const other of [{ start }, { end }, { start: end, end: start }, { start, end: start }, { start, end: 'x' }])
    assert.deepEqual(readEditMeetingSearch(other), {}, JSON.stringify(other))
})
