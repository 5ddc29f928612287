import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { listed } from '../../../test/mailbox.ts'
import { cancelPath, detailsPath, schedule, signUp, standUp, weekdays } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { remindJob } from '../guest-reminders.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const alice = await signUp(app, 'Alice')

beforeEach(() => clock.set('2030-01-01T12:00:00Z'))

/** The emails that are due at the clock's time. */
async function due(): Promise<string[]> {
  await app.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts = 0')
  return listed(await app.mails({ gathering: true }))
}
const rename = async (meeting: { _id: string }, topic: string) => {
  assert.equal((await alice.send('PUT', detailsPath(meeting), standUp({ topic }))).status, 200)
}

test('sends the first email of a meeting at once, and gathers changes within two minutes of it into one email', async () => {
  const meeting = await schedule(alice, standUp())
  assert.deepEqual(await due(), ['Invitation: Stand-up REQUEST 0 to bob@example.org'])
  await rename(meeting, 'First')
  assert.deepEqual(await due(), [])
  clock.advance(60_000)
  await rename(meeting, 'Second')
  assert.deepEqual(await due(), [])
  clock.advance(59_999)
  assert.deepEqual(await due(), [])
  clock.advance(1)
  const mails = await app.mails({ gathering: true })
  assert.deepEqual(mails, [], 'no job looks before its time')
  await app.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts = 0')
  const [mail, ...others] = await app.mails({ gathering: true })
  assert.deepEqual(others, [])
  assert.equal(mail?.subject, 'Changed: Second')
  assert.match(mail?.text ?? '', /Topic\n {2}Before: Stand-up\n {2}Now: Second/)
  await rename(meeting, 'Third')
  assert.deepEqual(await due(), [])
  clock.advance(120_000)
  assert.deepEqual(await due(), ['Changed: Third REQUEST 3 to bob@example.org'])
})

test('sends no email for a change that is reverted within that time', async () => {
  const meeting = await schedule(alice, standUp())
  await due()
  await rename(meeting, 'First')
  await due()
  await rename(meeting, 'Stand-up')
  clock.advance(120_000)
  assert.deepEqual(await due(), [])
  assert.equal((await app.pool.query('select from guest_delivery where pending')).rowCount, 0)
})

test('sends no email to a guest who is removed and invited again within that time', async () => {
  const meeting = await schedule(alice, standUp())
  await due()
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [] }))
  await due()
  await alice.send('PUT', detailsPath(meeting), standUp())
  clock.advance(120_000)
  assert.deepEqual(await due(), [])
})

test('does not delay changes of a date that begins within a quarter of an hour', async () => {
  clock.set('2030-01-07T08:44:59Z')
  const meeting = await schedule(alice, standUp())
  await due()
  await rename(meeting, 'First')
  assert.deepEqual(await due(), [])
  clock.set('2030-01-07T08:45:00Z')
  assert.deepEqual(await due(), ['Changed: First REQUEST 1 to bob@example.org'])
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.deepEqual(await due(), ['Cancelled: First CANCEL 2 to bob@example.org'])
})

test('sends a waiting change before the reminder', async () => {
  const meeting = await schedule(alice, weekdays({ reminderMinutes: 60 }))
  await due()
  clock.set('2030-01-07T07:59:00Z')
  assert.equal(
    (await alice.send('PUT', detailsPath(meeting), weekdays({ topic: 'First', reminderMinutes: 60 }))).status,
    200,
  )
  assert.deepEqual(await due(), ['Changed: First REQUEST 1 to bob@example.org'])
  assert.equal(
    (await alice.send('PUT', detailsPath(meeting), weekdays({ topic: 'Second', reminderMinutes: 60 }))).status,
    200,
  )
  assert.deepEqual(await due(), [])
  clock.set('2030-01-07T08:00:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const toBob = (await due()).filter((mail) => mail.endsWith('to bob@example.org'))
  assert.deepEqual(toBob, [
    'Changed: Second REQUEST 2 to bob@example.org',
    'Reminder: Second undefined undefined to bob@example.org',
  ])
})
