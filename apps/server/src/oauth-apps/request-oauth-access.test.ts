import assert from 'node:assert/strict'
import { test } from 'node:test'
import { done, permit, refused } from '../../test/oauth/apps.ts'
import { type Person, signUp, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { isRequestToMail } from '../accounts/oauth-access-requests.ts'

const clock = createClock('2026-11-22T09:00:00Z')
const app = await startApp({ clock, environment: { TENANTS: 'acme.test=Acme' } })
const olga = await signUp(app, 'Olga')
const dayMs = 24 * 60 * 60 * 1000

const request = (person: Person, reason = 'We plan meetings from our CRM.') =>
  done(person.send('POST', '/api/oauth2/access', { reason }), 202)

const accessOf = (person: Person) => done(person.send('GET', '/api/oauth2/access'))

const decline = (administrator: Person, person: Person, body: object = {}) =>
  administrator.send('POST', `/api/admin/oauth-requests/${person.profile._id}/decline`, body)

const waitingFor = async (administrator: Person) => {
  const { accounts, totalCount } = await done(administrator.send('GET', '/api/admin/oauth-requests'))
  return [totalCount, ...accounts.map(({ email }: { email: string }) => email)]
}

const recipients = async () => (await app.mails()).map(({ to, subject }) => `${to}: ${subject}`).toSorted()

test('emails administrators each request once, and they decline it with a reason', async () => {
  const dan = await signUp(app, 'Dan')
  const bob = await signUp(app, 'Bob')
  await permit(olga, bob, { admin: true })
  await bob.send('PUT', '/api/my_profile', { language: 'de' })
  assert.deepEqual((await accessOf(dan)).status, 'none')

  const { status } = await request(dan, 'Read https://evil.example now!')
  assert.equal(status, 'An administrator has been asked to enable OAuth for your account.')
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to, subject }) => `${to}: ${subject}`).toSorted(), [
    'bob@example.org: Anfrage nach OAuth (Beta)',
    'olga@example.org: Request for OAuth (Beta)',
  ])
  for (const { text, html } of mails) {
    assert.match(text, /dan@example\.org/)
    assert.match(text, /http:\/\/parley\.test\/administration\/accounts/)
    assert.doesNotMatch(text + html, /evil\.example/, 'no text that a stranger chose')
  }
  await request(dan)
  assert.deepEqual(await recipients(), [], 'asking again mails nobody')
  assert.deepEqual(await waitingFor(olga), [1, 'dan@example.org'])
  assert.deepEqual(await accessOf(dan), {
    status: 'requested',
    requestedOn: '2026-11-22T09:00:00.000Z',
    declinedOn: null,
    declineReason: '',
  })

  clock.advance(60_000)
  const declined = await done(decline(olga, dan, { reason: 'Name your <app> first.' }))
  assert.equal(declined.oauthRequest, null)
  const [mail, ...others] = await app.mails()
  assert.equal(others.length, 0)
  assert.deepEqual([mail?.to, mail?.subject], [dan.email, 'Your request for OAuth (Beta) was declined'])
  assert.match(mail?.text ?? '', /Reason: Name your <app> first\./)
  assert.ok(mail?.html.includes('Name your &lt;app&gt; first.'))
  assert.deepEqual(await waitingFor(olga), [0])
  assert.deepEqual(await accessOf(dan), {
    status: 'declined',
    requestedOn: '2026-11-22T09:00:00.000Z',
    declinedOn: '2026-11-22T09:01:00.000Z',
    declineReason: 'Name your <app> first.',
  })
  await refused(decline(olga, dan), 404, 'oauth_request_not_found')
  const { entries } = await done(olga.send('GET', '/api/admin/audit-log?action=oauth.declined'))
  assert.deepEqual(
    entries.map(({ subject, detail }: { subject: { email: string }; detail: object }) => [subject.email, detail]),
    [[dan.email, { reason: 'Name your <app> first.' }]],
  )
  const { entries: own } = await done(dan.send('GET', '/api/auth/security-log'))
  assert.deepEqual([own[0].action, own[0].by], ['oauth.declined', 'organisation'])

  await request(dan)
  assert.deepEqual(await recipients(), [], 'within a day of the mail before')
  assert.deepEqual(await waitingFor(olga), [1, 'dan@example.org'])
  clock.advance(dayMs)
  await request(dan)
  assert.deepEqual(await recipients(), [], 'a request that waits')
  await done(decline(olga, dan))
  assert.doesNotMatch((await app.mails())[0]?.text ?? '', /Reason/)
  await request(dan)
  assert.equal((await recipients()).length, 2)

  await permit(olga, dan, { oauthEnabled: true })
  assert.deepEqual(await recipients(), ['dan@example.org: OAuth (Beta) is enabled for your account'])
  assert.equal((await accessOf(dan)).status, 'enabled')
  await permit(olga, dan, { oauthEnabled: false })
  assert.equal((await accessOf(dan)).status, 'none')
  await permit(olga, dan, { oauthEnabled: true })
  assert.deepEqual(await recipients(), [], 'nobody asked')
})

test('shows a request for OAuth to administrators until they enable it', async () => {
  const carol = await signUp(app, 'Carol')
  const summaryOf = async (person: Person) => {
    const { accounts } = await done(olga.send('GET', '/api/admin/accounts'))
    return accounts.find(({ _id }: { _id: string }) => _id === person.profile._id)
  }
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  await done(carol.send('POST', '/api/oauth2/access', { reason: 'A first reason' }), 202)
  await done(carol.send('POST', '/api/oauth2/access', { reason: 'I build a calendar.' }), 202)
  const { oauthRequest } = await summaryOf(carol)
  assert.equal(oauthRequest.reason, 'I build a calendar.')
  assert.match(oauthRequest.requestedOn, /^\d{4}-\d\d-\d\dT.*Z$/)
  const named = await done(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { reviewer: false }))
  assert.deepEqual(named.oauthRequest, oauthRequest)

  const enabled = await done(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { oauthEnabled: true }))
  assert.deepEqual([enabled.oauthEnabled, enabled.oauthRequest], [true, null])
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  const { status } = await done(carol.send('POST', '/api/oauth2/access', { reason: 'Again' }), 202)
  assert.equal(status, 'OAuth is enabled for your account already.')
  assert.equal((await summaryOf(carol)).oauthRequest, null)
  await app.mails()
})

test('accepts a reason of 1 to 1,000 characters', async () => {
  const erin = await signUp(app, 'Erin')
  const violationsWith = async (reason: string) =>
    violationsOf(await erin.send('POST', '/api/oauth2/access', { reason }))
  assert.deepEqual(await violationsWith(''), ['/reason too_short'])
  assert.deepEqual(await violationsWith('a'.repeat(1_000)), [])
  assert.deepEqual(await violationsWith('a'.repeat(1_001)), ['/reason too_long'])
  await app.mails()
})

test('requests of many strangers fill no mailbox; the list still counts them', async () => {
  clock.advance(dayMs)
  const [before] = await waitingFor(olga)
  for (const number of Array.from({ length: 12 }, (_, at) => at)) {
    await request(await signUp(app, 'Mallory', `mallory${number}@example.org`))
  }
  const toOlga = (await app.mails()).filter(({ to }) => to === olga.email)
  assert.equal(toOlga.length, 10)
  assert.equal((await waitingFor(olga))[0], Number(before) + 12)
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
