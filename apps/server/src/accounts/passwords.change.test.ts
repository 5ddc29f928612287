import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, password, sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const path = '/api/auth/password'
const newPassword = 'a wholly new passphrase'
const { app, meet, mailsTo } = await useApp({ environment: { EMAIL_VERIFICATION: 'off' } })

const signIn = (email: string, typed: string) =>
  sendRequest(app, 'POST', '/api/auth/sign-in', { email, password: typed })
const works = async (token: string) =>
  (await sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: token })).status === 200

async function withPhoneAndScript(person: Person) {
  const phone = (await signIn(person.email, password)).body.token
  const script = (await person.send('POST', '/api/auth/tokens', { name: 'x', scopes: ['user:read'] })).body.token
  return { phone, script }
}

const subjectsTo = async (person: Person) => (await mailsTo(person)).map(({ subject }) => subject)

test('Alice changes her password: this session stays, all others end, and she is notified by email', async () => {
  const [alice] = await meet('Alice')
  const { phone, script } = await withPhoneAndScript(alice)
  const body = await expectOk(alice.send('POST', path, { currentPassword: password, newPassword }))
  assert.deepEqual(body, { status: 'Your password is changed.' })
  assert.deepEqual(await Promise.all([alice.token, phone, script].map(works)), [true, false, false])
  await expectProblem(signIn(alice.email, password), 'wrong_credentials')
  await expectOk(signIn(alice.email, newPassword))
  assert.equal((await alice.send('GET', '/api/my_profile')).body.hasPasswordChangedAfterLogin, true)
  assert.deepEqual(await subjectsTo(alice), ['Your password was changed'])
  const ofAlice = `select action, detail from audit_entry where action like 'password%' and subject_id = $1`
  const { rows } = await app.pool.query(ofAlice, [alice.profile._id])
  assert.deepEqual(rows, [{ action: 'password.changed', detail: { signOutEverywhere: true } }])
})

test('ends nothing else when asked not to', async () => {
  const [bob] = await meet('Bob')
  const { phone, script } = await withPhoneAndScript(bob)
  const body = { currentPassword: password, newPassword, signOutEverywhere: false }
  await expectOk(bob.send('POST', path, body))
  assert.deepEqual(await Promise.all([bob.token, phone, script].map(works)), [true, true, true])
  await mailsTo(bob)
})

test('changes nothing with a wrong current password, and does not check the eleventh', async () => {
  const [carol] = await meet('Carol')
  const guess = () => carol.send('POST', path, { currentPassword: 'a guess', newPassword })
  for (let at = 0; at < 10; at++) await expectProblem(guess(), 'wrong_credentials')
  await expectProblem(guess(), 'too_many_requests')
  await expectProblem(carol.send('POST', path, { currentPassword: password, newPassword }), 'too_many_requests')
  await expectOk(signIn(carol.email, password)) // signing in is counted apart
  assert.deepEqual(await mailsTo(carol), [])
})

test('accepts one of two simultaneous changes', async () => {
  const [dave] = await meet('Dave')
  const answers = await Promise.all(
    ['one', 'two'].map((nth) =>
      dave.send('POST', path, { currentPassword: password, newPassword: `passphrase ${nth}` }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401])
  const winner = answers[0]?.status === 200 ? 'one' : 'two'
  await expectOk(signIn(dave.email, `passphrase ${winner}`))
  assert.equal((await mailsTo(dave)).length, 1)
})

test('a sign-in with the old password during the change leaves no session behind', async () => {
  const [erin] = await meet('Erin')
  const [changed, ...sessions] = await Promise.all([
    erin.send('POST', path, { currentPassword: password, newPassword }),
    ...Array.from({ length: 6 }, () => signIn(erin.email, password)),
  ])
  await expectOk(changed)
  for (const { status, body } of sessions) {
    if (status === 200) assert.equal(await works(body.token), false)
    else assert.ok(status === 401 || status === 429)
  }
  await mailsTo(erin)
})

const violations: readonly (readonly [string, object, readonly string[]])[] = [
  ['nothing', {}, ['/currentPassword required', '/newPassword required']],
  ['7 characters', { currentPassword: password, newPassword: 'a'.repeat(7) }, ['/newPassword too_short']],
  ['257 characters', { currentPassword: password, newPassword: 'a'.repeat(257) }, ['/newPassword too_long']],
  ['a common password', { currentPassword: password, newPassword: 'Iloveyou' }, ['/newPassword too_common']],
  [
    'wrong types',
    { currentPassword: 1, newPassword: null, signOutEverywhere: 'no' },
    ['/currentPassword wrong_type', '/newPassword wrong_type', '/signOutEverywhere wrong_type'],
  ],
]
for (const [what, body, expected] of violations) {
  test(`${what}: ${expected.join(', ')}`, async () => {
    const [frank] = await meet('Frank')
    await expectProblem(frank.send('POST', path, body), 'invalid_request', expected)
  })
}

test('refuses the own address as a password, in any case of its letters', async () => {
  const [frank] = await meet('Frank')
  const body = { currentPassword: password, newPassword: frank.email.toUpperCase() }
  await expectProblem(frank.send('POST', path, body), 'invalid_request', ['/newPassword same_as_email'])
})

test('emails repeated changes once at first, then once for all that follow', async () => {
  const [heidi] = await meet('Heidi')
  let current = password
  const change = async (next: string) => {
    await expectOk(heidi.send('POST', path, { currentPassword: current, newPassword: next }))
    current = next
  }
  await change('passphrase number 0')
  assert.equal((await mailsTo(heidi)).length, 1)
  const waiting = () =>
    app.pool.query<{ inMs: number }>(
      `select extract(epoch from run_at - now())::float8 * 1000 as "inMs" from graphile_worker.jobs`,
    )
  for (let count = 1; count <= 5; count++) await change(`passphrase number ${count}`)
  assert.deepEqual(await mailsTo(heidi), [])
  const { rows } = await waiting()
  assert.equal(rows.length, 1)
  const first = rows[0]?.inMs ?? 0
  assert.ok(first > 0 && first <= 30 * 60_000, 'within half an hour of the second change')
  await app.pool.query("update graphile_worker._private_jobs set run_at = run_at - interval '10 minutes'")
  await change('passphrase number 6')
  const later = (await waiting()).rows[0]?.inMs ?? 0
  assert.ok(later <= first - 9 * 60_000, 'further changes do not put it off')
  await app.pool.query('update graphile_worker._private_jobs set run_at = now()')
  assert.deepEqual(await subjectsTo(heidi), ['Your password was changed'])
})
