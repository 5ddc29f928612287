import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPool } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createLog } from '../src/platform/log.ts'
import { createEmptyDatabase } from '../test/postgres/empty-database.ts'

const log = createLog({ level: 'silent' })
const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

test('testers of earlier apps are accepted or pending by their grants, and earlier revisions get their owner’s name and tenant', async (t) => {
  const connection = { connectionString: await createEmptyDatabase(t) }
  const pool = createPool({ connection, maxConnections: 2, statementTimeoutMs: 10_000, log })
  const folder = await mkdtemp(join(tmpdir(), 'parley migrations '))
  try {
    const files = (await readdir(import.meta.dirname)).filter((name) => /^\d{4}-.*\.sql$/.test(name) && name < '0060')
    for (const name of files) await copyFile(join(import.meta.dirname, name), join(folder, name))
    await migrate(pool, folder, log)
    await pool.query(
      `insert into tenant (id, name, created_at) values ('${id(1)}', 'Default', now()), ('${id(2)}', 'Acme', now())`,
    )
    const account = (number: number, tenant: number, name: string, verified: boolean) => `insert into account
      (id, tenant_id, email, email_key, email_verified_at, name, lname, settings, school_data, room_id, room_code,
       sealed_secrets, chat_id, chat_user_id, created_at, modified_at)
      values ('${id(number)}', '${id(tenant)}', '${name}@example.org', '${name}@example.org', ${verified ? 'now()' : 'null'},
       '${name}', 'Test', '{}', '{}', gen_random_uuid(), '${name}', '', gen_random_uuid(), gen_random_uuid(), now(), now())`
    await pool.query(account(10, 2, 'dan', true))
    await pool.query(account(11, 2, 'eve', false))
    await pool.query(account(12, 1, 'carol', true))
    await pool.query(account(13, 1, 'bob', true))
    for (const [app, owner] of [
      [20, 10],
      [21, 11],
      [22, 12],
    ] as const) {
      await pool.query(`insert into app (id, owner_id, status, sandbox_client_id, live_revision, created_at, modified_at)
        values ('${id(app)}', '${id(owner)}', 'approved', 'test_${app}', 1, now(), now())`)
      await pool.query(`insert into app_revision (app_id, number, name, name_key, homepage_url, policy_url, logo_url, use_case,
        description, callback_urls, scopes, require_pkce, send_iss, created_at)
        values ('${id(app)}', 1, 'App ${app}', 'app${app}', '', '', '', 'other', '', '{}', '{}', false, true, now())`)
    }
    for (const tester of ['carol', 'bob', 'eve', 'stranger']) {
      await pool.query(`insert into app_tester values ('${id(20)}', '${tester}@example.org', '${tester}@example.org')`)
    }
    const grant = (number: number, person: number, sandbox: boolean, revoked: boolean) => `insert into app_grant
      (id, account_id, app_id, sandbox, scopes, created_at, modified_at, expires_at, revoked_at)
      values ('${id(number)}', '${id(person)}', '${id(20)}', ${sandbox}, '{}', now(), now(), now(), ${revoked ? 'now()' : 'null'})`
    await pool.query(grant(30, 12, true, false))
    await pool.query(grant(31, 13, true, true))
    await pool.query(grant(32, 11, false, false))

    await migrate(pool, import.meta.dirname, log)
    const testers = await pool.query(
      'select email, state, answered_at is not null as answered from app_tester order by email',
    )
    assert.deepEqual(testers.rows, [
      { email: 'bob@example.org', state: 'pending', answered: false },
      // A live sandbox grant counts as acceptance: she has consented to more than testing.
      { email: 'carol@example.org', state: 'accepted', answered: true },
      { email: 'eve@example.org', state: 'pending', answered: false },
      { email: 'stranger@example.org', state: 'pending', answered: false },
    ])
    const owners = await pool.query(
      'select owner_name, owner_organisation, name_keys_version from app_revision order by app_id',
    )
    assert.deepEqual(owners.rows, [
      { owner_name: 'dan Test', owner_organisation: 'Acme', name_keys_version: 0 },
      { owner_name: 'eve Test', owner_organisation: null, name_keys_version: 0 },
      { owner_name: 'carol Test', owner_organisation: null, name_keys_version: 0 },
    ])
  } finally {
    await pool.end()
    await rm(folder, { recursive: true })
  }
})
