import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quarterHours, readDuration, readTime, timesLike, writeTime } from './typed-time.ts'

test('a time of day is read as people type it', () => {
  for (const [typed, time] of [
    ['9', '09:00'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['9:30', '09:30'],
    ['21.30', '21:30'],
    ['21h30', '21:30'],
    ['21 h', '21:00'],
    ['9:30 pm', '21:30'],
    ['9p', '21:00'],
    ['9 a.m.', '09:00'],
    ['12 am', '00:00'],
    ['12 pm', '12:00'],
    ['13 pm', '13:00'],
    ['23:59', '23:59'],
    ['0', '00:00'],
    ['09:30:15', '09:30:15'],
  ] as const) {
    assert.equal(readTime(typed, 'en'), time, typed)
  }
  assert.equal(readTime('14 Uhr', 'de'), '14:00')
  assert.equal(readTime('٩:٣٠ م', 'ar'), '21:30')
  assert.equal(readTime('9:30 p. m.', 'es'), '21:30')
})

test('what is no time of day is not read', () => {
  for (const typed of ['', 'x', '24', '9:60', '9:3', '13 am', '12345', '9:30 xm', '-1']) {
    assert.equal(readTime(typed, 'en'), undefined, typed)
  }
})

test('what the field writes is read again, in every language', () => {
  for (const language of ['en', 'en-GB', 'de', 'fr', 'es', 'hi', 'ar', 'ar-EG']) {
    for (const time of [...quarterHours, '09:07', '13:05:09']) {
      assert.equal(readTime(writeTime(time, language), language), time, `${language} ${writeTime(time, language)}`)
    }
  }
})

test('a typed hour offers its quarters, in both halves of the day', () => {
  assert.deepEqual(timesLike('9', 'en'), ['09:00', '09:15', '09:30', '09:45', '21:00', '21:15', '21:30', '21:45'])
  assert.deepEqual(timesLike('14', 'en'), ['14:00', '14:15', '14:30', '14:45'])
  assert.deepEqual(timesLike('9 pm', 'en'), ['21:00', '21:15', '21:30', '21:45'])
  assert.deepEqual(timesLike('9:10', 'en'), ['09:10', '21:10'])
  assert.deepEqual(timesLike('x', 'en'), [])
})

const minutes = (typed: string, language = 'en') => {
  const ms = readDuration(typed, language)
  return ms === undefined ? undefined : ms / 60_000
}

test('a duration is at least a minute and at most a year', () => {
  assert.equal(minutes('0 min'), undefined)
  assert.equal(minutes('0.4 min'), undefined)
  assert.equal(minutes('1 min'), 1)
  assert.equal(minutes('25 h'), 25 * 60)
  assert.equal(minutes('8784 h'), 366 * 24 * 60)
  assert.equal(minutes('8785 h'), undefined)
  assert.equal(minutes('9999999999 h'), undefined)
})

test('a duration is read by its units', () => {
  assert.equal(minutes('45'), 45)
  assert.equal(minutes('45 min'), 45)
  assert.equal(minutes('45m'), 45)
  assert.equal(minutes('1h'), 60)
  assert.equal(minutes('1 h 30'), 90)
  assert.equal(minutes('1h30'), 90)
  assert.equal(minutes('1 hour, 30 minutes'), 90)
  assert.equal(minutes('1:30 h'), 90)
  assert.equal(minutes('1.5 hours'), 90)
  assert.equal(minutes('1,5 Stunden', 'de'), 90)
  assert.equal(minutes('2 Std., 15 Min.', 'de'), 135)
  assert.equal(minutes('२ घंटे', 'hi'), 120)
  assert.equal(minutes('30 دقيقة', 'ar'), 30)
  assert.equal(minutes('24 h'), 1440)
  assert.equal(minutes('25 h'), 1500)
})

test('what is no duration is not read, and a number that can be an hour is a time of day', () => {
  for (const typed of ['', 'x', '9', '23', '9:30', '30 min 1 h', '1 h 1 h', '5 apples']) {
    assert.equal(minutes(typed), undefined, typed)
  }
})
