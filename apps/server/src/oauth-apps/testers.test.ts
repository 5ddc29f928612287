import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { listTesterInvitations, ReplyOf } from '@parley/contract'
import { isolated } from '@parley/rules/text/isolated-text'
import { directionOf, languageCodes } from '@parley/texts/languages'
import { appPath, calendarApp, decide, meetDevelopers, misleading, submit } from '../../test/oauth/apps.ts'
import { arrive, authorizeUrl } from '../../test/oauth/consenting-person.ts'
import { insertGrant, revocationCauseOf } from '../../test/oauth/grants.ts'
import { createPlainBrowser } from '../../test/oauth/plain-browser.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { useDevelopers } from '../../test/oauth/use-developers.ts'
import { type Person, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { textsIn } from '../platform/texts.ts'
import { deleteRemovedTesters, findInvitationRow, listInvitationRows } from './tester-store.ts'

const { app, clock, olga, developers, meet, addressOf, mailsTo } = await useDevelopers({
  start: '2030-01-07T09:00:00Z',
})

type TesterInvitation = ReplyOf<typeof listTesterInvitations>['invitations'][number]
type Registered = { _id: string; sandboxClientId: string }

const invite = (dan: Person, mine: { _id: string }, ...testers: string[]) =>
  dan.send('PUT', appPath(mine, '/testers'), { testers })

const statesOf = async (dan: Person, mine: { _id: string }): Promise<string[]> => {
  const { testers } = await expectOk(dan.send('GET', appPath(mine, '/testers')))
  return testers.map(({ email, state }: { email: string; state: string }) => `${email} ${state}`)
}

const invitationsOf = async (person: Person): Promise<TesterInvitation[]> =>
  (await expectOk(person.send('GET', '/api/oauth2/tester-invitations'))).invitations

const answer = (person: Person, mine: { _id: string }, said: string) =>
  person.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: said })

/** Take all emails since the last call, and return whom they are to. */
const addressees = async () => (await app.mails()).map(({ to }) => to).toSorted()

const dayMs = 24 * 60 * 60 * 1000

test('shows Dan the testers he invited, and each one’s answer', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'Shown to Dan' })
  assert.deepEqual(await statesOf(dan, mine), [])
  const invited = [carol.email, eve.email, addressOf('nobody')]
  await expectOk(invite(dan, mine, ...invited))
  await expectOk(answer(carol, mine, 'accepted'))
  await expectOk(answer(eve, mine, 'declined'))
  assert.deepEqual(await statesOf(dan, mine), [
    `${carol.email} accepted`,
    `${eve.email} declined`,
    `${addressOf('nobody')} pending`,
  ])
  await expectOk(invite(dan, mine))
  assert.deepEqual(await statesOf(dan, mine), [])
  assert.deepEqual(await addressees(), invited.toSorted())
})

test('replaces testers as a whole, and a removed tester loses the sandbox', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'Replaced testers' })
  const replace = (testers: string[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })
  const read = () => statesOf(dan, mine)
  assert.deepEqual(await read(), [])
  const [capitals, stranger] = [carol.email.toUpperCase(), addressOf('nobody')]
  await expectOk(replace([carol.email, capitals, stranger]))
  assert.deepEqual(await read(), [`${capitals} pending`, `${stranger} pending`])
  assert.deepEqual(await addressees(), [capitals, stranger])
  await expectOk(carol.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: 'accepted' }))
  assert.deepEqual(await read(), [`${capitals} accepted`, `${stranger} pending`])

  const [ofCarol, ofDan, ofEve] = [
    await insertGrant(app, carol, mine, { sandbox: true }),
    await insertGrant(app, dan, mine, { sandbox: true }),
    await insertGrant(app, eve, mine, { sandbox: false }),
  ]
  await expectOk(replace([carol.email]))
  assert.equal(await revocationCauseOf(app, ofCarol), null)
  assert.deepEqual(await read(), [`${capitals} accepted`])
  await expectOk(replace([]))
  assert.equal(await revocationCauseOf(app, ofCarol), 'tester_removed')
  assert.equal(await revocationCauseOf(app, ofDan), null)
  assert.equal(await revocationCauseOf(app, ofEve), null)
  // When named again, she is asked again.
  await expectOk(replace([carol.email]))
  assert.deepEqual(await read(), [`${carol.email} pending`])
  assert.deepEqual(await addressees(), [], 'within seven days of the first email')
})

