import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastEvent } from '../../test/event-reader.ts'
import { detailsPath, schedule, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const { app, meet, mailsTo, olga } = await useApp({ environment: { RATE_LIMITS: 'off' } })

const weekly = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const quietly = '?sendUpdates=none'

/** A property of a mailed calendar, its folded lines joined. */
const propertyOf = (mail: { calendar?: { text: string } } | undefined, name: string) =>
  new RegExp(`^${name}[^:]*:(.*)$`, 'm').exec(mail?.calendar?.text.replaceAll('\r\n ', '') ?? '')?.[1]?.trim()

test('a location is in replies, emails and calendars, and the calendar keeps the link elsewhere', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, standUp({ participants: [bob.email], location: 'Room 5, Main Street 1' }))
  assert.equal(meeting.location, 'Room 5, Main Street 1')
  assert.equal(meeting.writtenBy.location, 'you')
  const [mail] = await mailsTo(bob)
  assert.match(mail?.text ?? '', /Location: Room 5, Main Street 1/)
  assert.equal(propertyOf(mail, 'LOCATION'), String.raw`Room 5\, Main Street 1`)
  assert.equal(propertyOf(mail, 'URL'), meeting.meetingUrl)
  assert.ok(propertyOf(mail, 'DESCRIPTION')?.includes(meeting.meetingUrl))
})

test('without a location, the LOCATION of calendars is the link', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, standUp({ participants: [bob.email] }))
  assert.equal(meeting.location, '')
  const [mail] = await mailsTo(bob)
  assert.doesNotMatch(mail?.text ?? '', /Location/)
  assert.equal(propertyOf(mail, 'LOCATION'), meeting.meetingUrl)
})

test('an update that omits the location keeps it, because older clients do not know it; an empty one removes it', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, standUp({ participants: [bob.email], location: 'Room 5' }))
  await mailsTo(bob)
  const put = async (changes: object) =>
    expectOk(alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], ...changes })))
  assert.equal((await put({})).location, 'Room 5')
  assert.deepEqual(await mailsTo(bob), [])
  assert.equal((await put({ location: '' })).location, '')
  const [mail] = await mailsTo(bob)
  assert.match(mail?.text ?? '', /Location[\s\S]*Room 5/)
  const { changed } = (await lastEvent(app, alice, 'meeting.updated')).data
  assert.deepEqual(changed, ['location'])
})

test('one date, and this and all following dates, may have a location of their own', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, standUp({ repeatOptions: weekly, participants: [], location: 'Room 5' }))
  const second = `${detailsPath(meeting)}/occurrences/${encodeURIComponent('2030-01-14T09:00:00Z')}`
  const changed = await expectOk(alice.send('PUT', second + quietly, { location: 'Room 6' }))
  assert.deepEqual([changed.status, changed.location], ['changed', 'Room 6'])
  const split = await expectOk(
    alice.send('POST', `${detailsPath(meeting)}/split${quietly}`, {
      occurrence: '2030-01-21T09:00:00Z',
      location: 'Room 7',
    }),
  )
  assert.equal(split.location, 'Room 7')
  const [before] = await expectOk(alice.send('GET', `${detailsPath(meeting)}?occurrences=2`))
  assert.deepEqual(
    [before.location, ...before.occurrences.map(({ location }: { location?: string }) => location)],
    ['Room 5', undefined, 'Room 6'],
  )
})

test('a location has at most 250 characters on one line, and administrators do not see it', async () => {
  const [alice] = await meet('Alice')
  const create = (location: string) => alice.send('POST', '/api/meeting', standUp({ participants: [], location }))
  await expectOk(create('a'.repeat(250)))
  await expectProblem(create('a'.repeat(251)), 'invalid_request', ['/location too_long'])
  const meeting = await schedule(alice, standUp({ participants: [], location: 'Room 5' }))
  const [seen] = await expectOk(olga.send('GET', detailsPath(meeting)))
  assert.equal(seen.location, '')
})
