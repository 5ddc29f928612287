import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, sendRequest, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp, tokenIn } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'

const path = '/api/admin/invitations'
const { app, clock, olga } = await useApp({
  start: '2030-01-01T00:00:00Z',
  environment: { SIGN_UP: 'invite', EMAIL_VERIFICATION: 'off' },
})

const signUpWith = (email: string, invitation: string) =>
  sendRequest(app, 'POST', '/api/auth/sign-up', { email, password, name: 'Guest', invitation })

async function invite(email: string): Promise<string> {
  await expectOk(olga.send('POST', path, { email }), 202)
  const [mail] = await app.mails()
  assert.equal(mail?.to, email)
  return tokenIn(mail)
}

test('Alice is invited by email, signs up with the address it was sent to, and is signed in', async () => {
  const body = await expectOk(olga.send('POST', path, { email: 'alice@example.org' }), 202)
  assert.deepEqual(body, { status: 'If the address has no account yet, an invitation is on its way.' })
  const [mail] = await app.mails()
  assert.equal(mail?.subject, 'You are invited to Parley')
  const token = tokenIn(mail)
  assert.match(token, /^inv_\w{49}$/)
  assert.ok(mail?.text.includes(`http://parley.test/sign-up#invitation=${token}&email=alice%40example.org\n`))
  const made = await expectOk(signUpWith('ALICE@example.org', token), 201)
  assert.equal(made.user.emailVerified, true)
  assert.deepEqual(made.user.roleIds, [])
})

test('accepts an invitation once, also of two simultaneous sign-ups, and for its address only', async () => {
  const token = await invite('bob@example.org')
  await expectProblem(signUpWith('mallory@example.org', token), 'invalid_token')
  const both = await Promise.all([1, 2].map(() => signUpWith('bob@example.org', token)))
  assert.equal(both.filter(({ status }) => status === 201).length, 1)
  await expectProblem(signUpWith('bob@example.org', token), 'invalid_token')
})

test('accepts an invitation for a week', async () => {
  const token = await invite('carol@example.org')
  const late = await invite('dave@example.org')
  clock.advance(7 * 24 * 3_600_000 - 1)
  await expectOk(signUpWith('carol@example.org', token), 201)
  clock.advance(1)
  await expectProblem(signUpWith('dave@example.org', late), 'invalid_token')
})

test('keeps the invitation after a refused sign-up', async () => {
  const token = await invite('erin@example.org')
  await expectProblem(
    sendRequest(app, 'POST', '/api/auth/sign-up', { email: 'erin@example.org', invitation: token }),
    'invalid_request',
  )
  const common = { email: 'erin@example.org', password: 'sunshine1', name: 'Erin', invitation: token }
  await expectProblem(sendRequest(app, 'POST', '/api/auth/sign-up', common), 'invalid_request', [
    '/password too_common',
  ])
  await expectOk(signUpWith('erin@example.org', token), 201)
})

test('tells the invited person, and not the administrator, that an account exists', async () => {
  const body = await expectOk(olga.send('POST', path, { email: 'OLGA@example.org' }), 202)
  assert.deepEqual(body, { status: 'If the address has no account yet, an invitation is on its way.' })
  const [mail] = await app.mails()
  assert.deepEqual([mail?.to, mail?.subject], ['olga@example.org', 'You already have an account'])
})

test('treats the invited address as verified where addresses are verified', async () => {
  const strict = await startApp({ environment: { SIGN_UP: 'invite', EMAIL_VERIFICATION: 'required' } })
  // the first one has to confirm
  await expectOk(
    sendRequest(strict, 'POST', '/api/auth/sign-up', {
      email: 'root@example.org',
      password,
      name: 'Root',
    }),
    202,
  )
  const [confirmation] = await strict.mails()
  await sendRequest(strict, 'POST', '/api/auth/verify-email', { token: tokenIn(confirmation) })
  const { token } = (await sendRequest(strict, 'POST', '/api/auth/sign-in', { email: 'root@example.org', password }))
    .body
  await sendRequest(strict, 'POST', path, { email: 'frank@example.org' }, { authorization: token })
  const [mail] = await strict.mails()
  const made = await expectOk(
    sendRequest(strict, 'POST', '/api/auth/sign-up', {
      email: 'frank@example.org',
      password,
      name: 'Frank',
      invitation: tokenIn(mail),
    }),
    201,
  )
  assert.equal(made.user.emailVerified, true)
})

