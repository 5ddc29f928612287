import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createMailer } from '../../apps/server/src/email/mail.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { googleReply } from '../../apps/server/test/meetings/calendar-replies.ts'
import { replyFieldsOf } from '../../apps/server/test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule } from '../../apps/server/test/people.ts'
import { createClock, publicAddress, startApp } from '../../apps/server/test/start-app.ts'
import { CalendarProgram } from './calendar-program.ts'
import { datesBetween, readCalendar } from './read-with-ical-js.ts'
import { calendarIn, type MailServer } from './story.ts'

const sequenceIn = (text = '') => Number(/\r\nSEQUENCE:(\d+)/.exec(text)?.[1])

/** The range in which dates are compared. */
export const storyRange = { from: new Date('2030-03-01T00:00:00Z'), until: new Date('2030-06-01T00:00:00Z') } as const

/** A date of a meeting: start and end in UTC, and its topic. */
export type ShownDate = { start: string; end: string; topic: string }

/** A calendar program or server: given what a guest holds, it must show the expected dates. */
export type CalendarReader = {
  name: string
  /** @throws AssertionError that names the step */
  requireDates(
    step: string,
    objects: readonly { uid: string; text: string }[],
    expected: readonly ShownDate[],
  ): Promise<void>
}

/** Mondays at nine in Berlin from 11 March to 20 May; summer time begins on 31 March. */
const weekly = {
  topic: 'Planning',
  description: 'Bring numbers.',
  startTime: '2030-03-11T08:00:00Z',
  endTime: '2030-03-11T08:45:00Z',
  participants: ['bob@example.org', 'carol@example.org'],
  advancedOptions: {},
  isPinEnabled: true,
  repeatOptions: {
    repeat: 'weekly',
    daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
    endDate: '2030-05-21T00:00:00Z',
    timeZone: 'Europe/Berlin',
  },
}

/**
 * One date of a weekly series is moved, one renamed, one cancelled and restored, one cancelled for good, and the series
 * is split; then its first part is cancelled. After each step the readers, given only what each guest was mailed, show
 * the dates that the API returns, and so does the guest's feed. Bob answers by mail, Carol in the app; what they
 * answered for one date outlasts the changes of others.
 */