test('accepts up to 100 testers, each with an address', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Crowd tested' })
  const replace = (testers: unknown[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })
  const people = (count: number) => Array.from({ length: count }, (_, index) => addressOf(`tester${index}`))
  assert.equal((await expectOk(replace(people(100)))).testers.length, 100)
  await expectProblem(replace(people(101)), 'invalid_request', ['/testers too_many'])
  await expectProblem(replace(['a@example.org', 'nobody']), 'invalid_request', ['/testers/1 bad_format'])
  await expectProblem(replace([7]), 'invalid_request', ['/testers/0 wrong_type'])
  assert.equal((await addressees()).length, 100)
})

test('emails an address once in seven days, however often it is removed and named again', async () => {
  const [dan] = await developers('Dan')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'Again and again' })
  for (let times = 0; times < 3; times++) {
    await expectOk(invite(dan, mine, carol.email))
    await expectOk(invite(dan, mine))
  }
  assert.deepEqual(await addressees(), [carol.email])
  const sweep = async () => {
    await deleteRemovedTesters(app.database, clock.now())
    const kept = await app.database.selectFrom('appTester').select('email').where('appId', '=', mine._id).execute()
    return kept.length
  }
  clock.advance(7 * dayMs - 1)
  // The clean-up keeps the time of her last email.
  assert.equal(await sweep(), 1)
  await expectOk(invite(dan, mine, carol.email))
  await expectOk(invite(dan, mine))
  assert.deepEqual(await addressees(), [])
  clock.advance(1)
  await expectOk(invite(dan, mine, carol.email))
  assert.deepEqual(await addressees(), [carol.email])
  clock.advance(8 * dayMs)
  assert.equal(await sweep(), 1)
  await expectOk(invite(dan, mine))
  clock.advance(7 * dayMs - 1)
  assert.equal(await sweep(), 1)
  clock.advance(1)
  assert.equal(await sweep(), 0)
})

test('limits a developer to 200 emailed invitations in 24 hours, apart from other developers', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const [first, second, third] = [
    await submit(dan, { name: 'Crowd one' }),
    await submit(dan, { name: 'Crowd two' }),
    await submit(dan, { name: 'Crowd three' }),
  ]
  const crowd = (name: string) => Array.from({ length: 100 }, (_, at) => `${name}${at}@example.net`)
  await expectOk(invite(dan, first, ...crowd('a')))
  await expectOk(invite(dan, second, ...crowd('b')))
  assert.equal((await addressees()).length, 200)
  await expectProblem(invite(dan, third, 'one-too-many@example.net'), 'too_many_requests')
  assert.deepEqual(await statesOf(dan, third), [])
  assert.deepEqual(await addressees(), [])
  const hers = await submit(eve, { name: 'Not so many' })
  await expectOk(eve.send('PUT', appPath(hers, '/testers'), { testers: ['one@example.net'] }))
  assert.deepEqual(await addressees(), ['one@example.net'])
  clock.advance(dayMs)
  await expectOk(invite(dan, third, 'one-too-many@example.net'))
  assert.deepEqual(await addressees(), ['one-too-many@example.net'])
})

test('invites a person with an account in its language', async () => {
  const [dan] = await developers('Dan')
  const mine = await submit(dan, { name: 'Vielsprachig' })
  for (const language of languageCodes) {
    const person = await signUp(app, 'Reader', addressOf(`reader-${language}`))
    await expectOk(person.send('PUT', '/api/my_profile', { language }))
  }
  await expectOk(invite(dan, mine, ...languageCodes.map((language) => addressOf(`reader-${language}`))))
  const mails = await app.mails()
  for (const language of languageCodes) {
    const named = { owner: isolated(language, 'Dan Test'), app: isolated(language, 'Vielsprachig') }
    const mail = mails.find(({ to }) => to === addressOf(`reader-${language}`))
    assert.equal(mail?.subject, textsIn(language, 'app-emails')('testerInvitation.subject', named))
    assert.match(mail?.html ?? '', new RegExp(`<html lang="${language}" dir="${directionOf(language)}">`))
  }
  // In a right-to-left sentence a name is isolated.
  assert.match(
    mails.find(({ to }) => to.startsWith('reader-ar'))?.subject ?? '',
    /\u2068Dan Test\u2069.*\u2068Vielsprachig\u2069/s,
  )
})

