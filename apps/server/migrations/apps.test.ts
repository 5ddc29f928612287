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

test('earlier grants are for what their codes and tokens were for', async (t) => {
  const connection = { connectionString: await createEmptyDatabase(t) }
  const pool = createPool({ connection, maxConnections: 2, statementTimeoutMs: 10_000, log })
  const folder = await mkdtemp(join(tmpdir(), 'parley migrations '))
  try {
    const files = (await readdir(import.meta.dirname)).filter((name) => /^\d{4}-.*\.sql$/.test(name) && name < '0120')
    for (const name of files) await copyFile(join(import.meta.dirname, name), join(folder, name))
    await migrate(pool, folder, log)
    await pool.query(`insert into tenant (id, name, created_at) values ('${id(1)}', 'Default', now())`)
    for (const number of [10, 11, 12, 13, 14, 15]) {
      await pool.query(`insert into account
        (id, tenant_id, email, email_key, name, lname, settings, school_data, room_id, room_code,
         sealed_secrets, chat_id, chat_user_id, created_at, modified_at)
        values ('${id(number)}', '${id(1)}', '${number}@example.org', '${number}@example.org', 'A', 'B', '{}', '{}',
         gen_random_uuid(), '${number}', '', gen_random_uuid(), gen_random_uuid(), now(), now())`)
    }
    await pool.query(`insert into app (id, owner_id, status, client_id, sandbox_client_id, created_at, modified_at)
      values ('${id(20)}', '${id(10)}', 'approved', 'app_20', 'test_20', now(), now())`)
    await pool.query(`insert into app (id, registration, status, client_id, created_at, modified_at)
      values ('${id(21)}', 'dynamic', 'approved', 'app_21', now(), now())`)
    const grant = (number: number, person: number, app: number) =>
      pool.query(`insert into app_grant (id, account_id, app_id, sandbox, scopes, created_at, modified_at, expires_at)
        values ('${id(number)}', '${id(person)}', '${id(app)}', false, '{user:read,meeting:read,meeting:create}', now(), now(), now())`)
    const tokens = async (number: number, grantNumber: number, resource: string, scopes: string) => {
      await pool.query(`insert into token_family (id, grant_id, created_at, resource)
        values ('${id(number)}', '${id(grantNumber)}', now(), ${resource})`)
      await pool.query(`insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
        values ('\\x${number}', '${id(number)}', '${scopes}', now(), now())`)
    }
    await grant(30, 10, 20)
    await tokens(40, 30, 'null', '{meeting:read}')
    await grant(31, 11, 20)
    await tokens(41, 31, "'mcp'", '{meeting:read}')
    await grant(32, 12, 20)
    await tokens(42, 32, "'api'", '{user:read,meeting:read}')
    await tokens(43, 32, "'mcp'", '{meeting:read,meeting:create}')
    await grant(33, 13, 20)
    await grant(34, 14, 21)
    await grant(35, 15, 20)
    await pool.query(`insert into authorization_code
      (code_hash, grant_id, family_id, redirect_uri, scopes, created_at, expires_at, resource)
      values ('\\x50', '${id(35)}', '${id(50)}', 'https://a.example/', '{user:read}', now(), now(), 'mcp')`)

    await migrate(pool, import.meta.dirname, log)
    const { rows } = await pool.query(
      "select array_to_string(api_scopes, ' ') as api, array_to_string(mcp_scopes, ' ') as mcp from app_grant order by id",
    )
    const all = 'user:read meeting:read meeting:create'
    assert.deepEqual(rows, [
      { api: all, mcp: '' },
      { api: '', mcp: all },
      { api: 'user:read meeting:read', mcp: 'meeting:read meeting:create' },
      // Nothing is left of these: by who registered the app.
      { api: all, mcp: '' },
      { api: '', mcp: all },
      { api: '', mcp: all },
    ])
  } finally {
    await pool.end()
    await rm(folder, { recursive: true })
  }
})
