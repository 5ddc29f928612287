import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permit } from '../../test/oauth/apps.ts'
import { type Person, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'
import { isRequestToMail } from '../accounts/oauth-access-requests.ts'

const { app, clock, olga, meet, mailsTo } = await useApp({
  start: '2026-11-22T09:00:00Z',
  environment: { TENANTS: 'acme.test=Acme' },
})

const path = '/api/oauth2/access'
const dayMs = 24 * 60 * 60 * 1000

const request = (person: Person, reason = 'We plan meetings from our CRM.') =>
  expectOk(person.send('POST', path, { reason }), 202)

const accessOf = (person: Person) => expectOk(person.send('GET', path))

const decline = (administrator: Person, person: Person, body: object = {}) =>
  administrator.send('POST', `/api/admin/oauth-requests/${person.profile._id}/decline`, body)

const waiting = async (administrator: Person): Promise<string[]> =>
  (await expectOk(administrator.send('GET', '/api/admin/oauth-requests'))).accounts.map(
    ({ email }: { email: string }) => email,
  )

/** Take all emails since the last call: whom each is to, and its subject. */
const recipients = async () => (await app.mails()).map(({ to, subject }) => `${to}: ${subject}`).toSorted()

test('shows Dan the state of his request: none, requested, declined with the reason, enabled', async () => {
  const [dan] = await meet('Dan')
  const read = () => expectOk(dan.send('GET', path))
  const none = { status: 'none', requestedOn: null, declinedOn: null, declineReason: '' }
  assert.deepEqual(await read(), none)
  await expectOk(dan.send('POST', path, { reason: 'I build a calendar.' }), 202)
  const requestedOn = '2026-11-22T09:00:00.000Z'
  assert.deepEqual(await read(), { ...none, status: 'requested', requestedOn })

  clock.advance(60_000)
  await expectOk(olga.send('POST', `/api/admin/oauth-requests/${dan.profile._id}/decline`, { reason: 'Not yet.' }))
  const declinedOn = '2026-11-22T09:01:00.000Z'
  assert.deepEqual(await read(), { status: 'declined', requestedOn, declinedOn, declineReason: 'Not yet.' })

  await permit(olga, dan, { oauthEnabled: true })
  assert.deepEqual(await read(), { ...none, status: 'enabled' })
  await permit(olga, dan, { oauthEnabled: false })
  assert.deepEqual(await read(), none)
  assert.deepEqual([(await mailsTo(olga)).length, (await mailsTo(dan)).length], [1, 2])
})

test('ignores the request of another person', async () => {
  const [eve, mallory] = await meet('Eve', 'Mallory')
  await expectOk(eve.send('POST', path, { reason: 'I build a calendar.' }), 202)
  assert.equal((await expectOk(mallory.send('GET', path))).status, 'none')
  assert.equal((await mailsTo(olga)).length, 1)
})

test('emails administrators each request once, and they decline it with a reason', async () => {
  const [dan, bob] = await meet('Dan', 'Bob')
  await permit(olga, bob, { admin: true })
  await bob.send('PUT', '/api/my_profile', { language: 'de' })
  assert.deepEqual((await accessOf(dan)).status, 'none')

  const { status } = await request(dan, 'Read https://evil.example now!')
  assert.equal(status, 'An administrator has been asked to enable OAuth for your account.')
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to, subject }) => `${to}: ${subject}`).toSorted(), [
    `${bob.email}: Anfrage nach OAuth (Beta)`,
    `${olga.email}: Request for OAuth (Beta)`,
  ])
  for (const { text, html } of mails) {
    assert.ok(text.includes(dan.email))
    assert.match(text, /http:\/\/parley\.test\/administration\/accounts/)
    assert.doesNotMatch(text + html, /evil\.example/, 'no text that a stranger chose')
  }
  await request(dan)
  assert.deepEqual(await recipients(), [], 'another request is not mailed')
  assert.ok((await waiting(olga)).includes(dan.email))
  assert.deepEqual(await accessOf(dan), {
    status: 'requested',
    requestedOn: '2026-11-22T09:00:00.000Z',
    declinedOn: null,
    declineReason: '',
  })

  clock.advance(60_000)
  const declined = await expectOk(decline(olga, dan, { reason: 'Name your <app> first.' }))
  assert.equal(declined.oauthRequest, null)
  const [mail, ...others] = await app.mails()
  assert.equal(others.length, 0)
  assert.deepEqual([mail?.to, mail?.subject], [dan.email, 'Your request for OAuth (Beta) was declined'])
  assert.match(mail?.text ?? '', /Reason: Name your <app> first\./)
  assert.ok(mail?.html.includes('Name your &lt;app&gt; first.'))
  assert.ok(!(await waiting(olga)).includes(dan.email))
  assert.deepEqual(await accessOf(dan), {
    status: 'declined',
    requestedOn: '2026-11-22T09:00:00.000Z',
    declinedOn: '2026-11-22T09:01:00.000Z',
    declineReason: 'Name your <app> first.',
  })
  await expectProblem(decline(olga, dan), 'oauth_request_not_found')
  const { entries } = await expectOk(olga.send('GET', '/api/admin/audit-log?action=oauth.declined'))
  assert.deepEqual(
    entries
      .filter(({ subject }: { subject: { email: string } }) => subject.email === dan.email)
      .map(({ detail }: { detail: object }) => detail),
    [{ reason: 'Name your <app> first.' }],
  )
  const { entries: own } = await expectOk(dan.send('GET', '/api/auth/security-log'))
  assert.deepEqual([own[0].action, own[0].by], ['oauth.declined', 'organisation'])

  await request(dan)
  assert.deepEqual(await recipients(), [], 'within a day of the mail before')
  assert.ok((await waiting(olga)).includes(dan.email))
  clock.advance(dayMs)
  await request(dan)
  assert.deepEqual(await recipients(), [], 'a request that waits')
  await expectOk(decline(olga, dan))
  assert.doesNotMatch((await app.mails())[0]?.text ?? '', /Reason/)
  await request(dan)
  assert.equal((await recipients()).length, 2)

  await permit(olga, dan, { oauthEnabled: true })
  assert.deepEqual(await recipients(), [`${dan.email}: OAuth (Beta) is enabled for your account`])
  assert.equal((await accessOf(dan)).status, 'enabled')
  await permit(olga, dan, { oauthEnabled: false })
  assert.equal((await accessOf(dan)).status, 'none')
  await permit(olga, dan, { oauthEnabled: true })
  assert.deepEqual(await recipients(), [], 'without a request')
  await permit(olga, bob, { admin: false })
})

