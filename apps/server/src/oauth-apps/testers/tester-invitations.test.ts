import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, done, meetDevelopers, refused, submit } from '../../../test/oauth/apps.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import { type Person, signUp, violationsOf } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import { deleteRemovedTesters } from '../credentials/tester-store.ts'
import { findInvitationRow, listInvitationRows } from './tester-invitation-store.ts'

const dayMs = 24 * 60 * 60 * 1000
const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock })
const { olga, dan, eve, carol } = await meetDevelopers(app)

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

test('Dan invites Carol: she is mailed, accepts, and he sees it; then she leaves, and her tokens end', async () => {
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
  // Named once more beside another one, she is neither asked nor mailed again.
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

test('nobody answers for another one, nor what they were not asked', async () => {
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

test('a suspended or deleted app invites nobody, and what it had invited is not shown', async () => {
  const mine = await submit(dan, { name: 'To be stopped' })
  const shown = async () =>
    (await invitationsOf(carol)).some(({ app: { _id } }: { app: { _id: string } }) => _id === mine._id)
  await done(invite(mine, carol.email))
  assert.equal(await shown(), true)
  await done(olga.send('POST', appPath(mine, '/suspend'), {}))
  assert.deepEqual(await addressees(), [carol.email, dan.email])
  assert.equal(await shown(), false)
  await refused(answer(carol, mine, 'accepted'), 404, 'tester_invitation_not_found')
  await done(invite(mine, carol.email, eve.email))
  assert.deepEqual(await addressees(), [])
  await done(olga.send('POST', appPath(mine, '/resume')))
  assert.deepEqual(await addressees(), [dan.email])
  assert.equal(await shown(), true)
  await done(dan.send('DELETE', appPath(mine)))
  assert.equal(await shown(), false)
})

test('an address is mailed once in seven days, however often it is removed and named again', async () => {
  const mine = await submit(dan, { name: 'Again and again' })
  for (let times = 0; times < 3; times++) {
    await done(invite(mine, carol.email))
    await done(invite(mine))
  }
  assert.deepEqual(await addressees(), [carol.email])
  const sweep = async () => {
    await deleteRemovedTesters(app.database, clock.now())
    const kept = await app.database.selectFrom('appTester').select('email').where('appId', '=', mine._id).execute()
    return kept.length
  }
  clock.advance(7 * dayMs - 1)
  // The sweep leaves what tells when she was mailed.
  assert.equal(await sweep(), 1)
  await done(invite(mine, carol.email))
  await done(invite(mine))
  assert.deepEqual(await addressees(), [])
  clock.advance(1)
  await done(invite(mine, carol.email))
  assert.deepEqual(await addressees(), [carol.email])
  clock.advance(8 * dayMs)
  assert.equal(await sweep(), 1)
  await done(invite(mine))
  clock.advance(7 * dayMs - 1)
  assert.equal(await sweep(), 1)
  clock.advance(1)
  assert.equal(await sweep(), 0)
})

test('a developer has 200 invitations mailed in 24 hours and no more; another one still has theirs', async () => {
  const [first, second, third] = [
    await submit(dan, { name: 'Crowd one' }),
    await submit(dan, { name: 'Crowd two' }),
    await submit(dan, { name: 'Crowd three' }),
  ]
  const crowd = (name: string) => Array.from({ length: 100 }, (_, at) => `${name}${at}@example.net`)
  await done(invite(first, ...crowd('a')))
  await done(invite(second, ...crowd('b')))
  assert.equal((await addressees()).length, 200)
  await refused(invite(third, 'one-too-many@example.net'), 429, 'too_many_requests')
  assert.deepEqual(await statesOf(third), [])
  assert.deepEqual(await addressees(), [])
  const hers = await submit(eve, { name: 'Not so many' })
  await done(eve.send('PUT', appPath(hers, '/testers'), { testers: ['one@example.net'] }))
  assert.deepEqual(await addressees(), ['one@example.net'])
  clock.advance(dayMs)
  await done(invite(third, 'one-too-many@example.net'))
  assert.deepEqual(await addressees(), ['one-too-many@example.net'])
})

test('who has an account is asked in its language', async () => {
  const mine = await submit(dan, { name: 'Vielsprachig' })
  const languages = { de: /bittet Sie, die App/, hi: /परखने का अनुरोध/, ar: /تجربة التطبيق/ }
  for (const language of Object.keys(languages)) {
    const person = await signUp(app, `Reader-${language}`)
    await done(person.send('PUT', '/api/my_profile', { language }))
  }
  await done(invite(mine, ...Object.keys(languages).map((language) => `reader-${language}@example.org`)))
  const mails = await app.mails()
  for (const [language, expected] of Object.entries(languages)) {
    const mail = mails.find(({ to }) => to === `reader-${language}@example.org`)
    assert.match(mail?.subject ?? '', expected)
    assert.match(mail?.html ?? '', new RegExp(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`))
  }
  // In a sentence that is written from the right, a name stands for itself.
  assert.match(
    mails.find(({ to }) => to.startsWith('reader-ar'))?.subject ?? '',
    /\u2068Dan Test\u2069.*\u2068Vielsprachig\u2069/s,
  )
})

test('where addresses are proven, an invitation opens with a proven one only', async () => {
  const strict = await startApp({ letters: 'dropped', environment: { EMAIL_VERIFICATION: 'off' } })
  const people = await meetDevelopers(strict)
  const mine = await submit(people.dan, { name: 'Strict' })
  const caller = { addressKey: people.carol.email }
  await done(people.dan.send('PUT', appPath(mine, '/testers'), { testers: [people.carol.email] }))
  for (const addressTrusted of [false, true]) {
    const found = await findInvitationRow(strict.database, mine._id, { ...caller, addressTrusted })
    assert.equal(found !== undefined, addressTrusted)
    assert.equal(
      (await listInvitationRows(strict.database, { ...caller, addressTrusted })).length,
      Number(addressTrusted),
    )
  }
})

/** The sandbox's credentials of an app that went through the portal. */
async function credentialsOf({ _id: appId, sandboxClientId }: { _id: string; sandboxClientId: string }) {
  const body = { name: 'Test', sandbox: true }
  const { secret } = await done(dan.send('POST', `/api/oauth2/apps/${appId}/secrets`, body), 201)
  return { appId, clientId: '', clientSecret: '', sandboxClientId, sandboxClientSecret: secret }
}