export async function runOccurrenceStory(
  context: TestContext,
  server: MailServer,
  readers: readonly CalendarReader[],
  show: (text: string) => void = () => {},
) {
  const clock = createClock('2030-03-01T08:00:00Z')
  const log = createLog({ level: 'silent' })
  const mailer = createMailer({ smtpUrl: server.url, mailFrom: 'Parley <parley@parley.test>', dataDir: '', log })
  context.after(() => mailer.close())
  const replyAddress = 'rsvp@meet.example.org'
  const environment = { EMAIL_VERIFICATION: 'off', REMINDER_MINUTES: '0', REPLY_ADDRESS: replyAddress }
  const app = await startApp({ clock, mailer, environment })
  const { alice, bob, carol } = await meetPeople(app)
  const programs = new Map([bob, carol].map(({ email }) => [email, new CalendarProgram(email)]))
  const { body: feed } = await bob.send('POST', '/api/calendar/feed')
  const meeting = await schedule(alice, weekly)
  const meetings = [meeting]

  /** Let two minutes pass, in which changes are one mail, and hand the mails to the guests' programs. */
  async function deliver(): Promise<string[]> {
    clock.advance(121_000)
    await app.mails()
    const delivered: string[] = []
    for (const { to, content } of await server.received()) {
      const { method, text } = await calendarIn(content)
      programs.get(to)?.receive(text)
      delivered.push(`${to} ${method}`)
    }
    return delivered.toSorted()
  }

  async function expectedDates(): Promise<ShownDate[]> {
    const range = `from=${storyRange.from.toISOString()}&to=${storyRange.until.toISOString()}`
    const dates: ShownDate[] = []
    for (const each of meetings) {
      const { body } = await alice.send('GET', `${detailsPath(each)}/occurrences?${range}`)
      for (const { startTime, endTime, topic = each.topic, status } of body.occurrences) {
        if (status !== 'cancelled') dates.push({ start: startTime, end: endTime, topic })
      }
    }
    return dates.toSorted((one, other) => one.start.localeCompare(other.start))
  }

  async function datesInFeed(): Promise<string[]> {
    const response = await fetch(app.base + feed.url.slice(publicAddress.length))
    const events = Map.groupBy(readCalendar(await response.text()).events, ({ uid }) => uid)
    return [...events.values()].flatMap((own) => datesBetween(own, storyRange.from, storyRange.until)).toSorted()
  }

  async function assertShown(step: string, mails: readonly string[], dates: readonly string[]) {
    assert.deepEqual(await deliver(), mails, step)
    const expected = await expectedDates()
    assert.deepEqual(
      expected.map(({ start, topic }) => `${start.slice(5, 16)} ${topic}`),
      dates,
      step,
    )
    show([`— ${step}`, ...expected.map(({ start, end, topic }) => `${start} ${end} ${topic}`)].join('\n'))
    const inFeed = expected.map(({ start, end }) => `${start}/${end}`)
    assert.deepEqual(await datesInFeed(), inFeed, `${step}: the feed`)
    for (const [email, program] of programs) {
      for (const { name, requireDates } of readers) {
        await requireDates(`${step}, ${email}, ${name}`, program.objects, expected)
      }
    }
  }

  /** Bob's program mails his answer to one date, or to the series. */
  async function answerByMail(partstat: string, recurrenceId?: string) {
    const [held] = programs.get(bob.email)?.objects ?? []
    const stamp = `${clock.now().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
    const lines = recurrenceId === undefined ? [] : [`RECURRENCE-ID:${recurrenceId}`]
    const content = googleReply({
      ...replyFieldsOf(held?.text, bob.email),
      partstat,
      stamp,
      lines,
      sequence: sequenceIn(held?.text),
    })
    assert.equal(await app.receiveMail({ content: Buffer.from(content), recipients: [], isBounce: false }), 'recorded')
  }

  /** What the host sees: who has answered the series, and the date of 8 April by its own. */
  async function assertAnswers(step: string, ofSeries: readonly string[], ofDate: readonly string[]) {
    const { body: read } = await alice.send('GET', detailsPath(meeting))
    const written = ({ email, response }: Record<string, string>) => `${email} ${response}`
    const answered = read[0].participants.filter((one: { response?: string }) => one.response !== undefined)
    assert.deepEqual(answered.map(written).toSorted(), ofSeries, step)
    const range = 'from=2030-04-08T00:00:00Z&to=2030-04-09T00:00:00Z'
    const { body } = await alice.send('GET', `${detailsPath(meeting)}/occurrences?${range}`)
    assert.deepEqual(body.occurrences[0].responses.map(written).toSorted(), ofDate, step)
  }

  /** The PARTSTAT that a guest's program holds for 8 April. */
  function heldAnswer({ email }: Person): string | undefined {
    const [held] = programs.get(email)?.objects ?? []
    const events = (held?.text ?? '').replaceAll('\r\n ', '').split('BEGIN:VEVENT')
    const own = events.find((event) => /RECURRENCE-ID[^\r]*:20300408T/.test(event))
    return /PARTSTAT=([A-Z-]+)/.exec(own ?? '')?.[1]
  }

  const occurrencePath = (originalStart: string) =>
    `${detailsPath(meeting)}/occurrences/${encodeURIComponent(originalStart)}`
  const succeed = async (person: Person, method: string, path: string, body?: object) => {
    const answer = await person.send(method, path, body)
    assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const toBoth = (method: string) => [`bob@example.org ${method}`, `carol@example.org ${method}`]

  const before = ['03-11T08:00', '03-18T08:00', '03-25T08:00']
  const after = [
    '04-01T07:00',
    '04-08T07:00',
    '04-15T07:00',
    '04-22T07:00',
    '04-29T07:00',
    '05-06T07:00',
    '05-13T07:00',
  ]
  const planning = [...before, ...after, '05-20T07:00'].map((start) => `${start} Planning`)
  const replace = (list: readonly string[], changes: Record<string, string | null>) =>
    list.flatMap((date) => changes[date.slice(0, 5)] ?? (changes[date.slice(0, 5)] === null ? [] : [date]))
  await assertShown('weekly across the clock change', toBoth('REQUEST'), planning)

  await answerByMail('ACCEPTED')
  await answerByMail('TENTATIVE', '20300408T070000Z')
  const declined = { response: 'declined', occurrence: '2030-04-08T07:00:00Z' }
  await succeed(carol, 'POST', `${detailsPath(meeting)}/response`, declined)
  const answers = ['bob@example.org tentative', 'carol@example.org declined']
  await assertAnswers('Bob answers by mail, Carol in the app', ['bob@example.org accepted'], answers)

  const times = { startTime: '2030-04-02T13:30:00Z', endTime: '2030-04-02T15:00:00Z' }
  await succeed(alice, 'PUT', occurrencePath('2030-04-01T07:00:00Z'), times)
  const moved = replace(planning, { '04-01': '04-02T13:30 Planning' })
  await assertShown('1 April moved to Tuesday', toBoth('REQUEST'), moved)
  await assertAnswers('1 April moved', ['bob@example.org accepted'], answers)

  await succeed(alice, 'PUT', occurrencePath('2030-03-25T08:00:00Z'), { topic: 'Budget; final, really' })
  const renamed = replace(moved, { '03-25': '03-25T08:00 Budget; final, really' })
  await assertShown('25 March renamed', toBoth('REQUEST'), renamed)

  const cancelled = '2030-04-15T07:00:00Z'
  await succeed(alice, 'POST', cancelPath(meeting), { cancel: 'current', occurrence: cancelled })
  await assertShown('15 April cancelled', toBoth('CANCEL'), replace(renamed, { '04-15': null }))

  await succeed(alice, 'POST', `${occurrencePath(cancelled)}/restore`)
  await assertShown('15 April restored', toBoth('REQUEST'), renamed)
  assert.deepEqual([heldAnswer(bob), heldAnswer(carol)], ['TENTATIVE', 'DECLINED'], 'what the programs hold')

  await succeed(alice, 'POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-05-06T07:00:00Z' })
  const without = replace(renamed, { '05-06': null })
  await assertShown('6 May cancelled', toBoth('CANCEL'), without)

  await succeed(alice, 'PUT', occurrencePath('2030-05-13T07:00:00Z'), { topic: 'Review' })
  const reviewed = replace(without, { '05-13': '05-13T07:00 Review' })
  await assertShown('13 May renamed', toBoth('REQUEST'), reviewed)

  const later = { occurrence: '2030-04-29T07:00:00Z', startTime: '2030-04-29T08:00:00Z', topic: 'Planning, part 2' }
  meetings.push(await succeed(alice, 'POST', `${detailsPath(meeting)}/split`, later))
  const split = [
    ...reviewed.filter((date) => date < '04-29'),
    '04-29T08:00 Planning, part 2',
    '05-13T08:00 Review',
    '05-20T08:00 Planning, part 2',
  ]
  await assertShown('split on 29 April', [...toBoth('REQUEST'), ...toBoth('REQUEST')].toSorted(), split)

  await assertAnswers('split', ['bob@example.org accepted'], answers)

  await succeed(alice, 'POST', cancelPath(meeting), { cancel: 'all' })
  const second = split.filter((date) => date >= '04-29')
  await assertShown('the first part cancelled', toBoth('CANCEL'), second)
}
