import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Person } from '../../../test/people.ts'
import { useApp } from '../../../test/use-app.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import { StartProblem } from '../../platform/start-problem.ts'
import { type ImportOptions, importFile, meetingIdOf } from './import-file.ts'

const { app, clock, meet, mailsTo, olga, addressOf } = await useApp()
const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
after(() => rm(folder, { recursive: true, force: true }))

const none: ImportOptions = {
  host: undefined,
  organizer: undefined,
  dryRun: false,
  notify: false,
  past: false,
  appointments: false,
  dayFirst: false,
}

/** Import a text as the command does. @returns the exit code and the lines */
async function importText(text: string | Buffer, options: Partial<ImportOptions> = {}) {
  const path = join(folder, 'file')
  await writeFile(path, text)
  const said: string[] = []
  const { testDatabase, secretKey } = app.shared
  const code = await importFile(
    {
      config: { ...app.config, databaseUrl: testDatabase.url, secretKey },
      clock,
      random: secureRandom,
      log: createLog({ level: 'silent' }),
      say: (line) => void said.push(line),
      sayOnStderr: () => {},
    },
    path,
    { ...none, ...options },
  )
  return { code, said }
}

const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n')
const event = (uid: string, ...lines: string[]) => ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT']
const single = ['SUMMARY:Review', 'DTSTART:20300107T090000Z', 'DTEND:20300107T093000Z']
const listed = async (host: Person) => (await host.send('GET', '/api/meeting/me?past=false')).body.meetingDetails

test('a series of a calendar is a meeting of the host, with its dates, and no one is mailed', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const series = calendar(
    ...event(
      'series',
      'SUMMARY:Weekly',
      'DTSTART;TZID=Europe/Berlin:20300107T090000',
      'DTEND;TZID=Europe/Berlin:20300107T093000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO',
      'EXDATE;TZID=Europe/Berlin:20300114T090000',
      `ATTENDEE;CN=Bob:mailto:${bob.email}`,
    ),
    ...event(
      'series',
      'SUMMARY:Weekly',
      'RECURRENCE-ID;TZID=Europe/Berlin:20300121T090000',
      'DTSTART;TZID=Europe/Berlin:20300122T100000',
      'DTEND;TZID=Europe/Berlin:20300122T103000',
      `ATTENDEE;CN=Bob:mailto:${bob.email}`,
    ),
  )
  const { code, said } = await importText(series, { host: alice.email })
  assert.deepEqual(
    [code, said],
    [0, ['created  line 3: Weekly (2030-01-07 09:00 Europe/Berlin, weekly)', '1 created, 0 skipped, 0 refused']],
  )
  const [meeting] = await listed(alice)
  assert.deepEqual([meeting.topic, meeting.participants.length, meeting.pin.length], ['Weekly', 1, 6])
  const { body } = await alice.send('GET', `/api/meeting/meetingDetails/${meeting._id}/occurrences?limit=4`)
  assert.deepEqual(
    body.occurrences.map(({ startTime, status }: { startTime: string; status: string }) => [startTime, status]),
    [
      ['2030-01-07T08:00:00.000Z', 'active'],
      ['2030-01-22T09:00:00.000Z', 'changed'],
      ['2030-01-28T08:00:00.000Z', 'active'],
      ['2030-02-04T08:00:00.000Z', 'active'],
    ],
  )
  assert.equal((await listed(bob)).length, 1, 'The guest has it as well')
  assert.deepEqual(await mailsTo(bob), [])
})

test('--dry-run reports the same and changes nothing; a second run creates nothing', async () => {
  const [alice] = await meet('Alice')
  const text = calendar(...event('one', ...single, 'ATTENDEE:mailto:eve@example.net'))
  const created = 'created  line 3: Review (2030-01-07 09:00 Etc/UTC)'
  const trial = await importText(text, { host: alice.email, dryRun: true })
  assert.deepEqual(trial.said, [created, '1 created, 0 skipped, 0 refused (--dry-run: nothing is changed)'])
  assert.deepEqual(await listed(alice), [])
  assert.equal((await importText(text, { host: alice.email })).said[0], created)
  const again = await importText(text, { host: alice.email })
  assert.deepEqual(again.said, ['skipped  line 3: Review: was imported before', '0 created, 1 skipped, 0 refused'])
  const [meeting] = await listed(alice)
  assert.equal(meeting._id, meetingIdOf(meeting.userId, 'one'))
  await alice.send('POST', `/api/meeting/cancel/${meeting._id}?sendUpdates=none`, { cancel: 'all' })
  const afterwards = await importText(text, { host: alice.email })
  assert.match(afterwards.said[0] ?? '', /was imported before, and is cancelled$/)
})

