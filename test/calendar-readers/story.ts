import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { simpleParser } from 'mailparser'
import { createMailer } from '../../apps/server/src/email/mail.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { createClock, publicAddress, startApp } from '../../apps/server/test/start-app.ts'
import { CalendarProgram } from './calendar-program.ts'
import { datesBetween, readCalendar } from './read-with-ical-js.ts'

/** A mail server that accepts all mail: its address, and the mails since the last call. */
export type MailServer = { url: string; received(): Promise<Delivered[]> }
export type Delivered = { to: string; content: Buffer }

const [from, until] = [new Date('2030-03-01T00:00:00Z'), new Date('2030-07-01T00:00:00Z')]

/** Mondays at nine in London from 11 March, seven dates; summer time begins on 31 March. */
const weekly = (changes: object = {}) => ({
  topic: 'Planning; part 1, with \\ and 👋',
  startTime: '2030-03-11T09:00:00Z',
  endTime: '2030-03-11T09:45:00Z',
  participants: ['bob@example.org', 'carol@example.org'],
  description: 'Bring:\n- tea\n- numbers',
  advancedOptions: {},
  isPinEnabled: true,
  repeatOptions: {
    repeat: 'weekly',
    daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
    endDate: '2030-04-23T00:00:00Z',
    timeZone: 'Europe/London',
  },
  ...changes,
})

/**
 * Create a weekly meeting, move it, remove a guest, cancel a date, and cancel the rest after some dates have passed.
 * After each step, a calendar program that receives only one guest's mails shows the same dates as our API and the
 * guest's feed.
 */