test('shows an administrator the link where no email leaves, and a link that was shown verifies no address', async () => {
  const kept = await startApp({ outreach: 'none', emails: 'dropped', environment: { SIGN_UP: 'invite' } })
  const root = await signUp(kept, 'Root')
  const body = await expectOk(root.send('POST', path, { email: 'frank@example.org' }), 202)
  assert.match(body.link, /^http:\/\/parley\.test\/sign-up#invitation=inv_\w{49}&email=\S+$/)
  const invitation = /invitation=(\w+)/.exec(body.link)?.[1]
  const person = { email: 'frank@example.org', password, name: 'Frank', invitation }
  await expectOk(sendRequest(kept, 'POST', '/api/auth/sign-up', person), 201)
  const { rows } = await kept.pool.query('select email_verified_at from account where email = $1', [person.email])
  assert.deepEqual(rows, [{ email_verified_at: null }])
})

test('shows no link where addresses have to be confirmed, nor one to the address of another organisation', async () => {
  const tenants = { TENANTS: 'acme.example=Acme,rival.example=Rival' }
  const kept = await startApp({ outreach: 'none', emails: 'dropped', environment: { ...tenants } })
  const root = await signUp(kept, 'Root', 'root@acme.example')
  await signUp(kept, 'Rita', 'rita@rival.example')
  const linkFor = async (email: string) => (await root.send('POST', path, { email })).body.link !== undefined
  assert.equal(await linkFor('frank@acme.example'), true)
  // The reply does not tell whether an address has an account.
  assert.equal(await linkFor('root@acme.example'), true)
  for (const elsewhere of ['frank@rival.example', 'rita@rival.example', 'frank@unmapped.example']) {
    assert.equal(await linkFor(elsewhere), false, elsewhere)
  }
  const beside = await startApp({
    outreach: 'none',
    emails: 'dropped',
    beside: kept,
    environment: { ...tenants, EMAIL_VERIFICATION: 'required' },
  })
  const { body } = await sendRequest(
    beside,
    'POST',
    path,
    { email: 'gina@acme.example' },
    { authorization: root.token },
  )
  assert.equal(body.link, undefined)
})

test('refuses invitations where sign-up is closed', async () => {
  const closed = await startApp({ environment: { SIGN_UP: 'closed', EMAIL_VERIFICATION: 'off' } })
  const root = await signUp(closed, 'Root')
  await expectProblem(root.send('POST', path, { email: 'alice@example.org' }), 'sign_up_closed')
})

test('allows only administrators to invite, and only addresses', async () => {
  const token = await invite('grace@example.org')
  const grace = (await signUpWith('grace@example.org', token)).body.token
  await expectProblem(
    sendRequest(app, 'POST', path, { email: 'x@example.org' }, { authorization: grace }),
    'administrator_required',
  )
  await expectProblem(olga.send('POST', path, {}), 'invalid_request', ['/email required'])
  await expectProblem(olga.send('POST', path, { email: 'Grace <grace@example.org>' }), 'invalid_request', [
    '/email bad_format',
  ])
})

test('limits invitations of an address to six an hour, and audits the administrator', async () => {
  for (let sent = 0; sent < 6; sent++) {
    await expectOk(olga.send('POST', path, { email: 'bombed@example.org' }), 202)
  }
  await expectProblem(olga.send('POST', path, { email: 'bombed@example.org' }), 'too_many_requests')
  await app.mails()
  const { rows } = await app.pool.query(
    `select distinct actor_id, detail from audit_entry where action = 'account.invited' and detail ->> 'email' like 'bomb%'`,
  )
  assert.deepEqual(
    rows.map(({ actor_id, detail }) => [actor_id, detail.email]),
    [[olga.profile._id, 'bombed@example.org']],
  )
})

test('lists an invitation as long as its link works', async () => {
  await invite('late@example.org')
  const isListed = async () => {
    const { invitations } = await expectOk(olga.send('GET', path))
    return invitations.some(({ email }: { email: string }) => email === 'late@example.org')
  }
  clock.advance(7 * 24 * 3_600_000 - 1)
  assert.equal(await isListed(), true)
  clock.advance(1)
  assert.equal(await isListed(), false)
})

test('lists what waits, once for each address, to administrators of the organisation alone; a revoked link ends', async () => {
  const own = await startApp({
    environment: { SIGN_UP: 'invite', EMAIL_VERIFICATION: 'off', TENANTS: 'else.example=Else' },
  })
  const root = await signUp(own, 'Olga')
  const listed = async () => {
    const { totalCount, invitations } = await expectOk(root.send('GET', path))
    assert.equal(totalCount, invitations.length)
    return invitations as { _id: string; email: string; invitedBy: string; createdOn: string; expiresOn: string }[]
  }
  for (const email of ['Anna@example.org', 'bert@else.example', 'anna@example.org']) {
    await expectOk(root.send('POST', path, { email }), 202)
  }
  const mails = await own.mails()
  assert.deepEqual(
    (await listed()).map(({ email, invitedBy }) => [email, invitedBy]),
    [
      ['anna@example.org', 'Olga Test'],
      ['bert@else.example', 'Olga Test'],
    ],
  )
  const [anna] = (await listed()).filter(({ email }) => email === 'anna@example.org')
  await expectProblem(root.send('DELETE', `${path}/${crypto.randomUUID()}`), 'account_invitation_not_found')
  await expectProblem(root.send('DELETE', `${path}/none`), 'account_invitation_not_found')
  await expectOk(root.send('DELETE', `${path}/${anna?._id}`), 204)
  await expectProblem(root.send('DELETE', `${path}/${anna?._id}`), 'account_invitation_not_found')
  const signUpBy = (email: string, invitation: string) =>
    sendRequest(own, 'POST', '/api/auth/sign-up', { email, password, name: 'Guest', invitation })
  for (const mail of mails.filter(({ to }) => /^anna/i.test(to))) {
    await expectProblem(signUpBy('anna@example.org', tokenIn(mail)), 'invalid_token')
  }
  // Bert's account is of another organisation, so that its administrator does not learn of the account.
  const made = await expectOk(
    signUpBy('bert@else.example', tokenIn(mails.find(({ to }) => to === 'bert@else.example'))),
    201,
  )
  assert.deepEqual(await listed(), [])
  await expectOk(root.send('POST', path, { email: 'carl@example.org' }), 202)
  await own.mails()
  await own.database.updateTable('account').set({ administrator: true }).where('id', '=', made.user._id).execute()
  const asBert = { authorization: `Bearer ${made.token}` }
  const [waiting] = await listed()
  assert.deepEqual(await expectOk(sendRequest(own, 'GET', path, undefined, asBert)), { totalCount: 0, invitations: [] })
  const revoked = sendRequest(own, 'DELETE', `${path}/${waiting?._id}`, undefined, asBert)
  await expectProblem(revoked, 'account_invitation_not_found')
  const { entries } = await expectOk(root.send('GET', '/api/admin/audit-log?action=account.invitation-revoked'))
  assert.deepEqual(
    entries.map(({ detail }: { detail: object }) => detail),
    [{ email: 'anna@example.org' }],
  )
})