test('--notify invites the guests', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const text = calendar(...event('one', ...single, `ATTENDEE:mailto:${bob.email}`))
  await importText(text, { host: alice.email, notify: true })
  assert.match((await mailsTo(bob))[0]?.subject ?? '', /Review/)
})

test('what is over, of others or of one person alone is skipped unless it is asked for', async () => {
  const [alice] = await meet('Alice')
  const text = calendar(
    ...event(
      'past',
      'SUMMARY:Past',
      'DTSTART:20290107T090000Z',
      'DTEND:20290107T093000Z',
      'ATTENDEE:mailto:e@example.net',
    ),
    ...event('other', ...single, 'ORGANIZER:mailto:boss@example.net', 'ATTENDEE:mailto:e@example.net'),
    ...event('alone', ...single),
  )
  const { said } = await importText(text, { host: alice.email })
  assert.match(said[0] ?? '', /^skipped {2}line 3: Past: is over: --past/)
  assert.match(said[1] ?? '', /is a meeting of boss@example\.net: .* add --organizer$/)
  assert.match(said[2] ?? '', /has neither guests nor a link to a call: --appointments/)
  const all = { host: alice.email, past: true, organizer: 'boss@example.net', appointments: true }
  assert.equal((await importText(text, all)).said.at(-1), '3 created, 0 skipped, 0 refused')
})

test('without --host each meeting belongs to the account that the file names', async () => {
  const [alice] = await meet('Alice')
  const head = 'Topic,Meeting ID,Host,Start Time,Duration'
  const rows = [`Hers,1,${alice.email},2030-01-07 09:00,45`, 'Other,2,zoe@example.net,2030-01-07 09:00,45']
  const { said } = await importText([head, ...rows].join('\n'))
  assert.deepEqual(said.slice(0, 2), [
    'created  row 2: Hers (2030-01-07 09:00 Etc/UTC)',
    'skipped  row 3: Other: there is no account of zoe@example.net',
  ])
})

test('a wrong entry is refused with its field, and the others are imported', async () => {
  const [alice] = await meet('Alice')
  const text = calendar(
    ...event(
      'wrong',
      'SUMMARY:Wrong',
      'DTSTART:20300107T090000Z',
      'DTEND:20300107T083000Z',
      'ATTENDEE:mailto:e@example.net',
    ),
    ...event('right', ...single, 'ATTENDEE:mailto:e@example.net'),
  )
  const { code, said } = await importText(text, { host: alice.email })
  assert.deepEqual(
    [code, said[0], said[2]],
    [1, 'refused  line 3: Wrong: the end: endTime must be after startTime.', '1 created, 0 skipped, 1 refused'],
  )
})

test('a rule whose dates would be others is skipped', async () => {
  const [alice] = await meet('Alice')
  const lines = ['SUMMARY:Odd', 'DTSTART:20300106T090000Z', 'DTEND:20300106T093000Z', 'ATTENDEE:mailto:e@example.net']
  // Weeks that begin on Monday: the Sunday belongs to the week before.
  const rule = 'RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=SU,TU'
  const { said } = await importText(calendar(...event('odd', ...lines, rule)), { host: alice.email })
  assert.match(said[0] ?? '', /^skipped .*has a rule that Parley cannot express: its dates would be others$/)
})

test('people are invited once, with links to pass on or by email', async () => {
  const [eve, finn] = [addressOf('Eve'), addressOf('Finn')]
  const text = Buffer.from(`\ufeffEmail,First Name\r\n${eve},Eve\r\n${olga.email},Olga\r\n`, 'utf16le')
  const { said } = await importText(text)
  const [first = '', second] = said
  assert.ok(first.startsWith(`created  row 2: ${eve}\thttp://parley.test/sign-up#invitation=inv_`), first)
  assert.equal(second, `skipped  row 3: ${olga.email}: has an account`)
  assert.match((await importText(text)).said[0] ?? '', /was invited on 2029-12-03$/)
  const others = `Email\n${finn}\n`
  await assert.rejects(importText(others, { notify: true }), /Name the account that invites these people/)
  await importText(others, { notify: true, host: olga.email })
  assert.match((await mailsTo(finn))[0]?.text ?? '', /Olga/)
})

test('files that are none are refused', async () => {
  for (const text of ['', 'Colour,Price\nred,3', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT'])
    await assert.rejects(importText(text), StartProblem)
  await assert.rejects(importText('Email\n', { host: 'nobody@example.org' }), /There is no account of nobody/)
})

test('an id is that of RFC 9562 for its namespace and name', () => {
  // The example of appendix A.4.
  assert.equal(
    meetingIdOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com'),
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  )
})
