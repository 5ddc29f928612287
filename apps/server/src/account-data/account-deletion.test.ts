import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updatePhoto } from '@parley/contract'
import { listed } from '../../test/mailbox.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import {
  detailsPath,
  type Person,
  password,
  schedule,
  sendRequest,
  signUp,
  standUp,
  weekdays,
} from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { SoftwareAuthenticator } from '../../test/software-authenticator.ts'
import { useApp } from '../../test/use-app.ts'
import { eraseAccountsJob, erasureLimitMs, handOverMs } from './erase-accounts.ts'

const { app, clock, olga } = await useApp({ start: '2030-01-01T12:00:00Z', environment: { RATE_LIMITS: 'off' } })

const remove = (person: Person, body: object = { currentPassword: password }) =>
  person.send('POST', '/api/my_profile/delete', body)
const authorized = (token: string) => ({ authorization: `Bearer ${token}` })
const erase = () => app.taskList[eraseAccountsJob.name]?.({}, { job: { id: 1 } })
const rowOf = (person: Person) =>
  app.database.selectFrom('account').selectAll().where('id', '=', person.profile._id).executeTakeFirstOrThrow()
/** All tables except that of jobs, as text. */
async function textOfDatabase(): Promise<string> {
  const { rows: tables } = await app.pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const texts = []
  for (const { name } of tables) {
    const { rows } = await app.pool.query(`select row_to_json(r)::text as line from public."${name}" r`)
    texts.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return texts.join('\n')
}

test('closes a deleted account at once: no credential works, its meetings are cancelled, and its address is free', async () => {
  const alice = await signUp(app, 'Alice')
  const other = await sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password })
  const { body: script } = await alice.send('POST', '/api/auth/tokens', {
    name: 'backup script of mine',
    scopes: ['user:read'],
    currentPassword: password,
  })
  await expectOk(alice.send('PUT', '/api/my_profile/photo', { image: updatePhoto.example.image }))
  const meeting = await schedule(alice, standUp({ topic: 'Secret project' }))
  await expectOk(
    alice.send('POST', '/api/meeting/templates', {
      name: 'Secret project',
      topic: 'Secret project',
      description: '',
      durationMinutes: 30,
      participants: [],
      advancedOptions: {},
      repeatOptions: { repeat: 'none' },
    }),
  )
  const planner = await approvedApp(app, alice, { name: 'Planner of Alice' })
  for (const whose of [{}, { appId: planner.appId }]) {
    const webhook = { url: 'https://hooks.alice.example/', description: 'Of Alice', ...whose }
    await expectOk(alice.send('POST', '/api/webhooks', webhook), 201)
  }
  assert.deepEqual(listed(await app.mails()), ['Invitation: Secret project REQUEST 0 to bob@example.org'])

  await expectProblem(remove(alice, { currentPassword: 'wrong password' }), 'wrong_credentials')
  const removed = await remove(alice)
  await expectOk(removed)
  assert.match(removed.headers.get('set-cookie') ?? '', /Max-Age=0|Expires=Thu, 01 Jan 1970/i)
  for (const token of [alice.token, other.body.token, script.token]) {
    await expectProblem(
      sendRequest(app, 'GET', '/api/my_profile', undefined, { authorization: `Bearer ${token}` }),
      'unauthorized',
    )
  }
  await expectProblem(
    sendRequest(app, 'POST', '/api/auth/sign-in', { email: alice.email, password }),
    'wrong_credentials',
  )
  await expectProblem(remove(alice), 'unauthorized') // twice
  const { status } = await app.database
    .selectFrom('app')
    .select('status')
    .where('id', '=', planner.appId)
    .executeTakeFirstOrThrow()
  assert.equal(status, 'suspended')

  const mails = listed(await app.mails())
  assert.deepEqual(mails.toSorted(), [
    'Cancelled: Secret project CANCEL 1 to bob@example.org',
    'Your account is deleted undefined undefined to alice@example.org',
  ])
  assert.equal((await rowOf(alice)).name, 'Alice', 'the cancellation named its organizer')

  await erase()
  const row = await rowOf(alice)
  assert.deepEqual([row.name, row.email, row.passwordHash, row.erasedAt !== null], ['', '', null, true])
  assert.deepEqual(await app.database.selectFrom('webhook').select('id').execute(), [])
  assert.deepEqual([row.photo, await app.database.selectFrom('accountPhoto').select('id').execute()], [null, []])
  const text = await textOfDatabase()
  const kept = text.split('\n').filter((line) => /alice|Secret project|backup script/i.test(line))
  // Alice's email is a job that has run, and her app has users.
  assert.deepEqual(
    kept.filter((line) => !line.startsWith('app_revision ')),
    [],
  )
  await expectProblem(olga.send('GET', detailsPath(meeting)), 'meeting_not_found')
  const { body: log } = await olga.send(
    'GET',
    `/api/admin/audit-log?action=account.deleted&subject=${alice.profile._id}`,
  )
  assert.deepEqual(
    log.entries.map(({ actor, subject, address }: Record<string, unknown>) => ({ actor, subject, address })),
    [
      {
        actor: { _id: alice.profile._id, name: '', email: '' },
        subject: { _id: alice.profile._id, name: '', email: '' },
        address: '',
      },
    ],
  )
  const again = await signUp(app, 'Alice')
  assert.notEqual(again.profile._id, alice.profile._id)
  assert.notEqual(again.profile.svcMeetId, alice.profile.svcMeetId)
  assert.deepEqual((await again.send('GET', `/api/meeting/${again.profile._id}`)).body.totalCount ?? 0, 0)
})