for (const decision of ['rejected', 'on_hold']) {
  for (const isLive of [false, true]) {
    test(`${isLive ? 'a live app whose change' : 'an app that'} is ${decision} works for its developer alone`, async () => {
      const [rita, dan, eve] = await developers('Rita', 'Dan', 'Eve')
      const [carol] = await meet('Carol')
      const mine = await submit(dan, { name: `Decided ${decision} ${isLive ? 'live' : 'new'}` })
      if (isLive) {
        await expectOk(decide(rita, mine, 'approved'))
        await expectOk(dan.send('PUT', appPath(mine), calendarApp({ name: `Changed ${decision}` })))
        await expectOk(dan.send('POST', appPath(mine, '/submit'), {}))
      }
      await expectOk(invite(dan, mine, carol.email, eve.email))
      await expectOk(carol.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: 'accepted' }))
      const [ofCarol, ofDan] = [
        await insertGrant(app, carol, mine, { sandbox: true }),
        await insertGrant(app, dan, mine, { sandbox: true }),
      ]
      assert.equal((await mailsTo(dan)).length, isLive ? 1 : 0)
      assert.equal((await mailsTo(carol)).length, 1)
      assert.equal((await mailsTo(eve)).length, 1)
      await expectOk(decide(rita, mine, decision, misleading))
      assert.equal(await revocationCauseOf(app, ofCarol), 'tester_removed')
      assert.equal(await revocationCauseOf(app, ofDan), null)
      assert.deepEqual(await statesOf(dan, mine), [])
      for (const answer of ['accepted', 'declined']) {
        const answering = eve.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer })
        await expectProblem(answering, 'tester_invitation_not_found')
      }
      // No one is invited, and no email says that it was not reviewed.
      await expectProblem(invite(dan, mine, carol.email), 'testers_not_allowed')
      await expectOk(invite(dan, mine))
      assert.deepEqual(await addressees(), [dan.email])
      // A row that is left over opens nothing.
      await app.database
        .updateTable('appTester')
        .set({ removedAt: null, state: 'accepted' })
        .where('appId', '=', mine._id)
        .execute()
      const link = authorizeUrl(app, {
        client_id: mine.sandboxClientId,
        redirect_uri: 'https://acme.example/callback',
        response_type: 'code',
      })
      const page = await arrive(createPlainBrowser(app), carol, link)
      assert.deepEqual([page.status, page.location], [403, undefined])
      assert.equal((await arrive(createPlainBrowser(app), dan, link)).status, 200)

      // Submitted again, it may be tested again; the email says what is true.
      await expectOk(dan.send('POST', appPath(mine, '/submit'), {}))
      await app.database.deleteFrom('appTester').where('appId', '=', mine._id).execute()
      await expectOk(invite(dan, mine, carol.email))
      const [mail] = await mailsTo(carol)
      assert.match(mail?.text ?? '', /No reviewer has approved what you are asked to test/)
      assert.doesNotMatch(mail?.text ?? '', /not been reviewed/)
    })
  }
}

test('the invitation to a version that reviewers have approved says nothing of a review', async () => {
  const [rita, dan] = await developers('Rita', 'Dan')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'Approved and tested' })
  await expectOk(decide(rita, mine, 'approved'))
  await expectOk(invite(dan, mine, carol.email))
  assert.equal((await mailsTo(dan)).length, 1)
  const [mail] = await mailsTo(carol)
  assert.doesNotMatch(mail?.text ?? '', /review/i)
})

test('a suspended or deleted app invites no testers, and its earlier invitations are not shown', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'To be stopped' })
  const shown = async () => (await invitationsOf(carol)).some(({ app: { _id } }) => _id === mine._id)
  await expectOk(invite(dan, mine, carol.email))
  assert.equal(await shown(), true)
  await expectOk(olga.send('POST', appPath(mine, '/suspend'), {}))
  assert.deepEqual(await addressees(), [carol.email, dan.email].toSorted())
  assert.equal(await shown(), false)
  await expectProblem(answer(carol, mine, 'accepted'), 'tester_invitation_not_found')
  await expectOk(invite(dan, mine, carol.email, eve.email))
  assert.deepEqual(await addressees(), [])
  await expectOk(olga.send('POST', appPath(mine, '/resume')))
  assert.deepEqual(await addressees(), [dan.email])
  assert.equal(await shown(), true)
  await expectOk(dan.send('DELETE', appPath(mine)))
  assert.equal(await shown(), false)
})

test('shows an invitation to a verified address only, where addresses are verified', async () => {
  const strict = await startApp({ emails: 'dropped', environment: { EMAIL_VERIFICATION: 'off' } })
  const people = await meetDevelopers(strict)
  const mine = await submit(people.dan, { name: 'Strict' })
  const caller = { addressKey: people.carol.email }
  await expectOk(people.dan.send('PUT', appPath(mine, '/testers'), { testers: [people.carol.email] }))
  for (const addressTrusted of [false, true]) {
    const found = await findInvitationRow(strict.database, mine._id, { ...caller, addressTrusted })
    assert.equal(found !== undefined, addressTrusted)
    assert.equal(
      (await listInvitationRows(strict.database, { ...caller, addressTrusted })).length,
      Number(addressTrusted),
    )
  }
})

