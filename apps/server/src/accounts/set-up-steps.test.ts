import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const path = '/api/admin/set-up'

test('each step is done by the facts of the own organisation', async () => {
  const app = await startApp({ environment: { TENANTS: 'acme.test=Acme', BASE_URL: 'https://meet.example.org' } })
  const olga = await signUp(app, 'Olga')
  const wile = await signUp(app, 'Wile', 'wile@acme.test')
  const steps = () => expectOk(olga.send('GET', path))
  const atFirst = { mailIsSent: true, linksArePublic: true, peopleInvited: false, callMade: false }
  assert.deepEqual(await steps(), atFirst)

  const stay = (accountId: string) =>
    app.pool.query(
      `insert into admission (id, meeting_id, account_id, name, role, state, asked_at, entered_at, occurrence_at, seen_at)
       values (gen_random_uuid(), gen_random_uuid(), $1, 'A', 'host', 'admitted', now(), now(), now(), now())`,
      [accountId],
    )
  await stay(wile.profile._id)
  assert.deepEqual(await steps(), atFirst)
  await expectOk(olga.send('POST', '/api/admin/invitations', { email: 'nina@example.org' }), 202)
  assert.deepEqual(await steps(), { ...atFirst, peopleInvited: true })
  await stay(olga.profile._id)
  assert.deepEqual(await steps(), { ...atFirst, peopleInvited: true, callMade: true })
  await app.mails()
  await expectProblem(wile.send('GET', path), 'administrator_required')
})

test('another account is a person; links without https or without mail are not done', async () => {
  const app = await startApp({ outreach: 'none', environment: { BASE_URL: 'http://localhost:3000' } })
  const olga = await signUp(app, 'Olga')
  const nina = await signUp(app, 'Nina')
  const { mailIsSent, linksArePublic, peopleInvited } = await expectOk(olga.send('GET', path))
  assert.deepEqual([mailIsSent, linksArePublic, peopleInvited], [false, false, true])
  await expectProblem(nina.send('GET', path), 'administrator_required')
})

test('mails the administrator a test in their language, and not without end', async () => {
  const app = await startApp()
  const olga = await signUp(app, 'Olga')
  const send = () => olga.send('POST', `${path}/test-mail`)
  await expectOk(send(), 204)
  const [mail] = await app.mails()
  assert.deepEqual([mail?.to, mail?.subject], [olga.email, 'Test email'])
  assert.match(mail?.text ?? '', /\/administration\/set-up/)
  let refused = await send()
  for (let sent = 0; sent < 20 && refused.status === 204; sent++) refused = await send()
  await expectProblem(Promise.resolve(refused), 'too_many_requests')
  await app.mails()
})
