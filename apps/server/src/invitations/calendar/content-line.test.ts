import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCalendar } from '../../../../../test/calendar-readers/read-with-ical-js.ts'
import { anyCharacter } from '../../../../../test/helpers/random-characters.ts'
import { randomRuns } from '../../../../../test/helpers/random-runs.ts'
import { compose, invitation } from '../../../test/meetings/calendar-inputs.ts'
import type { CalendarInput } from './calendar-input.ts'

/** All texts that requests can hold: everything but control characters and lone surrogates. */
const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: anyCharacter, maxLength }).map((some) => some.replaceAll(/\p{Cc}|\p{Cs}/gu, '')),
    fc.string({
      unit: fc.constantFrom('\\', ';', ',', ':', '"', '^', "'", 'n', 'N', ' ', 'é', '👩‍🚀', '\u2028', 'x'),
      maxLength,
    }),
  )
const lines = fc
  .array(text(200), { maxLength: 6 })
  .chain((parts) => fc.constantFrom('\n', '\r\n', '\n\n').map((end) => parts.join(end)))

const readBack = async (input: CalendarInput) => {
  const composed = await compose(input)
  const { events } = readCalendar(composed)
  const [event] = events
  assert.ok(event !== undefined && events.length === 1)
  return { composed, event }
}

function assertWellFormed(calendar: string) {
  const bytes = Buffer.from(calendar)
  assert.ok(calendar.endsWith('END:VCALENDAR\r\n'))
  for (const line of calendar.split('\r\n')) {
    assert.ok(Buffer.byteLength(line) <= 75, `${line} has ${Buffer.byteLength(line)} octets`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may occur in a line
    assert.doesNotMatch(line, /[\u0000-\u0008\u000a-\u001f\u007f]/)
  }
  assert.equal(bytes.toString('utf8'), calendar, 'no character is torn apart')
}

test('keeps texts, with normalized line ends', async () => {
  const roundTrip = fc.asyncProperty(text(250), lines, async (topic, description) => {
    const { composed, event } = await readBack(invitation({ topic, description }))
    assertWellFormed(composed)
    assert.equal(event.summary ?? '', topic)
    assert.equal(event.description ?? '', description.replaceAll('\r\n', '\n'))
  })
  await fc.assert(roundTrip, randomRuns(100))
})

test('keeps names in parameters, by RFC 6868', async () => {
  // A backslash has no meaning in a parameter (RFC 5545, 3.2), but ical.js reads two of them as one.
  const names = text(100).map((name) => name.replaceAll('\\', ''))
  const roundTrip = fc.asyncProperty(names, async (name) => {
    const { composed, event } = await readBack(invitation({ organizer: { name, email: 'alice@example.org' } }))
    assertWellFormed(composed)
    const organizer = event.component.getFirstProperty('organizer')
    assert.equal(organizer?.getParameter('cn') ?? '', name)
    assert.equal(organizer?.getFirstValue(), 'mailto:alice@example.org')
  })
  await fc.assert(roundTrip, randomRuns(80))
})

const addresses = [
  ['bob@example.org', 'mailto:bob@example.org'],
  ["o'brien+meet=1&x@example.org", "mailto:o'brien+meet=1&x@example.org"],
  ['50%/a?b#c^d`e{f|g}@example.org', 'mailto:50%25%2Fa%3Fb%23c%5Ed%60e%7Bf%7Cg%7D@example.org'],
  ['jörg@bücher.example', 'mailto:j%C3%B6rg@b%C3%BCcher.example'],
] as const
for (const [email, written] of addresses) {
  test(`writes the address ${email} as a URI that nothing in it can end`, async () => {
    const { event } = await readBack(invitation({ attendee: { email } }))
    const [attendee] = event.attendees
    assert.equal(attendee?.getFirstValue(), written)
    assert.equal(decodeURIComponent(written), `mailto:${email}`)
  })
}

test('never turns user text into a property of its own', async () => {
  const attack = 'x\r\nATTENDEE:mailto:mallory@example.org\nEND:VEVENT\rBEGIN:VALARM\u0000\u000b\u007f'
  const { composed, event } = await readBack(
    invitation({
      topic: attack,
      description: attack,
      joinLink: attack,
      uid: attack,
      url: `https://x.example/${attack}`,
      organizer: { name: attack, email: `a${attack}@example.org` },
      attendee: { name: attack, email: `b${attack}@example.org` },
    }),
  )
  assertWellFormed(composed)
  assert.equal(event.attendees.length, 1)
  assert.equal(event.component.getAllSubcomponents('valarm').length, 0)
  assert.equal(composed.split('END:VEVENT\r\n').length, 2)
  assert.equal(event.summary, 'x\nATTENDEE:mailto:mallory@example.org\nEND:VEVENT\nBEGIN:VALARM')
})

test('folds 10,000 characters of every width between characters', async () => {
  const description = 'aé€😀'.repeat(2500)
  const { composed, event } = await readBack(invitation({ description }))
  assertWellFormed(composed)
  assert.equal(event.description, description)
})

test('folds a line of 76 octets, and not one of 75', async () => {
  const folded = async (length: number) => {
    const calendar = await compose(invitation({ topic: 'x'.repeat(length - 'SUMMARY:'.length) }))
    return calendar.split('\r\n').find((_, place, all) => all[place - 1]?.startsWith('SUMMARY:'))
  }
  assert.match(String(await folded(75)), /^LOCATION:/)
  assert.equal(await folded(76), ' x')
})
