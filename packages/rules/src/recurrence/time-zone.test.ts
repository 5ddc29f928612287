import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTimeZone, readTimeZoneAliases, timeZoneAliases } from './time-zone.ts'

const known = [
  ['IST', 'Asia/Kolkata', 'a code of the table'],
  ['ist', 'Asia/Kolkata', 'a code in any case'],
  ['Z', 'Etc/UTC', 'a code of one letter'],
  ['EST', 'America/New_York', 'a code that is an IANA id without daylight saving time'],
  ['EDT', 'America/New_York', 'the daylight code of the same zone'],
  ['MST', 'America/Denver', 'a code that is an IANA id of another zone'],
  ['CET', 'Europe/Paris', 'a code that is an IANA id of its own'],
  ['CEST', 'Europe/Paris', 'a code that Intl does not know'],
  ['BST', 'Europe/London', 'a code that Intl reads as Dhaka'],
  ['UTC', 'Etc/UTC', 'a code that Temporal reads too'],
  ['Europe/Berlin', 'Europe/Berlin', 'an IANA id'],
  ['europe/berlin', 'Europe/Berlin', 'an IANA id in small letters'],
  ['AMERICA/ARGENTINA/BUENOS_AIRES', 'America/Argentina/Buenos_Aires', 'an IANA id in capitals'],
  ['Asia/Calcutta', 'Asia/Kolkata', 'a former name'],
  ['asia/calcutta', 'Asia/Kolkata', 'a former name in small letters'],
  ['Europe/Kiev', 'Europe/Kyiv', 'a former spelling'],
  ['us/eastern', 'America/New_York', 'a name of before 1993 in small letters'],
  ['Etc/GMT+5', 'Etc/GMT+5', 'an id with the sign of POSIX: five hours behind'],
  ['GMT+0', 'GMT+0', 'an id that looks like an offset'],
  ['EST5EDT', 'EST5EDT', 'an id that looks like two codes'],
  ['UTC+05:30', '+05:30', 'an offset from UTC'],
  ['utc-08', '-08:00', 'an offset of whole hours, in small letters'],
  ['GMT+01:00', '+01:00', 'an offset from GMT'],
  ['+05:45', '+05:45', 'an offset alone'],
  ['-00:30', '-00:30', 'an offset of minutes'],
  ['-00:00', '+00:00', 'no offset'],
  ['+14:00', '+14:00', 'the largest offset'],
  ['UTC-14', '-14:00', 'the smallest offset'],
  ['GMT+5:30', '+05:30', 'what Intl prints for Kolkata in English'],
  ['GMT+1', '+01:00', 'what Intl prints for Berlin in English'],
  ['gmt-5', '-05:00', 'what Intl prints for Bogota, in small letters'],
  ['UTC+5:30', '+05:30', 'what Intl prints for Kolkata in French'],
  ['UTC\u22125', '-05:00', 'what Intl prints for Bogota in French, with a minus sign'],
  ['UTC+5.30', '+05:30', 'what Intl prints for Kolkata in Finnish'],
  ['GMT-14:00', '-14:00', 'the smallest offset from GMT'],
  ['+0530', '+05:30', 'what `date` prints for Colombo'],
  ['-0330', '-03:30', 'an offset behind UTC without its colon'],
  ['+05', '+05:00', 'what `date` prints for Tashkent'],
] as const

for (const [text, timeZone, what] of known) {
  test(`${text} is ${timeZone}: ${what}`, () => assert.deepEqual(readTimeZone(text), { kind: 'known', timeZone }))
}

const unknown = [
  ['', [], 'nothing'],
  ['XYZ', [], 'an unknown code'],
  ['ISTT', ['IST'], 'a code with a letter too many'],
  ['Kolkata', ['Asia/Kolkata'], 'a city'],
  ['new york', ['America/New_York'], 'a city of two words'],
  ['Europe/Berln', ['Europe/Berlin'], 'an id with a letter missing'],
  ['Tokio', ['Asia/Tokyo'], 'a city in another language'],
  ['CET ', ['CET'], 'a code with a space behind it'],
  ['+14:01', [], 'more than the largest offset'],
  ['-14:01', [], 'less than the smallest'],
  ['+15:00', [], 'an hour more than the largest'],
  ['+05:60', [], 'sixty minutes'],
  ['+5', [], 'an offset alone with one digit'],
  ['+530', [], 'three digits, of which the hours may be one or two'],
  ['GMT+5:3', [], 'minutes of one digit'],
  ['GMT+15', [], 'an hour more than the largest from GMT'],
  ['GMT+14:01', [], 'a minute more than the largest from GMT'],
  ['GMT5', ['GMT'], 'an offset without its sign'],
  ['GMT+', ['GMT'], 'a sign alone'],
  ['UTC+05:30:00', [], 'seconds'],
  ['UTC+14:30', [], 'too large an offset from UTC'],
  ['I\u017fT', ['IST', 'ICT', 'IDT'], 'a long s, the capital of which is S'],
  ['Europe/Berlin[u-ca=hebrew]', ['Europe/Berlin'], 'an annotation that Temporal accepts elsewhere'],
  ['2026-01-01T00:00Z', [], 'a timestamp'],
  ['\ud800', [], 'half a character'],
  ['__proto__', [], 'a property that every object has'],
] as const