export async function runStory(context: TestContext, server: MailServer, show: (text: string) => void = () => {}) {
  const clock = createClock('2030-03-01T08:00:00Z')
  const log = createLog({ level: 'silent' })
  const mailer = createMailer({ smtpUrl: server.url, mailFrom: 'Parley <parley@parley.test>', dataDir: '', log })
  context.after(() => mailer.close())
  const app = await startApp({ clock, mailer, environment: { EMAIL_VERIFICATION: 'off', REMINDER_MINUTES: '0' } })
  const { alice, bob, carol } = await meetPeople(app)
  const programs = new Map([bob, carol].map(({ email }) => [email, new CalendarProgram(email)]))
  const { body: feed } = await bob.send('POST', '/api/calendar/feed')

  /**
   * Deliver the mails to the recipients' programs.
   * @returns the recipients with the method of each mail
   */
  async function deliver(): Promise<string[]> {
    await app.mails()
    const delivered: string[] = []
    for (const { to, content } of await server.received()) {
      const calendar = await calendarIn(content)
      programs.get(to)?.receive(calendar.text)
      delivered.push(`${to} ${calendar.method}`)
    }
    return delivered.toSorted()
  }

  const datesOf = ({ email }: Person) => programs.get(email)?.dates(from, until) ?? []

  async function ours(topic: string) {
    const range = `from=${from.toISOString()}&to=${until.toISOString()}`
    const { body } = await alice.send('GET', `${detailsPath(meeting)}/occurrences?${range}`)
    return body.occurrences.map(
      (date: { startTime: string; endTime: string }) => `${date.startTime}/${date.endTime} ${topic}`,
    )
  }

  async function inFeed() {
    const response = await fetch(app.base + feed.url.slice(publicAddress.length))
    const { events } = readCalendar(await response.text())
    return datesBetween(events, from, until).map((date) => `${date} ${events[0]?.summary}`)
  }

  async function assertShown(step: string, topic: string, howMany: number) {
    const expected = await ours(topic)
    show([`— ${step}`, ...datesOf(bob)].join('\n'))
    assert.equal(expected.length, howMany, step)
    assert.deepEqual(datesOf(bob), expected, step)
    assert.deepEqual(await inFeed(), expected, step)
  }

  const meeting = await schedule(alice, weekly())
  const { topic } = weekly()
  assert.deepEqual(await deliver(), ['bob@example.org REQUEST', 'carol@example.org REQUEST'])
  await assertShown('made: Mondays at nine', topic, 7)
  assert.deepEqual(datesOf(carol), datesOf(bob))

  clock.set('2030-03-02T08:00:00Z')
  const moved = weekly({
    topic: 'Planning, moved',
    startTime: '2030-03-12T16:30:00Z',
    endTime: '2030-03-12T18:00:00Z',
    repeatOptions: { ...weekly().repeatOptions, daysOfWeek: [0, 0, 1, 0, 0, 0, 0], endDate: '2030-05-01T00:00:00Z' },
  })
  await expectOk(alice.send('PUT', detailsPath(meeting), moved))
  assert.deepEqual(await deliver(), ['bob@example.org REQUEST', 'carol@example.org REQUEST'])
  await assertShown('moved: Tuesdays at half past four', moved.topic, 8)
  assert.deepEqual(datesOf(carol), datesOf(bob))

  clock.set('2030-03-03T08:00:00Z')
  const withoutCarol = { ...moved, participants: ['bob@example.org'] }
  await expectOk(alice.send('PUT', detailsPath(meeting), withoutCarol))
  assert.deepEqual(await deliver(), ['carol@example.org CANCEL'])
  await assertShown('without Carol', moved.topic, 8)
  assert.deepEqual(datesOf(carol), [])

  clock.set('2030-03-04T08:00:00Z')
  // After the clock change, half past four is an hour earlier in UTC.
  const occurrence = '2030-04-02T15:30:00Z'
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence }))
  assert.deepEqual(await deliver(), ['bob@example.org CANCEL'])
  await assertShown('without 2 April', moved.topic, 7)

  // Later mails still exclude the cancelled date.
  clock.set('2030-03-05T08:00:00Z')
  const renamed = { ...withoutCarol, topic: 'Planning, renamed' }
  await expectOk(alice.send('PUT', detailsPath(meeting), renamed))
  assert.deepEqual(await deliver(), ['bob@example.org REQUEST'])
  await assertShown('renamed, still without 2 April', renamed.topic, 7)

  clock.set('2030-03-27T08:00:00Z')
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  assert.deepEqual(await deliver(), ['bob@example.org REQUEST'])
  await assertShown('the rest is cancelled: three have been held', renamed.topic, 3)
  assert.deepEqual(datesOf(carol), [])
  assert.equal(Object.keys(programs.get(bob.email)?.sequences ?? {}).length, 1)

  const single = await schedule(
    alice,
    weekly({
      topic: 'Once',
      repeatOptions: { repeat: 'none', timeZone: 'IST' },
      startTime: '2030-05-06T09:00:00Z',
      endTime: '2030-05-06T10:00:00Z',
    }),
  )
  await deliver()
  assert.equal(
    datesOf(bob).filter((date) => date === '2030-05-06T09:00:00.000Z/2030-05-06T10:00:00.000Z Once').length,
    1,
  )
  await expectOk(alice.send('POST', cancelPath(single), { cancel: 'all' }))
  assert.deepEqual(await deliver(), ['bob@example.org CANCEL', 'carol@example.org CANCEL'])
  assert.equal(datesOf(bob).length, 3)
  assert.deepEqual(datesOf(carol), [])
}

/** Find the text/calendar part; its method parameter must equal the calendar's METHOD (RFC 6047, 2.4). */
export async function calendarIn(content: Buffer): Promise<{ method: string; text: string }> {
  const mail = await simpleParser(content)
  const parts = mail.attachments.filter(({ contentType }) => contentType === 'text/calendar')
  const [part] = parts
  assert.ok(part !== undefined, `${mail.subject} has no calendar`)
  const text = part.content.toString('utf8')
  const { value, params } = Object(part.headers.get('content-type'))
  const { method = '' } = readCalendar(text)
  assert.deepEqual([value, params.charset?.toLowerCase(), params.method], ['text/calendar', 'utf-8', method])
  assert.ok(text.endsWith('END:VCALENDAR\r\n'))
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  const file = mail.attachments.find(({ filename }) => filename === 'invite.ics')
  assert.equal(file?.content.toString('utf8'), text)
  return { method, text }
}
