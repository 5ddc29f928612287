import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, done, meetDevelopers, refused, submit } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { type Person, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock })
const { dan, eve, carol } = await meetDevelopers(app)

const invitationsOf = async (person: Person) =>
  (await done(person.send('GET', '/api/oauth2/tester-invitations'))).invitations

const answer = (person: Person, mine: { _id: string }, said: string) =>
  person.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: said })

const invite = (mine: { _id: string }, ...testers: string[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })

const statesOf = async (mine: { _id: string }): Promise<string[]> => {
  const { testers } = await done(dan.send('GET', appPath(mine, '/testers')))
  return testers.map(({ email, state }: { email: string; state: string }) => `${email} ${state}`)
}

const addressees = async () => (await app.mails()).map(({ to }) => to).toSorted()

test('Dan invites Carol: she is emailed, accepts, and he sees it; then she leaves, and her tokens end', async () => {
  const mine = await submit(dan, { name: 'Tried out' })
  await done(invite(mine, carol.email))
  const [mail, ...others] = await app.mails()
  assert.deepEqual(
    [mail?.to, mail?.subject, others.length],
    [carol.email, 'Dan Test asks you to test the app Tried out', 0],
  )
  assert.match(mail?.text ?? '', /Dan Test \(dan@example\.org\) asks you.*http:\/\/parley\.test\/connected-apps/s)

  const [invitation] = await invitationsOf(carol)
  assert.deepEqual(
    [invitation.app.name, invitation.owner, invitation.state, invitation.answeredOn],
    ['Tried out', { name: 'Dan Test', email: dan.email }, 'pending', null],
  )
  assert.deepEqual(await invitationsOf(eve), [])
  clock.advance(1000)
  const accepted = await done(answer(carol, mine, 'accepted'))
  assert.deepEqual([accepted.state, accepted.answeredOn], ['accepted', clock.now().toISOString()])
  assert.deepEqual(await statesOf(mine), [`${carol.email} accepted`])
  // When named again beside another tester, she is neither asked nor emailed again.
  await done(invite(mine, carol.email, eve.email))
  assert.deepEqual(await statesOf(mine), [`${carol.email} accepted`, `${eve.email} pending`])
  assert.deepEqual(await addressees(), [eve.email])

  const { access_token: token } = await tokensFor(app, await credentialsOf(mine), carol, { sandbox: true, clock })
  const use = async () => (await carol.send('GET', '/api/user/profile', undefined, { authorization: token })).status
  assert.equal(await use(), 200)
  await done(answer(carol, mine, 'declined'))
  assert.equal(await use(), 401)
  assert.deepEqual(await statesOf(mine), [`${carol.email} declined`, `${eve.email} pending`])

  const { events } = await done(dan.send('GET', appPath(mine, '/events')))
  const answers = events.filter(({ kind }: { kind: string }) => kind.startsWith('tester_'))
  assert.deepEqual(
    answers.map(({ cause }: { cause: string }) => cause),
    [`The tester ${carol.email} declined the invitation.`, `The tester ${carol.email} accepted the invitation.`],
  )
  const { entries } = await done(carol.send('GET', '/api/auth/security-log'))
  assert.deepEqual(
    entries.slice(0, 2).map(({ action, by, about }: Record<string, string>) => [action, by, about]),
    [
      ['app-test.declined', 'you', 'Tried out'],
      ['app-test.accepted', 'you', 'Tried out'],
    ],
  )
})

test('refuses answers for another person, and to invitations that do not exist', async () => {
  const mine = await submit(dan, { name: 'Not for all' })
  await done(invite(mine, carol.email))
  assert.deepEqual(await addressees(), [carol.email])
  await refused(answer(eve, mine, 'accepted'), 404, 'tester_invitation_not_found')
  await refused(answer(dan, mine, 'accepted'), 404, 'tester_invitation_not_found')
  await refused(answer(carol, { _id: 'x' }, 'accepted'), 404, 'tester_invitation_not_found')
  assert.deepEqual(violationsOf(await answer(carol, mine, 'pending')), ['/answer not_allowed'])
  await done(invite(mine))
  await refused(answer(carol, mine, 'accepted'), 404, 'tester_invitation_not_found')
  assert.equal(
    (await invitationsOf(carol)).some(({ app: { _id } }: { app: { _id: string } }) => _id === mine._id),
    false,
  )
})

/** The sandbox credentials of an app that was created through the portal. */
async function credentialsOf({ _id: appId, sandboxClientId }: { _id: string; sandboxClientId: string }) {
  const body = { name: 'Test', sandbox: true }
  const { secret } = await done(dan.send('POST', `/api/oauth2/apps/${appId}/secrets`, body), 201)
  return { appId, clientId: '', clientSecret: '', sandboxClientId, sandboxClientSecret: secret }
}