test('Dan invites Carol: she is emailed, accepts, and he sees it; then she leaves, and her tokens end', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'Tried out' })
  await expectOk(invite(dan, mine, carol.email))
  const [mail, ...others] = await app.mails()
  assert.deepEqual(
    [mail?.to, mail?.subject, others.length],
    [carol.email, 'Dan Test asks you to test the app Tried out', 0],
  )
  assert.match(mail?.text ?? '', /Dan Test \(dan\.\d+@example\.org\) asks you.*http:\/\/parley\.test\/connected-apps/s)

  const [invitation] = await invitationsOf(carol)
  assert.deepEqual(
    [invitation?.app.name, invitation?.owner, invitation?.state, invitation?.answeredOn],
    ['Tried out', { name: 'Dan Test', email: dan.email }, 'pending', null],
  )
  assert.deepEqual(await invitationsOf(eve), [])
  clock.advance(1000)
  const accepted = await expectOk(answer(carol, mine, 'accepted'))
  assert.deepEqual([accepted.state, accepted.answeredOn], ['accepted', clock.now().toISOString()])
  assert.deepEqual(await statesOf(dan, mine), [`${carol.email} accepted`])
  // When named again beside another tester, she is neither asked nor emailed again.
  await expectOk(invite(dan, mine, carol.email, eve.email))
  assert.deepEqual(await statesOf(dan, mine), [`${carol.email} accepted`, `${eve.email} pending`])
  assert.deepEqual(await addressees(), [eve.email])

  const { access_token: token } = await tokensFor(app, await credentialsOf(dan, mine), carol, { sandbox: true, clock })
  const use = async () => (await carol.send('GET', '/api/user/profile', undefined, { authorization: token })).status
  assert.equal(await use(), 200)
  await expectOk(answer(carol, mine, 'declined'))
  assert.equal(await use(), 401)
  assert.deepEqual(await statesOf(dan, mine), [`${carol.email} declined`, `${eve.email} pending`])

  const { events } = await expectOk(dan.send('GET', appPath(mine, '/events')))
  const answers = events.filter(({ kind }: { kind: string }) => kind.startsWith('tester_'))
  assert.deepEqual(
    answers.map(({ cause }: { cause: string }) => cause),
    [`The tester ${carol.email} declined the invitation.`, `The tester ${carol.email} accepted the invitation.`],
  )
  const { entries } = await expectOk(carol.send('GET', '/api/auth/security-log'))
  assert.deepEqual(
    entries.slice(0, 2).map(({ action, by, about }: Record<string, string>) => [action, by, about]),
    [
      ['app-test.declined', 'you', 'Tried out'],
      ['app-test.accepted', 'you', 'Tried out'],
    ],
  )
})

test('refuses answers for another person, and to invitations that do not exist', async () => {
  const [dan, eve] = await developers('Dan', 'Eve')
  const [carol] = await meet('Carol')
  const mine = await submit(dan, { name: 'Not for all' })
  await expectOk(invite(dan, mine, carol.email))
  assert.deepEqual(await addressees(), [carol.email])
  await expectProblem(answer(eve, mine, 'accepted'), 'tester_invitation_not_found')
  await expectProblem(answer(dan, mine, 'accepted'), 'tester_invitation_not_found')
  await expectProblem(answer(carol, { _id: 'x' }, 'accepted'), 'tester_invitation_not_found')
  await expectProblem(answer(carol, mine, 'pending'), 'invalid_request', ['/answer not_allowed'])
  await expectOk(invite(dan, mine))
  await expectProblem(answer(carol, mine, 'accepted'), 'tester_invitation_not_found')
  assert.equal(
    (await invitationsOf(carol)).some(({ app: { _id } }) => _id === mine._id),
    false,
  )
})

/** The sandbox credentials of an app that was created through the portal. */
async function credentialsOf(dan: Person, { _id: appId, sandboxClientId }: Registered) {
  const body = { name: 'Test', sandbox: true }
  const { secret } = await expectOk(dan.send('POST', `/api/oauth2/apps/${appId}/secrets`, body), 201)
  return { appId, clientId: '', clientSecret: '', sandboxClientId, sandboxClientSecret: secret }
}
