import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest, signInAgain, signUp } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

test('shows Carol her sessions, newest first, without their tokens', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const later = await startApp({ clock })
  const carol = await signUp(later, 'Carol')
  await signUp(later, 'Dave')
  clock.advance(60_000)
  await signInAgain(later, carol.email, `Mozilla/5.0 ${'x'.repeat(1000)}`)
  const { status, body } = await carol.send('GET', '/api/auth/sessions')
  assert.equal(status, 200)
  assert.equal(body.sessions.length, 2)
  const [phone, laptop] = body.sessions
  assert.deepEqual(
    { ...laptop, _id: '' },
    {
      _id: '',
      createdOn: '2030-01-01T00:00:00.000Z',
      lastUsedOn: '2030-01-01T00:00:00.000Z',
      expiresAt: '2030-01-31T00:00:00.000Z',
      address: '127.0.0.1',
      userAgent: 'node',
      current: true,
    },
  )
  assert.equal(phone.current, false)
  assert.equal(phone.userAgent.length, 300)
  clock.set('2030-01-31T00:00:00Z')
  const token = await signInAgain(later, carol.email)
  const still = await sendRequest(later, 'GET', '/api/auth/sessions', undefined, { authorization: token })
  assert.equal(still.body.sessions.length, 2, 'the one that is over is not shown')
})
