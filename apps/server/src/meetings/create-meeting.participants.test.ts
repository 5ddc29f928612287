import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { detailsPath, meetPeople, type Person, sendRequest, signUp, standUp } from '../../test/people.ts'
import { startApp, type TestApp } from '../../test/start-app.ts'

type Send = Person['send']
type Participant = Record<string, unknown> & { email: string }

const elsewhere = { TENANTS: 'elsewhere.example=Elsewhere' }
const withoutMail = await startApp({ emails: 'dropped', environment: elsewhere })
const withMail = await startApp({
  emails: 'dropped',
  environment: {
    ...elsewhere,
    SMTP_URL: 'smtp://mail.example.org',
    MAIL_FROM: 'parley@example.org',
    EMAIL_VERIFICATION: 'off',
  },
})

const services = await Promise.all(
  [withoutMail, withMail].map(async (service) => {
    const people = await meetPeople(service)
    const stranger = await signUp(service, 'Zoe', 'zoe@elsewhere.example')
    for (const { email, send } of Object.values(people)) {
      await send('PUT', '/api/my_profile', { phoneNo: `+49 ${email.length}` })
    }
    const app = await approvedApp(service, people.olga, { scopes: [...scopeNames] })
    const throughApp = async (person: Person): Promise<Send> => {
      const { access_token: token } = await tokensFor(service, app, person, { scopes: [...scopeNames] })
      const headers = { authorization: `Bearer ${token}` }
      return (method, path, body) => sendRequest(service, method, path, body, headers)
    }
    return { service, people: { ...people, stranger }, throughApp }
  }),
)
const [bare, mailed] = services as [(typeof services)[number], (typeof services)[number]]

/** The participants in every reply that a caller gets, which must agree. */
async function participantsFor(send: Send, meeting: { _id: string }): Promise<Participant[]> {
  const [read] = (await send('GET', detailsPath(meeting))).body
  const { meetingDetails } = (await send('GET', '/api/meeting/me?limit=200')).body
  const listed = meetingDetails.find(({ _id }: { _id: string }) => _id === meeting._id)
  const withoutImage = listed.participants.map(({ imageMeta, ...person }: Participant) => {
    assert.equal(imageMeta !== undefined, person.userId !== undefined, 'a picture of each known account')
    return person
  })
  assert.deepEqual(withoutImage, read.participants)
  return read.participants
}

const known = ({ email, profile }: Person, phoneNo: string) => ({
  email,
  userId: profile._id,
  name: profile.name,
  lname: 'Test',
  phoneNo,
})
const invited = ({ bob, carol, stranger }: (typeof bare)['people']) => ({
  participants: [bob.email, carol.email, stranger.email, 'dan@example.org'],
  cohosts: [carol.email],
})

async function verify({ database }: TestApp, person: Person) {
  await database
    .updateTable('account')
    .set({ emailVerifiedAt: new Date() })
    .where('id', '=', person.profile._id)
    .execute()
}

test('without mail, sessions and apps see accounts of their organisation, and numbers that are not theirs are empty', async () => {
  const { people, throughApp } = bare
  const { alice, bob, carol, stranger } = people
  const others = [{ email: stranger.email }, { email: 'dan@example.org' }]
  const ofBob = `+49 ${bob.email.length}`
  const ofCarol = `+49 ${carol.email.length}`
  const all = [known(bob, ofBob), known(carol, ofCarol), ...others]
  for (const send of [alice.send, await throughApp(alice)]) {
    const created = await send('POST', '/api/meeting', standUp(invited(people)))
    assert.deepEqual(created.body.meetingDetails.participants, all)
    const { meetingDetails: meeting } = created.body
    const updated = await send('PUT', detailsPath(meeting), standUp(invited(people)))
    assert.deepEqual(updated.body.participants, all)
    for (const host of [send, carol.send]) assert.deepEqual(await participantsFor(host, meeting), all)
    for (const guest of [bob.send, await throughApp(bob)]) {
      const seen = [known(bob, ofBob), known(carol, ''), ...others]
      assert.deepEqual(await participantsFor(guest, meeting), seen)
    }
    // To a person of another organisation, an address does not tell that it has an account.
    const [ofBobAlone, ofCarolAlone, own, dan] = await participantsFor(stranger.send, meeting)
    assert.deepEqual([ofBobAlone, ofCarolAlone], [{ email: bob.email }, { email: carol.email }])
    assert.deepEqual([own?.userId, dan], [stranger.profile._id, { email: 'dan@example.org' }])
  }
})

test('with mail, only accounts behind verified addresses are shown, to sessions and apps alike', async () => {
  const { people, service, throughApp } = mailed
  const { alice, bob, carol } = people
  await verify(service, carol)
  for (const send of [alice.send, await throughApp(alice)]) {
    const { meetingDetails: meeting } = (await send('POST', '/api/meeting', standUp(invited(people)))).body
    const seen = (await participantsFor(send, meeting)).slice(0, 2)
    assert.deepEqual(seen, [{ email: bob.email }, known(carol, `+49 ${carol.email.length}`)])
    assert.deepEqual(meeting.participants.slice(0, 2), seen)
  }
})