test('deletes the colours that the person has chosen, and those that others chose for its meetings', async () => {
  const [gwen, hank] = [await signUp(app, 'Gwen'), await signUp(app, 'Hank')]
  const [ofGwen, ofHank] = [
    await schedule(gwen, standUp({ participants: [hank.email] })),
    await schedule(hank, standUp({ participants: [gwen.email] })),
  ]
  for (const meeting of [ofGwen, ofHank]) {
    await expectOk(gwen.send('PUT', `${detailsPath(meeting)}/colour`, { colour: 'green' }))
    await expectOk(hank.send('PUT', `${detailsPath(meeting)}/colour`, { colour: 'pink' }))
  }
  await expectOk(remove(gwen))
  await app.mails()
  await erase()
  const left = await app.database.selectFrom('meetingColour').select(['meetingId', 'colour']).execute()
  assert.deepEqual(left, [{ meetingId: ofHank._id, colour: 'pink' }])
})

test('deletes the answers to dates of its meetings, and leaves its own to the hosts of others', async () => {
  const [gina, hugo] = [await signUp(app, 'Gina'), await signUp(app, 'Hugo')]
  const ofGina = await schedule(gina, weekdays({ participants: [hugo.email] }))
  const ofHugo = await schedule(hugo, weekdays({ participants: [gina.email] }))
  const decline = async (person: Person, meeting: { _id: string }) => {
    const answer = { response: 'declined', occurrence: '2030-01-09T09:00:00Z' }
    await expectOk(person.send('POST', `${detailsPath(meeting)}/response`, answer))
  }
  await decline(hugo, ofGina)
  await decline(gina, ofHugo)
  await app.mails()
  const answered = async () => {
    const rows = await app.database.selectFrom('occurrenceResponse').select(['meetingId', 'emailKey']).execute()
    return rows.map(({ meetingId, emailKey }) => `${emailKey} ${meetingId}`).toSorted()
  }
  const toHugo = `gina@example.org ${ofHugo._id}`
  assert.deepEqual(await answered(), [toHugo, `hugo@example.org ${ofGina._id}`])
  await expectOk(remove(gina))
  await app.mails()
  await erase()
  assert.notEqual((await rowOf(gina)).erasedAt, null)
  assert.deepEqual(await answered(), [toHugo], 'as the answers to a series, which belong to the guest list of its host')
  const { body } = await hugo.send('GET', `${detailsPath(ofHugo)}/occurrences`)
  const date = body.occurrences.find(({ startTime }: { startTime: string }) => startTime === '2030-01-09T09:00:00.000Z')
  assert.deepEqual(date.responses, [{ email: 'gina@example.org', response: 'declined' }])
})

test('offers a meeting to its cohosts, and keeps the account until the offers end; cancels a meeting without a cohost', async () => {
  const [carol, dora] = [await signUp(app, 'Carol'), await signUp(app, 'Dora')]
  const shared = await schedule(carol, weekdays({ topic: 'Shared', cohosts: ['nobody@example.org', dora.email] }))
  await schedule(carol, standUp({ topic: 'Alone' }))
  await app.mails()
  await expectOk(remove(carol, { currentPassword: password, meetings: 'hand_over' }))
  assert.deepEqual(listed(await app.mails()).toSorted(), [
    'Cancelled: Alone CANCEL 1 to bob@example.org',
    'You are offered to host meetings undefined undefined to dora@example.org',
    'Your account is deleted undefined undefined to carol@example.org',
  ])
  const { body } = await dora.send('GET', detailsPath(shared))
  assert.deepEqual([body[0].svcMeetId, body[0].hostInfo.name], [shared.svcMeetId, 'Carol'])
  clock.advance(handOverMs - 1)
  await erase()
  assert.equal((await rowOf(carol)).name, 'Carol')
  assert.deepEqual(await app.mails(), [])
  clock.advance(1)
  await erase()
  assert.deepEqual(listed(await app.mails()).toSorted(), [
    'Cancelled from 9 January 2030: Shared REQUEST 1 to bob@example.org',
    'Cancelled from 9 January 2030: Shared REQUEST 1 to dora@example.org',
    'Cancelled from 9 January 2030: Shared REQUEST 1 to nobody@example.org',
  ])
  await erase()
  assert.notEqual((await rowOf(carol)).erasedAt, null)
})

