import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, sendRequest, signUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { deleteExpired } from './expired-rows.ts'

const day = 24 * 3_600_000
const tables = ['session', 'personal_token', 'pending_sign_up', 'mailed_link', 'sign_up_invitation', 'known_network']

test('deletes expired rows, and none before their expiry', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const app = await startApp({ clock, environment: { EMAIL_VERIFICATION: 'off' } })
  const olga = await signUp(app, 'Olga')
  await olga.send('POST', '/api/auth/tokens', {
    name: 'a day',
    scopes: ['user:read'],
    expiresOn: '2030-01-02T00:00:00Z',
  })
  await olga.send('POST', '/api/auth/tokens', { name: 'for ever', scopes: ['user:read'] })
  await olga.send('POST', '/api/admin/invitations', { email: 'alice@example.org' })
  await sendRequest(app, 'POST', '/api/auth/password-reset', { email: olga.email })
  await app.mails()
  await app.pool.query(`insert into pending_sign_up
    select '\\x00', id, email, email_key, '', '', '', '', created_at, created_at + interval '1 day' from account`)
  const left = async () => {
    await deleteExpired(app.database, clock.now())
    const counts = await Promise.all(tables.map((table) => app.pool.query(`select count(*) from ${table}`)))
    return counts.map(({ rows }) => rows[0].count)
  }
  assert.deepEqual(await left(), [1, 2, 1, 1, 1, 1])
  clock.advance(3_600_000)
  assert.deepEqual(await left(), [1, 2, 1, 0, 1, 1])
  clock.set('2030-01-02T00:00:00Z')
  assert.deepEqual(await left(), [1, 2, 0, 0, 1, 1])
  clock.set('2030-01-08T00:00:00Z')
  assert.deepEqual(await left(), [1, 2, 0, 0, 0, 1])
  clock.set('2030-01-31T00:00:00Z')
  assert.deepEqual(await left(), [0, 2, 0, 0, 0, 1])
  clock.set(new Date(Date.parse('2030-01-01T00:00:00Z') + 90 * day))
  assert.deepEqual(await left(), [0, 2, 0, 0, 0, 0])
  clock.advance(day)
  assert.deepEqual(await left(), [0, 1, 0, 0, 0, 0])
  await expectOk(sendRequest(app, 'POST', '/api/auth/sign-in', { email: olga.email, password }))
})
