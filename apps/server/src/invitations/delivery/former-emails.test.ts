import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { listed } from '../../../test/mailbox.ts'
import { cancelPath, detailsPath, signUp, standUp } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { secureRandom } from '../../platform/random.ts'
import { formerEmailJob } from './former-emails.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const alice = await signUp(app, 'Alice')
const migration = await readFile(
  fileURLToPath(new URL('../../../migrations/0054-guest-delivery.sql', import.meta.url)),
  'utf8',
)

beforeEach(() => app.pool.query('truncate meeting_letter, meeting_notice, meeting_state, guest_delivery, guest_mail'))

const bob = 'bob@example.org'
type Meeting = { _id: string; svcMeetId: string; pin: string }
type FormerEmail = { kind: InvitationEmailKind; sequence: number; topic?: string; date?: string; isSent: boolean }

/** A meeting as the last release left it: created silently, with its stored emails, and a job for each waiting one. */
async function keptByLastRelease(letters: readonly FormerEmail[]): Promise<Meeting> {
  const { body } = await alice.send('POST', '/api/meeting?sendUpdates=none', standUp())
  const meeting: Meeting = body.meetingDetails
  const series: Series = {
    startsAt: new Date('2030-01-07T09:00:00Z'),
    durationMs: 1_800_000,
    timeZone: 'Etc/GMT',
    rule: { repeat: 'none' },
    endsBy: null,
    excluded: [],
    changed: [],
  }
  for (const [index, { kind, sequence, topic = 'Stand-up', date = null, isSent }] of letters.entries()) {
    const at = new Date(Date.UTC(2030, 0, 1, 10, index))
    const id = secureRandom.uuid(at)
    const state = { topic, description: '', code: meeting.svcMeetId, pin: meeting.pin, series }
    const content = app.encryption.encrypt(
      JSON.stringify({ ...state, changed: [], former: null, date }),
      'meeting notice',
      id,
    )
    await app.pool.query('insert into meeting_notice values ($1, $2, $3, $4, 1, $5, $6)', [
      id,
      meeting._id,
      sequence,
      alice.profile._id,
      content,
      at,
    ])
    await app.pool.query('insert into meeting_letter values ($1, $2, $3, $2, $4, $5)', [
      meeting._id,
      bob,
      id,
      kind,
      isSent ? at : null,
    ])
    if (isSent) continue
    await app.pool.query('select graphile_worker.add_job($1, $2)', [
      formerEmailJob.name,
      { meetingId: meeting._id, addressKey: bob, noticeId: id },
    ])
  }
  return meeting
}
/** Apply the migration's statements to existing rows. */
const migrate = () => app.pool.query(migration.slice(migration.indexOf('insert into meeting_state')))
const delivered = async () => listed(await app.mails())
const put = async (meeting: Meeting, changes: object) => {
  assert.equal((await alice.send('PUT', detailsPath(meeting), standUp(changes))).status, 200)
}
const cancel = async (meeting: Meeting) => {
  assert.equal((await alice.send('POST', cancelPath(meeting), { cancel: 'all' })).status, 200)
}

test('sends an invitation that waited during an upgrade', async () => {
  await keptByLastRelease([{ kind: 'invitation', sequence: 0, isSent: false }])
  await migrate()
  assert.deepEqual(await delivered(), ['Invitation: Stand-up REQUEST 0 to bob@example.org'])
})

test('compares changes with the email sent before the upgrade, and continues its thread', async () => {
  const meeting = await keptByLastRelease([
    { kind: 'invitation', sequence: 0, topic: 'Once', isSent: true },
    { kind: 'update', sequence: 1, topic: 'Twice', isSent: true },
  ])
  await migrate()
  assert.deepEqual(await delivered(), [])
  await put(meeting, { topic: 'Thrice' })
  const [mail] = await app.mails()
  assert.match(mail?.text ?? '', /Topic\n {2}Before: Twice\n {2}Now: Thrice/)
  assert.equal(mail?.references?.length, 2)
})

test('a guest who was cancelled before the upgrade holds nothing', async () => {
  const meeting = await keptByLastRelease([
    { kind: 'invitation', sequence: 0, isSent: true },
    { kind: 'removal', sequence: 1, isSent: true },
  ])
  await migrate()
  await cancel(meeting)
  assert.deepEqual(await delivered(), [])
})

test('a guest whose emails are no longer stored counts as holding the meeting', async () => {
  const [changed, cancelled] = [await keptByLastRelease([]), await keptByLastRelease([])]
  await app.pool.query('update meeting set invitation_mailed = true')
  await migrate()
  await put(changed, { topic: 'Sit-down' })
  await cancel(cancelled)
  assert.deepEqual((await delivered()).toSorted(), [
    'Cancelled: Stand-up CANCEL 1 to bob@example.org',
    'Changed: Sit-down REQUEST 1 to bob@example.org',
  ])
})

test('runs a job, and a reminder, that an instance of the last release queues meanwhile', async () => {
  const meeting = await keptByLastRelease([{ kind: 'invitation', sequence: 0, isSent: false }])
  assert.deepEqual(await delivered(), ['Invitation: Stand-up REQUEST 0 to bob@example.org'])
  assert.deepEqual(await delivered(), [])
  const date = '2030-01-07T09:00:00.000Z'
  await keptByLastRelease([{ kind: 'reminder', sequence: 0, date, isSent: false }])
  assert.deepEqual(await delivered(), ['Reminder: Stand-up undefined undefined to bob@example.org'])
  await cancel(meeting)
  assert.deepEqual(await delivered(), ['Cancelled: Stand-up CANCEL 1 to bob@example.org'])
})
