import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { languageCodes } from '@parley/texts/languages'
import { createInstance } from 'i18next'
import { type RepeatDraft, repeatFrom } from './repeat-draft.ts'
import { writeRepeat } from './repeat-sentence.ts'

// Fixes the locale, so that dates are written the same way on every machine.
Object.defineProperty(navigator, 'languages', { value: ['en-US'] })

const texts = (language: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../../../packages/texts/${language}/schedule.json`), 'utf8'))
const i18n = createInstance()
await i18n.init({
  lng: 'en',
  resources: Object.fromEntries(languageCodes.map((code) => [code, { schedule: texts(code) }])),
  interpolation: { escapeValue: false },
})

/** The languages of the tables below. */
const written = ['en', 'de', 'hi', 'ar'] as const

const sentences = (changes: Partial<RepeatDraft>) =>
  written.map((language) =>
    writeRepeat({ ...repeatFrom('2026-11-27'), ...changes }, { t: i18n.getFixedT(language, 'schedule'), language }),
  )

const lastFriday = { repeat: 'monthly', monthlyOn: 'weeks', weeks: [4], weekdaysInMonth: [5] } as const

const cases: [Partial<RepeatDraft>, [en: string, de: string, hi: string, ar: string]][] = [
  [{ repeat: 'daily' }, ['Every day', 'Jeden Tag', 'हर दिन', 'كل يوم']],
  [{ repeat: 'daily', interval: 2 }, ['Every second day', 'Jeden zweiten Tag', 'हर दूसरे दिन', 'كل يومين']],
  [{ repeat: 'daily', interval: 3 }, ['Every 3 days', 'Alle 3 Tage', 'हर 3 दिन में', 'كل 3 أيام']],
  [
    { repeat: 'weekly', weekdays: [5] },
    ['Every week on Friday', 'Jede Woche am Freitag', 'हर सप्ताह शुक्रवार को', 'كل أسبوع يوم الجمعة'],
  ],
  [
    { repeat: 'weekly', interval: 2, weekdays: [1, 3] },
    [
      'Every second week on Monday and Wednesday',
      'Jede zweite Woche am Montag und Mittwoch',
      'हर दूसरे सप्ताह सोमवार और बुधवार को',
      'كل أسبوعين يومي الاثنين والأربعاء',
    ],
  ],
  [
    { repeat: 'weekly', interval: 12, weekdays: [0, 1, 6] },
    [
      'Every 12 weeks on Monday, Saturday, and Sunday',
      'Alle 12 Wochen am Montag, Samstag und Sonntag',
      'हर 12 सप्ताह में रविवार, सोमवार, और शनिवार को',
      'كل 12 أسبوعًا أيام السبت والأحد والاثنين',
    ],
  ],
  [
    { ...lastFriday, ends: 'date', endDate: '2027-06-30' },
    [
      'Every month on the last Friday, until June 30, 2027',
      'Jeden Monat am letzten Freitag, bis zum 30. Juni 2027',
      'हर महीने आख़िरी शुक्रवार को, 30 जून 2027 तक',
      'كل شهر يوم الجمعة الأخير، حتى 30 يونيو 2027',
    ],
  ],
  [
    { ...lastFriday, interval: 2, weeks: [0, 2] },
    [
      'Every second month on the first and third Friday',
      'Jeden zweiten Monat am ersten und dritten Freitag',
      'हर दूसरे महीने पहले और तीसरे शुक्रवार को',
      'كل شهرين يوم الجمعة الأول والثالث',
    ],
  ],
  [
    { repeat: 'monthly', monthlyOn: 'last-day' },
    ['Every month on the last day', 'Jeden Monat am letzten Tag', 'हर महीने आख़िरी दिन', 'كل شهر في اليوم الأخير'],
  ],
  [
    { repeat: 'weekdays', interval: 3 },
    [
      'Every weekday, Monday to Friday',
      'Jeden Werktag, Montag bis Freitag',
      'हर कार्यदिवस, सोमवार से शुक्रवार',
      'كل يوم عمل، من الاثنين إلى الجمعة',
    ],
  ],
  [
    { repeat: 'daily', ends: 'count', count: 10, endDate: '2027-06-30' },
    ['Every day, 10 times', 'Jeden Tag, 10-mal', 'हर दिन, 10 बार', 'كل يوم، 10 مرات'],
  ],
]

for (const [changes, expected] of cases) {
  test(`writes a recurrence in each of these languages: ${expected[0]}`, () =>
    assert.deepEqual(sentences(changes), expected))
}

test('writes English ordinals with the right ending', () => {
  const dates = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31].map(
    (dateInMonth) => sentences({ repeat: 'monthly', monthlyOn: 'date', dateInMonth })[0],
  )
  const endings = dates.map((sentence) => sentence?.replace('Every month on the ', ''))
  assert.deepEqual(endings, ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '23rd', '31st'])
})

test('writes nothing without a recurrence or for an incomplete rule', () => {
  const incomplete: Partial<RepeatDraft>[] = [
    { repeat: 'none' },
    { repeat: 'daily', interval: 0 },
    { repeat: 'weekly', weekdays: [] },
    { repeat: 'monthly', monthlyOn: 'date', dateInMonth: 32 },
    { ...lastFriday, weeks: [] },
    { ...lastFriday, weekdaysInMonth: [] },
  ]
  for (const changes of incomplete) assert.deepEqual(sentences(changes), ['', '', '', ''])
})
