import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  appPath,
  calendarApp,
  decide,
  done,
  meetDevelopers,
  misleading,
  refused,
  submit,
} from '../../test/oauth/apps.ts'
import { arrive, authorizeUrl } from '../../test/oauth/consenting-person.ts'
import { insertGrant, revocationCauseOf } from '../../test/oauth/grants.ts'
import { createPlainBrowser } from '../../test/oauth/plain-browser.ts'
import { signUp, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { deleteRemovedTesters } from './tester-store.ts'

const dayMs = 24 * 60 * 60 * 1000
const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock })
const { rita, dan, eve, carol } = await meetDevelopers(app)
const testerAddresses = (testers: { email: string; state: string }[]) =>
  testers.map(({ email, state }) => `${email} ${state}`)

const invite = (mine: { _id: string }, ...testers: string[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })

const statesOf = async (mine: { _id: string }): Promise<string[]> => {
  const { testers } = await done(dan.send('GET', appPath(mine, '/testers')))
  return testers.map(({ email, state }: { email: string; state: string }) => `${email} ${state}`)
}

const addressees = async () => (await app.mails()).map(({ to }) => to).toSorted()

test('replaces testers as a whole, and a removed tester loses the sandbox', async () => {
  const mine = await submit(dan, { name: 'Tried out' })
  const replace = (testers: string[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })
  const read = async () => testerAddresses((await done(dan.send('GET', appPath(mine, '/testers')))).testers)
  assert.deepEqual(await read(), [])
  const { testers } = await done(replace(['carol@example.org', 'Carol@Example.org', 'nobody@example.org']))
  assert.deepEqual(testerAddresses(testers), ['Carol@Example.org pending', 'nobody@example.org pending'])
  await done(carol.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: 'accepted' }))
  assert.deepEqual(await read(), ['Carol@Example.org accepted', 'nobody@example.org pending'])

  const [ofCarol, ofDan, ofEve] = [
    await insertGrant(app, carol, mine, { sandbox: true }),
    await insertGrant(app, dan, mine, { sandbox: true }),
    await insertGrant(app, eve, mine, { sandbox: false }),
  ]
  await done(replace(['carol@example.org']))
  assert.equal(await revocationCauseOf(app, ofCarol), null)
  assert.deepEqual(await read(), ['Carol@Example.org accepted'])
  await done(replace([]))
  assert.equal(await revocationCauseOf(app, ofCarol), 'tester_removed')
  assert.equal(await revocationCauseOf(app, ofDan), null)
  assert.equal(await revocationCauseOf(app, ofEve), null)
  // When named again, she is asked again.
  await done(replace(['carol@example.org']))
  assert.deepEqual(await read(), ['carol@example.org pending'])
  await app.mails()
})

test('accepts up to 100 testers, each with an address', async () => {
  const mine = await submit(dan, { name: 'Crowd tested' })
  const replace = (testers: unknown[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })
  const people = (count: number) => Array.from({ length: count }, (_, index) => `tester${index}@example.org`)
  assert.equal((await done(replace(people(100)))).testers.length, 100)
  assert.deepEqual(violationsOf(await replace(people(101))), ['/testers too_many'])
  assert.deepEqual(violationsOf(await replace(['a@example.org', 'nobody'])), ['/testers/1 bad_format'])
  assert.deepEqual(violationsOf(await replace([7])), ['/testers/0 wrong_type'])
  await app.mails()
})

test('emails an address once in seven days, however often it is removed and named again', async () => {
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
  // The clean-up keeps the time of her last email.
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

test('limits a developer to 200 emailed invitations in 24 hours, apart from other developers', async () => {
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

test('invites a person with an account in its language', async () => {
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
  // In a right-to-left sentence a name is isolated.
  assert.match(
    mails.find(({ to }) => to.startsWith('reader-ar'))?.subject ?? '',
    /\u2068Dan Test\u2069.*\u2068Vielsprachig\u2069/s,
  )
})

for (const decision of ['rejected', 'on_hold']) {
  for (const isLive of [false, true]) {
    test(`${isLive ? 'a live app whose change' : 'an app that'} is ${decision} works for its developer alone`, async () => {
      const mine = await submit(dan, { name: `Decided ${decision} ${isLive ? 'live' : 'new'}` })
      if (isLive) {
        await done(decide(rita, mine, 'approved'))
        await done(dan.send('PUT', appPath(mine), calendarApp({ name: `Changed ${decision}` })))
        await done(dan.send('POST', appPath(mine, '/submit'), {}))
      }
      await done(invite(mine, 'carol@example.org', 'eve@example.org'))
      await done(carol.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: 'accepted' }))
      const [ofCarol, ofDan] = [
        await insertGrant(app, carol, mine, { sandbox: true }),
        await insertGrant(app, dan, mine, { sandbox: true }),
      ]
      await app.mails()
      await done(decide(rita, mine, decision, misleading))
      assert.equal(await revocationCauseOf(app, ofCarol), 'tester_removed')
      assert.equal(await revocationCauseOf(app, ofDan), null)
      assert.deepEqual(await statesOf(mine), [])
      for (const answer of ['accepted', 'declined']) {
        const answering = eve.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer })
        await refused(answering, 404, 'tester_invitation_not_found')
      }
      // No one is invited, and no email says that it was not reviewed.
      await refused(invite(mine, 'carol@example.org'), 409, 'testers_not_allowed')
      await done(invite(mine))
      assert.deepEqual(
        (await app.mails()).filter(({ to }) => to !== dan.email),
        [],
      )
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
      await done(dan.send('POST', appPath(mine, '/submit'), {}))
      await app.database.deleteFrom('appTester').where('appId', '=', mine._id).execute()
      await done(invite(mine, 'carol@example.org'))
      const [mail] = (await app.mails()).filter(({ to }) => to === carol.email)
      assert.match(mail?.text ?? '', /No reviewer has approved what you are asked to test/)
      assert.doesNotMatch(mail?.text ?? '', /not been reviewed/)
    })
  }
}

test('the invitation to a version that reviewers have approved says nothing of a review', async () => {
  const mine = await submit(dan, { name: 'Approved and tested' })
  await done(decide(rita, mine, 'approved'))
  await app.mails()
  await done(invite(mine, 'carol@example.org'))
  const [mail] = await app.mails()
  assert.doesNotMatch(mail?.text ?? '', /review/i)
})
