import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectAnswer } from '../../test/one-connection.ts'
import { runParley } from '../../test/processes/run-parley.ts'
import { dataFolderOf, runService } from '../../test/processes/run-service.ts'
import { noTables } from '../platform/database/schema-version.ts'

const newPassword = 'a wholly new passphrase'

test('admin create makes the first administrator, who chooses a password by the printed link', async (t) => {
  const environment = { DATA_DIR: await dataFolderOf(t) }
  const early = await runParley(t, environment, 'admin', 'create', 'Olga@example.org')
  assert.deepEqual([early.code, early.output], [1, noTables])
  const { base } = await runService(t, { environment })
  const made = await runParley(t, environment, 'admin', 'create', 'Olga@example.org')
  assert.equal(made.code, 0, made.output)
  assert.match(made.output, /^Olga@example\.org has an account, and is an administrator and reviewer\.$/m)
  const token = /^http:\/\/parley\.localhost\/reset-password#token=(rst_\w{49})$/m.exec(made.output)?.[1]

  const common = { token, newPassword: 'changeme' }
  await expectAnswer(base, 400, 'POST', '/api/auth/password-reset', { body: common })
  await expectAnswer(base, 200, 'POST', '/api/auth/password-reset', { body: { token, newPassword } })
  const body = { email: 'olga@example.org', password: newPassword }
  const { user, token: session } = (await expectAnswer(base, 200, 'POST', '/api/auth/sign-in', { body })).body
  assert.deepEqual(user.roleIds, ['administrator', 'reviewer'])
  const { entries } = (await expectAnswer(base, 200, 'GET', '/api/admin/audit-log', { token: session })).body
  const byOperator = entries.filter(({ operator }: { operator: boolean }) => operator)
  assert.deepEqual(
    byOperator.map(({ action, actor }: { action: string; actor: unknown }) => [action, actor]),
    [['account.created', null]],
  )
  const { entries: own } = (await expectAnswer(base, 200, 'GET', '/api/auth/security-log', { token: session })).body
  const authors = own.map(({ action, by }: { action: string; by: string }) => `${action} ${by}`)
  assert.ok(authors.includes('account.created organisation'), authors.join())
})
