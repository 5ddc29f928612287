import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { detailsPath, meetPeople, schedule, sendRequest } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { secureRandom } from '../platform/random.ts'

const app = await startApp({ emails: 'dropped', environment: { RETAIN_HISTORY_DAYS: '30' } })
const { olga, alice, bob, carol } = await meetPeople(app)

test('shows a host the addresses of attendees, and an app only verified ones', async () => {
  const meeting = await schedule(alice)
  const { pool } = app
  const sessionId = secureRandom.uuid(new Date())
  await pool.query('insert into room_session (id, meeting_id, started_at) values ($1, $2, now())', [
    sessionId,
    meeting._id,
  ])
  for (const { profile } of [bob, carol]) {
    const [admissionId, stayId] = [secureRandom.uuid(new Date()), secureRandom.uuid(new Date())]
    await pool.query(
      `insert into admission (id, meeting_id, account_id, name, role, state, asked_at, occurrence_at, seen_at)
       values ($1, $2, $3, $4, 'participant', 'admitted', now(), now(), now())`,
      [admissionId, meeting._id, profile._id, profile.name],
    )
    await pool.query(
      `insert into room_stay (id, session_id, meeting_id, admission_id, account_id, name, role, participant_sid, joined_at)
       values ($1, $2, $3, $4, $5, $6, 'participant', $6, now())`,
      [stayId, sessionId, meeting._id, admissionId, profile._id, profile.name],
    )
  }
  await pool.query('update account set email_verified_at = now() where id = $1', [carol.profile._id])

  const planner = await approvedApp(app, olga)
  const { access_token: token } = await tokensFor(app, planner, alice)
  const path = `${detailsPath(meeting)}/attendance`
  const addressesOf = ({ stays }: { stays: { email: string | null }[] }) => stays.map(({ email }) => email)
  const byAlice = await alice.send('GET', path)
  const byTheApp = await sendRequest(app, 'GET', path, undefined, { authorization: `Bearer ${token}` })
  assert.deepEqual(byAlice.body.sessions.flatMap(addressesOf).toSorted(), [bob.email, carol.email])
  assert.deepEqual(byTheApp.body.sessions.flatMap(addressesOf).toSorted(), [carol.email, null])

  const file = async (authorization: string) =>
    (await fetch(`${app.base}${path}/export`, { headers: { authorization } })).text()
  assert.match(await file(alice.token), /bob@example\.org/)
  const exported = await file(`Bearer ${token}`)
  assert.match(exported, /carol@example\.org/)
  assert.doesNotMatch(exported, /bob@example\.org/)
})

test('the hourly clean-up deletes attendance older than RETAIN_HISTORY_DAYS, except of a call in progress', async () => {
  const meeting = await schedule(alice)
  const { pool } = app
  const held = async (ended: string | null) => {
    const [sessionId, admissionId, stayId] = [1, 2, 3].map(() => secureRandom.uuid(new Date()))
    await pool.query(
      `insert into room_session (id, meeting_id, started_at, ended_at)
       values ($1, $2, now() - interval '99 days', now() - $3::interval)`,
      [sessionId, meeting._id, ended],
    )
    await pool.query(
      `insert into admission (id, meeting_id, guest_hash, name, role, state, asked_at, occurrence_at, seen_at, entered_at, left_at)
       values ($1::uuid, $2, uuid_send($1::uuid), 'Gast', 'participant', 'admitted', now(), now(), now(), now(),
         now() - $3::interval)`,
      [admissionId, meeting._id, ended],
    )
    await pool.query(
      `insert into room_stay (id, session_id, meeting_id, admission_id, name, role, participant_sid, joined_at)
       values ($1::uuid, $2, $3, $4, 'Gast', 'participant', $1::text, now())`,
      [stayId, sessionId, meeting._id, admissionId],
    )
    return sessionId
  }
  await held('31 days')
  const [young, going] = [await held('29 days'), await held(null)]
  await app.taskList['delete-expired']?.({}, { job: { id: 1 } })
  const rows = async (statement: string) => (await pool.query(statement, [meeting._id])).rows.map(({ id }) => id)
  const kept = [young, going].toSorted()
  assert.deepEqual(await rows('select id from room_session where meeting_id = $1 order by id'), kept)
  assert.deepEqual(await rows('select session_id as id from room_stay where meeting_id = $1 order by 1'), kept)
  assert.equal((await rows('select id from admission where meeting_id = $1')).length, 2)
})
