import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { tokenIn } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

const { app: service, clock, meet, mailsTo } = await useApp({ start: '2030-01-01T00:00:00Z' })

/** Meet Alice, who uses Dana's app. */
async function scene() {
  const [alice, dana] = await meet('Alice', 'Dana')
  const planner = await approvedApp(service, dana)
  return { alice, planner, connect: () => tokensFor(service, planner, alice, { clock }) }
}

test('the profile holds the fields of the contract, and no PIN, key or setting', async () => {
  const { alice, connect } = await scene()
  const { access_token: token } = await connect()
  const body = await expectOk(
    sendRequest(service, 'GET', '/api/user/profile', undefined, {
      authorization: `Bearer ${token}`,
    }),
  )
  const claims = { sub: body._id, email_verified: false, given_name: 'Alice', family_name: 'Test', picture: '' }
  for (const [name, value] of Object.entries(claims)) assert.equal(body[name], value, name)
  assert.equal(body.email, alice.email)
  assert.equal(body.name, 'Alice')
  for (const name of ['jcData', 'roomPIN', 'microphoneOff', 'schoolData', 'timeZone']) {
    assert.equal(Object.hasOwn(body, name), false, name)
  }
  // A person and their scripts may read it as well.
  await expectOk(alice.send('GET', '/api/user/profile'))
})

test('reports an address as verified once its owner has proven it, and not because verification is off', async () => {
  const { alice, planner } = await scene()
  const read = async (path: string) => {
    const { access_token: token } = await tokensFor(service, planner, alice, { clock })
    return (await sendRequest(service, 'GET', path, undefined, { authorization: `Bearer ${token}` })).body
  }
  assert.equal((await read('/api/user/profile')).email_verified, false)
  assert.equal((await read('/api/my_profile')).emailVerified, false)
  assert.equal((await alice.send('GET', '/api/my_profile')).body.emailVerified, true, 'enough for what she may do here')

  await sendRequest(service, 'POST', '/api/auth/password-reset', { email: alice.email })
  const token = tokenIn((await mailsTo(alice)).at(-1))
  await sendRequest(service, 'POST', '/api/auth/password-reset', { token, newPassword: 'a wholly new passphrase' })
  await service.mails()
  clock.advance(1)
  assert.equal((await read('/api/user/profile')).email_verified, true)
  assert.equal((await read('/api/my_profile')).emailVerified, true)
})

test('requests that arrive together each get the profile of their own account', async () => {
  const people = [...(await meet('Bob', 'Carol')), (await scene()).alice]
  const asked = [...people, ...people, ...people].flatMap((person) =>
    ['/api/user/profile', '/api/my_profile'].map((path) => ({ person, path })),
  )
  const bodies = await Promise.all(asked.map(({ person, path }) => expectOk(person.send('GET', path))))
  assert.deepEqual(
    bodies.map(({ _id }) => _id),
    asked.map(({ person }) => person.profile._id),
  )
})
