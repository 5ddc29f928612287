import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDay, writeShortDay } from './typed-date.ts'

/** A Thursday. */
const today = '2030-11-28'

const read = (typed: string, language: string) => readDay(typed, { language, today })

test('a date is read in the order of the language, with or without its year', () => {
  assert.equal(read('26.11.', 'de'), '2031-11-26')
  assert.equal(read('28.11.', 'de'), '2030-11-28')
  assert.equal(read('1.12.30', 'de'), '2030-12-01')
  assert.equal(read('1.2.2031', 'de'), '2031-02-01')
  assert.equal(read('12/1/2030', 'en'), '2030-12-01')
  assert.equal(read('12/1/2030', 'en-GB'), '2030-01-12')
  assert.equal(read('1/12', 'es'), '2030-12-01')
  assert.equal(read('01122030', 'fr'), '2030-12-01')
  assert.equal(read('2030-12-01', 'en'), '2030-12-01')
  assert.equal(read('2030/12/1', 'hi'), '2030-12-01')
  assert.equal(read('5', 'en'), '2030-12-05')
  assert.equal(read('28', 'en'), '2030-11-28')
})

test('a day and a month that are the other way round are read as what they can only be', () => {
  assert.equal(read('26/11/2030', 'en'), '2030-11-26')
  assert.equal(read('11/26/2030', 'de'), '2030-11-26')
})

test('months are read by their names and the beginnings of these', () => {
  assert.equal(read('26 Nov', 'en'), '2031-11-26')
  assert.equal(read('Nov 26, 2030', 'en'), '2030-11-26')
  assert.equal(read('26th of November 2030', 'en'), '2030-11-26')
  assert.equal(read('1. Dez', 'de'), '2030-12-01')
  assert.equal(read('3. Mär 2031', 'de'), '2031-03-03')
  assert.equal(read('3 fevrier 2031', 'fr'), '2031-02-03')
  assert.equal(read('1 de diciembre de 2030', 'es'), '2030-12-01')
  assert.equal(read('26 नवंबर 2030', 'hi'), '2030-11-26')
  assert.equal(read('२६ नवंबर २०३०', 'hi'), '2030-11-26')
  assert.equal(read('٢٦ نوفمبر ٢٠٣٠', 'ar'), '2030-11-26')
  assert.equal(read('26 كانون الأول 2030', 'ar-LB'), '2030-12-26')
  assert.equal(read('26 nov 2030', 'ar'), '2030-11-26')
})

test('near days are read by their names', () => {
  assert.equal(read('Tomorrow', 'en'), '2030-11-29')
  assert.equal(read('übermorgen', 'de'), '2030-11-30')
  assert.equal(read('demain', 'fr'), '2030-11-29')
  assert.equal(read('in 3 days', 'en'), '2030-12-01')
  assert.equal(read('next week', 'en'), '2030-12-05')
  assert.equal(read('thursday', 'en'), '2030-11-28')
  assert.equal(read('Mi', 'de'), '2030-12-04')
})

test('what is no date is not read', () => {
  for (const typed of [
    '',
    'x',
    '26 foo',
    '31.2.2031',
    '32',
    '1.1.1',
    '1/2/3/4',
    'march',
    'ju 3',
    '2030-02-30',
    '1.1.9999',
  ]) {
    assert.equal(read(typed, 'de'), typed === '1.1.1' ? '2001-01-01' : undefined, typed)
  }
})

test('a text without a year means a day after another one, or a day that is over', () => {
  assert.equal(readDay('1.3.', { language: 'de', today, from: '2031-06-01' }), '2032-03-01')
  assert.equal(readDay('29 Feb', { language: 'en', today }), '2032-02-29')
  assert.equal(readDay('1.12.', { language: 'de', today, isPast: true }), '2029-12-01')
  assert.equal(readDay('28', { language: 'de', today, isPast: true }), '2030-11-28')
  assert.equal(readDay('29', { language: 'de', today, isPast: true }), '2030-10-29')
  assert.equal(readDay('friday', { language: 'en', today, isPast: true }), '2030-11-22')
})

test('what the field writes is read again, in every language', () => {
  for (const language of ['en', 'en-GB', 'de', 'fr', 'es', 'hi', 'ar', 'ar-SA', 'ar-LB']) {
    for (let month = 1; month <= 12; month++) {
      const day = `2031-${String(month).padStart(2, '0')}-0${(month % 9) + 1}`
      assert.equal(read(writeShortDay(language)(day), language), day, `${language} ${writeShortDay(language)(day)}`)
    }
  }
})
