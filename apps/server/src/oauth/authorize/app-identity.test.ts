import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApprovedApp, approvedApp, callbackUrl } from '../../../test/oauth/approved-app.ts'
import {
  appPath,
  approvedApp as approved,
  calendarApp,
  decide,
  meetDevelopers,
  misleading,
  reviewPath,
} from '../../../test/oauth/apps.ts'
import { arrive, authorizeUrl } from '../../../test/oauth/consenting-person.ts'
import { createPlainBrowser, readingOf } from '../../../test/oauth/plain-browser.ts'
import { type Person, signUp } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { startApp, type TestApp } from '../../../test/start-app.ts'

const environment = { TENANTS: 'acme.example=Acme', EMAIL_VERIFICATION: 'off' }
const app = await startApp({ environment })
const olga = await signUp(app, 'Olga')
const mallory = await signUp(app, 'Mallory', 'mallory@acme.example')

async function consentPage({ clientId }: ApprovedApp): Promise<string> {
  const asked = { client_id: clientId, redirect_uri: callbackUrl, response_type: 'code' }
  return readingOf(await arrive(createPlainBrowser(app), olga, authorizeUrl(app, asked)))
}

test('names an organisation for an owner with a verified address, and not for one who only typed its domain', async () => {
  const planner = await approvedApp(app, mallory)
  assert.match(await consentPage(planner), /by Mallory Test/)
  assert.doesNotMatch(await consentPage(planner), /Acme/)
  await app.database
    .updateTable('account')
    .set({ emailVerifiedAt: new Date() })
    .where('id', '=', mallory.profile._id)
    .execute()
  assert.match(await consentPage(await approvedApp(app, mallory)), /by Mallory Test Organisation: Acme/)
})

test('shows the reviewed name of the owner; a later name waits for its review', async () => {
  const service = await startApp({ emails: 'dropped', environment: { ...environment, RATE_LIMITS: 'off' } })
  const { olga: reviewer, dan } = await meetDevelopers(service)
  const registered = await approved(dan, reviewer, { callbackUrls: [callbackUrl] })
  const read = async (client_id = registered.clientId) => {
    const asked = { client_id, redirect_uri: callbackUrl, response_type: 'code' }
    return readingOf(await arrive(createPlainBrowser(service), dan, authorizeUrl(service, asked)))
  }
  const app = async () => expectOk(dan.send('GET', appPath(registered)))
  assert.match(await read(), /Acme Calendar by Dan Test Allow/)
  await expectProblem(dan.send('POST', appPath(registered, '/submit')), 'nothing_to_submit')

  // The name that a security finding forged: it reads as the service's own team, and as an organisation.
  const forged = { name: 'Mal Planner by Parley Security Team (verified),', lname: 'Acme Inc.' }
  await expectOk(dan.send('PUT', '/api/my_profile', forged))
  assert.match(await read(), /Acme Calendar by Dan Test Allow/)
  assert.match(await read(registered.sandboxClientId), /Acme Calendar by Dan Test Allow/)
  assert.deepEqual((await app()).shownOwner, { name: 'Dan Test', organisation: null })
  // A change that needs no review does not publish the name either.
  const fewer = { ...calendarApp({ callbackUrls: [callbackUrl] }), scopes: ['user:read'] }
  await expectOk(dan.send('PUT', appPath(registered), fewer))
  assert.match(await read(), /Acme Calendar by Dan Test Allow/)

  // On resubmission the reviewer sees the changes and the claims of the name.
  const submitted = await expectOk(dan.send('POST', appPath(registered, '/submit')))
  assert.deepEqual([submitted.draftStatus, submitted.liveRevision, submitted.draftRevision], ['under_review', 1, 2])
  assert.match(await read(), /Acme Calendar by Dan Test Allow/)
  const review = await expectOk(reviewer.send('GET', reviewPath(registered)))
  assert.deepEqual(review.differences, [
    { field: 'owner', before: ['Dan Test'], after: [`${forged.name} ${forged.lname}`] },
  ])
  assert.deepEqual(
    review.checks.filter(({ field }: { field: string }) => field === 'owner'),
    [
      {
        check: 'owner_name',
        field: 'owner',
        result: 'noted',
        message: 'The developer’s name says that it is official, verified, or Parley’s own.',
      },
    ],
  )
  await expectOk(decide(reviewer, registered, 'rejected', misleading))
  assert.match(await read(), /Acme Calendar by Dan Test Allow/)

  // An honest name passes the review and is shown.
  await expectOk(dan.send('PUT', '/api/my_profile', { name: 'Daniel', lname: 'Test' }))
  await expectOk(dan.send('POST', appPath(registered, '/submit')))
  await expectOk(decide(reviewer, registered, 'approved'))
  assert.match(await read(), /Acme Calendar by Daniel Test Allow/)
})

test('shows the organisation as reviewed, too', async () => {
  const service = await startApp({ emails: 'dropped', environment })
  const reviewer = await signUp(service, 'Olga')
  const dora = await signUp(service, 'Dora', 'dora@acme.example')
  await permitAnywhere(service, dora)
  const registered = await approved(dora, reviewer, { callbackUrls: [callbackUrl] })
  const read = async () => {
    const asked = { client_id: registered.clientId, redirect_uri: callbackUrl, response_type: 'code' }
    return readingOf(await arrive(createPlainBrowser(service), reviewer, authorizeUrl(service, asked)))
  }
  assert.match(await read(), /by Dora Test Allow/)
  const { database } = service
  await database
    .updateTable('account')
    .set({ emailVerifiedAt: new Date() })
    .where('id', '=', dora.profile._id)
    .execute()
  assert.match(await read(), /by Dora Test Allow/)
  await expectOk(dora.send('POST', appPath(registered, '/submit')))
  const { differences } = await expectOk(reviewer.send('GET', reviewPath(registered)))
  assert.deepEqual(differences, [{ field: 'owner', before: ['Dora Test'], after: ['Dora Test', 'Acme'] }])
  await expectOk(decide(reviewer, registered, 'approved'))
  assert.match(await read(), /by Dora Test Organisation: Acme Allow/)
})

/** The operator cannot enable OAuth for another organisation's account. */
const permitAnywhere = ({ database }: TestApp, { profile }: Person) =>
  database.updateTable('account').set({ oauthEnabled: true }).where('id', '=', profile._id).execute()
