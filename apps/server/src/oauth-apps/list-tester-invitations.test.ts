import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appPath, done, meetDevelopers, refused, submit } from '../../test/oauth/apps.ts'
import type { Person } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { findInvitationRow, listInvitationRows } from './tester-store.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock })
const { olga, dan, eve, carol } = await meetDevelopers(app)

const invitationsOf = async (person: Person) =>
  (await done(person.send('GET', '/api/oauth2/tester-invitations'))).invitations

const answer = (person: Person, mine: { _id: string }, said: string) =>
  person.send('POST', `/api/oauth2/tester-invitations/${mine._id}`, { answer: said })

const invite = (mine: { _id: string }, ...testers: string[]) => dan.send('PUT', appPath(mine, '/testers'), { testers })
const addressees = async () => (await app.mails()).map(({ to }) => to).toSorted()

test('a suspended or deleted app invites no testers, and its earlier invitations are not shown', async () => {
  const mine = await submit(dan, { name: 'To be stopped' })
  const shown = async () =>
    (await invitationsOf(carol)).some(({ app: { _id } }: { app: { _id: string } }) => _id === mine._id)
  await done(invite(mine, carol.email))
  assert.equal(await shown(), true)
  await done(olga.send('POST', appPath(mine, '/suspend'), {}))
  assert.deepEqual(await addressees(), [carol.email, dan.email])
  assert.equal(await shown(), false)
  await refused(answer(carol, mine, 'accepted'), 404, 'tester_invitation_not_found')
  await done(invite(mine, carol.email, eve.email))
  assert.deepEqual(await addressees(), [])
  await done(olga.send('POST', appPath(mine, '/resume')))
  assert.deepEqual(await addressees(), [dan.email])
  assert.equal(await shown(), true)
  await done(dan.send('DELETE', appPath(mine)))
  assert.equal(await shown(), false)
})

test('shows an invitation to a verified address only, where addresses are verified', async () => {
  const strict = await startApp({ emails: 'dropped', environment: { EMAIL_VERIFICATION: 'off' } })
  const people = await meetDevelopers(strict)
  const mine = await submit(people.dan, { name: 'Strict' })
  const caller = { addressKey: people.carol.email }
  await done(people.dan.send('PUT', appPath(mine, '/testers'), { testers: [people.carol.email] }))
  for (const addressTrusted of [false, true]) {
    const found = await findInvitationRow(strict.database, mine._id, { ...caller, addressTrusted })
    assert.equal(found !== undefined, addressTrusted)
    assert.equal(
      (await listInvitationRows(strict.database, { ...caller, addressTrusted })).length,
      Number(addressTrusted),
    )
  }
})
