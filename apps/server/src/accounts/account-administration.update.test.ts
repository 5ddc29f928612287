import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Person, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const pathOf = ({ profile }: Person) => `/api/admin/accounts/${profile._id}`
const app = await startApp({ environment: { TENANTS: 'acme.test=Acme' } })
const olga = await signUp(app, 'Olga')

test('grants and removes roles, with effect on the next request', async () => {
  const alice = await signUp(app, 'Alice')
  const given = await expectOk(olga.send('PUT', pathOf(alice), { admin: true, reviewer: true, oauthEnabled: true }))
  const { admin, reviewer, oauthEnabled, disabled } = given
  assert.deepEqual(
    { admin, reviewer, oauthEnabled, disabled },
    {
      admin: true,
      reviewer: true,
      oauthEnabled: true,
      disabled: false,
    },
  )
  await expectOk(alice.send('GET', '/api/admin/accounts'))
  assert.deepEqual((await alice.send('GET', '/api/my_profile')).body.roleIds, ['administrator', 'reviewer'])
  const taken = await olga.send('PUT', pathOf(alice), { admin: false })
  assert.deepEqual([taken.body.admin, taken.body.reviewer], [false, true])
  await expectProblem(alice.send('GET', '/api/admin/accounts'), 'administrator_required')
})

test('audits each change with both values and its administrator, and no unchanged value', async () => {
  const bob = await signUp(app, 'Bob')
  await olga.send('PUT', pathOf(bob), { reviewer: true, admin: false })
  await olga.send('PUT', pathOf(bob), { reviewer: true })
  await olga.send('PUT', pathOf(bob), {})
  const { rows } = await sql
    .raw(`select actor_id, action, detail, address from audit_entry
      where subject_id = '${bob.profile._id}' and action = 'account.updated'`)
    .execute(app.database)
  assert.deepEqual(rows, [
    {
      actorId: olga.profile._id,
      action: 'account.updated',
      detail: { reviewer: { before: false, after: true } },
      address: '127.0.0.1',
    },
  ])
})

test('disabling ends every session and token at once, and enabling restores none', async () => {
  const carol = await signUp(app, 'Carol')
  await carol.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['user:read'] })
  assert.equal((await olga.send('PUT', pathOf(carol), { disabled: true })).body.disabled, true)
  await expectProblem(carol.send('GET', '/api/my_profile'), 'unauthorized')
  assert.equal((await olga.send('PUT', pathOf(carol), { disabled: false })).body.disabled, false)
  await expectProblem(carol.send('GET', '/api/my_profile'), 'unauthorized')
})

test('refuses to remove the last administrator', async () => {
  const alone = await startApp()
  const root = await signUp(alone, 'Root')
  const dave = await signUp(alone, 'Dave')
  for (const change of [{ admin: false }, { disabled: true }, { admin: false, disabled: true }]) {
    await expectProblem(root.send('PUT', pathOf(root), change), 'last_administrator')
  }
  await root.send('PUT', pathOf(dave), { admin: true, disabled: true })
  // one who is disabled does not count
  await expectProblem(root.send('PUT', pathOf(root), { admin: false }), 'last_administrator')
  await root.send('PUT', pathOf(dave), { disabled: false })
  await expectOk(root.send('PUT', pathOf(root), { admin: false }))
})

test('keeps one administrator when two remove the role from each other at once', async () => {
  const pair = await startApp()
  const one = await signUp(pair, 'One')
  const other = await signUp(pair, 'Other')
  for (let round = 0; round < 5; round++) {
    await one.send('PUT', pathOf(other), { admin: true })
    const answers = await Promise.all([
      one.send('PUT', pathOf(other), { admin: false }),
      other.send('PUT', pathOf(one), { admin: false }),
    ])
    const { rows } = await sql.raw('select id from account where administrator').execute(pair.database)
    assert.equal(rows.length, 1, answers.map(({ status }) => status).join())
    await sql.raw(`update account set administrator = (id = '${one.profile._id}')`).execute(pair.database)
  }
})

test('answers not found for another organisation’s account, and for an invalid id', async () => {
  const wile = await signUp(app, 'Wile', 'wile@acme.test')
  const noOne = wile.profile._id.replace(/.{4}$/, '0000')
  for (const id of [wile.profile._id, noOne, 'me', '1', 'x'.repeat(200), '%00', '..%2f']) {
    await expectProblem(olga.send('PUT', `/api/admin/accounts/${id}`, { disabled: true }), 'account_not_found')
  }
  await expectOk(wile.send('GET', '/api/my_profile'))
})

test('accepts only booleans, and reports all violations at once', async () => {
  await expectProblem(
    olga.send('PUT', pathOf(olga), { admin: 'yes', reviewer: 1, oauthEnabled: null, disabled: [] }),
    'invalid_request',
    ['/admin', '/disabled', '/oauthEnabled', '/reviewer'].map((field) => `${field} wrong_type`),
  )
})

test('allows only administrators', async () => {
  const erin = await signUp(app, 'Erin')
  await expectProblem(erin.send('PUT', pathOf(erin), { admin: true }), 'administrator_required')
})