test('shows a request for OAuth to administrators until they enable it', async () => {
  const [carol] = await meet('Carol')
  const summaryOf = async (person: Person) => {
    const { accounts } = await expectOk(olga.send('GET', '/api/admin/accounts'))
    return accounts.find(({ _id }: { _id: string }) => _id === person.profile._id)
  }
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  await expectOk(carol.send('POST', path, { reason: 'A first reason' }), 202)
  await expectOk(carol.send('POST', path, { reason: 'I build a calendar.' }), 202)
  const { oauthRequest } = await summaryOf(carol)
  assert.equal(oauthRequest.reason, 'I build a calendar.')
  assert.match(oauthRequest.requestedOn, /^\d{4}-\d\d-\d\dT.*Z$/)
  const named = await expectOk(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { reviewer: false }))
  assert.deepEqual(named.oauthRequest, oauthRequest)

  const enabled = await expectOk(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { oauthEnabled: true }))
  assert.deepEqual([enabled.oauthEnabled, enabled.oauthRequest], [true, null])
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  const { status } = await expectOk(carol.send('POST', path, { reason: 'Again' }), 202)
  assert.equal(status, 'OAuth is enabled for your account already.')
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  assert.deepEqual([(await mailsTo(olga)).length, (await mailsTo(carol)).length], [1, 1])
})

test('accepts a reason of 1 to 1,000 characters', async () => {
  const [erin] = await meet('Erin')
  const send = (reason: string) => erin.send('POST', path, { reason })
  await expectProblem(send(''), 'invalid_request', ['/reason too_short'])
  await expectOk(send('a'.repeat(1_000)), 202)
  await expectProblem(send('a'.repeat(1_001)), 'invalid_request', ['/reason too_long'])
  assert.equal((await mailsTo(olga)).length, 1)
})

test('requests of many strangers fill no mailbox; the list still counts them', async () => {
  const flooded = await startApp()
  const administrator = await signUp(flooded, 'Olga')
  for (const number of Array.from({ length: 12 }, (_, at) => at)) {
    await request(await signUp(flooded, `Mallory${number}`))
  }
  const mails = await flooded.mails()
  assert.equal(mails.filter(({ to }) => to === administrator.email).length, 10)
  assert.equal((await waiting(administrator)).length, 12)
})

test('emails a request first, and after a refusal a day later', () => {
  const now = new Date('2026-11-22T09:00:00Z')
  const ago = (ms: number) => new Date(now.getTime() - ms)
  for (const [previous, mailed] of [
    [undefined, true],
    [{ notifiedAt: null, declinedAt: null }, true],
    [{ notifiedAt: ago(10 * dayMs), declinedAt: null }, false],
    [{ notifiedAt: ago(dayMs - 1), declinedAt: ago(1) }, false],
    [{ notifiedAt: ago(dayMs), declinedAt: ago(1) }, true],
  ] as const) {
    assert.equal(isRequestToMail(previous, now), mailed, JSON.stringify(previous))
  }
})