test('keeps the name until the guests were notified, and two days at most', async () => {
  const erin = await signUp(app, 'Erin')
  await schedule(erin, standUp({ startTime: '2030-02-07T09:00:00Z', endTime: '2030-02-07T09:30:00Z' }))
  await remove(erin)
  await erase()
  assert.equal((await rowOf(erin)).erasedAt, null, 'the cancellation waits')
  clock.advance(erasureLimitMs)
  await erase()
  assert.notEqual((await rowOf(erin)).erasedAt, null)
  await app.mails()
})

test('requires the password however recent the sign-in is, and keeps the last administrator', async () => {
  const frank = await signUp(app, 'Frank')
  await expectProblem(remove(frank, {}), 'confirmation_required')
  await expectProblem(remove(olga), 'last_administrator')
  clock.advance(11 * 60_000)
  await expectOk(remove(frank))
  await app.mails()
})

test('accepts a passkey of the own account as confirmation, for this session, and once', async () => {
  const [grace, heidi] = [await signUp(app, 'Grace'), await signUp(app, 'Heidi')]
  const authenticators = { grace: new SoftwareAuthenticator(), heidi: new SoftwareAuthenticator() }
  const optionsFor = async (person: Person, what = 'confirmation/options') =>
    (await person.send('POST', `/api/auth/passkeys/${what}`, {})).body.publicKey
  const other = await sendRequest(app, 'POST', '/api/auth/sign-in', { email: grace.email, password })
  await expectProblem(grace.send('POST', '/api/auth/passkeys/confirmation/options', {}), 'passkey_not_found')
  for (const [person, authenticator] of [
    [grace, authenticators.grace] as const,
    [heidi, authenticators.heidi] as const,
  ]) {
    const credential = authenticator.create(await optionsFor(person, 'options'))
    await expectOk(person.send('POST', '/api/auth/passkeys', { name: 'Laptop', credential }), 201)
  }
  const options = await optionsFor(grace)
  assert.deepEqual(
    options.allowCredentials.map(({ id }: { id: string }) => id),
    [authenticators.grace.id.toString('base64url')],
  )
  const confirm = (credential: object, headers = authorized(grace.token)) =>
    sendRequest(app, 'POST', '/api/my_profile/delete', { credential }, headers)
  const signInOptions = (await sendRequest(app, 'POST', '/api/auth/passkey-sign-in/options', {})).body.publicKey
  await expectProblem(confirm(authenticators.grace.get(signInOptions)), 'wrong_passkey')
  // Of another account.
  await expectProblem(confirm(authenticators.heidi.get(await optionsFor(grace))), 'wrong_passkey')
  const elsewhere = authorized(other.body.token)
  await expectProblem(confirm(authenticators.grace.get(options), elsewhere), 'wrong_passkey')
  const spent = authenticators.heidi.get(await optionsFor(heidi))
  await expectProblem(remove(heidi, { credential: spent, meetings: 'neither' }), 'invalid_request')
  await expectOk(remove(heidi, { credential: spent })) // an invalid request does not use it up
  await expectOk(remove(grace, { credential: authenticators.grace.get(await optionsFor(grace)) }))
  await app.mails()
})

test('requires a recent sign-in by the provider of an account that has neither password nor passkey', async () => {
  const ivan = await signUp(app, 'Ivan')
  const hasNoPassword = app.database.updateTable('account').set({ passwordHash: null })
  await hasNoPassword.where('id', '=', ivan.profile._id).execute()
  clock.advance(11 * 60_000)
  await expectProblem(remove(ivan, {}), 'recent_sign_in_required')
  const begunAt = app.database.updateTable('session').set({ createdAt: clock.now() })
  await begunAt.where('accountId', '=', ivan.profile._id).execute()
  await expectOk(remove(ivan, {}))
  await app.mails()
})
