import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ environment: { TENANTS: 'acme.test=Acme' }, emails: 'dropped' })
const olga = await signUp(app, 'Olga')
const pathOf = ({ profile }: { profile: { _id: string } }) => `/api/admin/accounts/${profile._id}/delete`
const confirmed = { currentPassword: password }

test('an administrator deletes an account of their organisation, which is no longer listed', async () => {
  const [alice, mallory] = [await signUp(app, 'Alice'), await signUp(app, 'Mallory')]
  await expectProblem(mallory.send('POST', pathOf(alice), confirmed), 'administrator_required')
  await expectProblem(olga.send('POST', pathOf(alice), { currentPassword: 'wrong' }), 'wrong_credentials')
  await expectOk(olga.send('POST', pathOf(alice), confirmed))
  await expectProblem(alice.send('GET', '/api/my_profile'), 'unauthorized')
  await expectProblem(olga.send('POST', pathOf(alice), confirmed), 'account_not_found')
  // and is not enabled again
  await expectProblem(
    olga.send('PUT', `/api/admin/accounts/${alice.profile._id}`, { disabled: false }),
    'account_not_found',
  )
  const { body } = await olga.send('GET', '/api/admin/accounts')
  assert.deepEqual(
    body.accounts.map(({ name }: { name: string }) => name),
    ['Olga', 'Mallory'],
  )
})

test('answers not found for accounts of other organisations and for invalid ids', async () => {
  const wile = await signUp(app, 'Wile', 'wile@acme.test')
  await expectProblem(olga.send('POST', pathOf(wile), confirmed), 'account_not_found')
  await expectProblem(olga.send('POST', pathOf({ profile: { _id: 'nobody' } }), confirmed), 'account_not_found')
})

test('keeps one of two administrators who delete each other', async () => {
  const [dan, eve] = [await signUp(app, 'Dan', 'dan@acme.test'), await signUp(app, 'Eve', 'eve@acme.test')]
  const ids = [dan.profile._id, eve.profile._id]
  await app.database.updateTable('account').set({ administrator: true }).where('id', 'in', ids).execute()
  const answers = await Promise.all([
    dan.send('POST', pathOf(eve), confirmed),
    eve.send('POST', pathOf(dan), confirmed),
  ])
  const left = await app.database
    .selectFrom('account')
    .select('id')
    .where('id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  assert.equal(left.length, 1, JSON.stringify(answers.map(({ body }) => body)))
})