for (const [text, nearby, what] of unknown) {
  test(`${JSON.stringify(text)} is not a zone: ${what}`, () => {
    assert.deepEqual(readTimeZone(text), { kind: 'unknown', nearby })
  })
}

test('suggests at most five names', () => {
  const reading = readTimeZone('America')
  assert.equal(reading.kind === 'unknown' && reading.nearby.length, 5)
})

test('suggests names for 64 characters, and not for 65', () => {
  assert.deepEqual(readTimeZone('Europe/Berlin'.padEnd(64, '-')), { kind: 'unknown', nearby: ['Europe/Berlin'] })
  assert.deepEqual(readTimeZone('Europe/Berlin'.padEnd(65, '-')), { kind: 'unknown', nearby: [] })
})

test('each code of the table is listed once, in capitals, and is read as its zone', () => {
  assert.equal(new Set(timeZoneAliases.map((alias) => alias.code)).size, timeZoneAliases.length)
  for (const { code, timeZone } of timeZoneAliases) {
    assert.match(code, /^[A-Z]{1,5}$/)
    assert.deepEqual(readTimeZone(code), { kind: 'known', timeZone })
    assert.equal(new Temporal.ZonedDateTime(0n, timeZone).timeZoneId, timeZone)
  }
})

test('a standard code and its daylight code name the same zone', () => {
  const zoneOf = (code: string) => timeZoneAliases.find((alias) => alias.code === code)?.timeZone
  for (const [standard, daylight] of [
    ['EST', 'EDT'],
    ['PST', 'PDT'],
    ['CET', 'CEST'],
    ['AEST', 'AEDT'],
    ['ACST', 'ACDT'],
    ['NZST', 'NZDT'],
    ['CLT', 'CLST'],
    ['WET', 'WEST'],
  ] as const) {
    assert.equal(zoneOf(standard), zoneOf(daylight))
  }
})

test('an operator’s codes take precedence over the table', () => {
  const reading = readTimeZoneAliases('IST=Asia/Jerusalem, bst = asia/dhaka')
  const aliases = new Map([
    ['IST', 'Asia/Jerusalem'],
    ['BST', 'Asia/Dhaka'],
  ])
  assert.deepEqual(reading, { kind: 'read', aliases })
  assert.deepEqual(readTimeZone('ist', aliases), { kind: 'known', timeZone: 'Asia/Jerusalem' })
  assert.deepEqual(readTimeZone('EST', aliases), { kind: 'known', timeZone: 'America/New_York' })
})

test('a code that an operator adds is read, and suggested', () => {
  const aliases = new Map([['HQTIME', 'Europe/Oslo']])
  assert.deepEqual(readTimeZone('hqtime', aliases), { kind: 'known', timeZone: 'Europe/Oslo' })
  assert.deepEqual(readTimeZone('HQTIM', aliases), { kind: 'unknown', nearby: ['HQTIME'] })
})

test('empty entries define no aliases', () => {
  for (const text of ['', ' ', ',', ' , '])
    assert.deepEqual(readTimeZoneAliases(text), { kind: 'read', aliases: new Map() })
})

test('an operator’s code may stand for another code or an offset', () => {
  const aliases = new Map([
    ['EASTERN', 'America/New_York'],
    ['LAB', '+05:30'],
  ])
  assert.deepEqual(readTimeZoneAliases('EASTERN=EST,LAB=UTC+05:30'), { kind: 'read', aliases })
})

test('the message lists every invalid entry', () => {
  assert.deepEqual(readTimeZoneAliases('IST,BST=Mars/Base,CST=Asia/Shanghai,cst=UTC,=UTC,A-B=UTC'), {
    kind: 'refused',
    message: [
      '"IST" is not of the form CODE=Area/City',
      '"BST=Mars/Base" does not name a time zone',
      '"cst" is given twice',
      '"=UTC" is not of the form CODE=Area/City',
      '"A-B=UTC" is not of the form CODE=Area/City',
    ].join('; '),
  })
})

test('each fixed offset is read as Intl prints it, in the languages that write UTC or GMT', () => {
  for (const language of ['en', 'de', 'hi', 'fr', 'fi', 'sv', 'da', 'ja']) {
    for (const timeZone of ['Asia/Kolkata', 'Asia/Singapore', 'America/Bogota', 'Etc/GMT+12', 'Etc/GMT-14']) {
      const zone = new Temporal.ZonedDateTime(0n, timeZone)
      for (const timeZoneName of ['shortOffset', 'longOffset'] as const) {
        const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName })
        const printed = format.formatToParts(0).find(({ type }) => type === 'timeZoneName')?.value ?? ''
        assert.deepEqual(readTimeZone(printed), { kind: 'known', timeZone: zone.offset }, `${language}: ${printed}`)
      }
    }
  }
})
