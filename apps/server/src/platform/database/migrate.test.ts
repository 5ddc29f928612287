import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import type { Pool } from 'pg'
import { dumpSchema } from '../../../test/postgres/dump-schema.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/postgres/test-database.ts'
import { createLog } from '../log.ts'
import { StartProblem } from '../start-problem.ts'
import { createDatabase, createPool } from './database.ts'
import { migrate, readAppliedMigrations, requireCurrentSchema, withMigrationLock } from './migrate.ts'

const log = createLog({ level: 'silent' })
let database: TestDatabase
let folder = ''
let pools: Pool[] = []

before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley migrations '))
  await openPool().query('drop schema public cascade; create schema public')
})
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  pools = []
  await rm(folder, { recursive: true })
})

function openPool(maxConnections = 2): Pool {
  const pool = createPool({ connection: database.connection, maxConnections, statementTimeoutMs: 2_000, log })
  pools.push(pool)
  return pool
}

async function write(files: Record<string, string>) {
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)
}

const cities = {
  '0001-cities.sql': 'create table city (name text primary key);',
  '0002-some-cities.sql': "insert into city values ('Pune'); insert into city values ('Delhi');",
}

async function assertRefused(expected: RegExp) {
  await assert.rejects(migrate(openPool(), folder, log), (error) => {
    assert.ok(error instanceof StartProblem)
    assert.match(error.message, expected)
    return true
  })
}

const namesOf = async (pool: Pool) =>
  (await pool.query('select name from city order by name')).rows.map(({ name }) => name)

test('applies files in order, once', async () => {
  await write({ ...cities, 'schema.sql': 'this is not a migration', 'tables.ts': 'nor is this' })
  const pool = openPool()
  assert.deepEqual(await migrate(pool, folder, log), { applied: ['0001-cities.sql', '0002-some-cities.sql'] })
  assert.deepEqual(await migrate(pool, folder, log), { applied: [] })
  await write({ '0003-more.sql': "insert into city values ('Goa')" })
  assert.deepEqual(await migrate(pool, folder, log), { applied: ['0003-more.sql'] })
  assert.deepEqual(await namesOf(pool), ['Delhi', 'Goa', 'Pune'])
})

test('accepts an empty folder, and refuses a missing one', async () => {
  assert.deepEqual(await migrate(openPool(), folder, log), { applied: [] })
  await assert.rejects(migrate(openPool(), join(folder, 'missing'), log), /ENOENT/)
})

test('rolls back a failing file whole, keeps earlier ones, and continues there on the next run', async () => {
  await write({ ...cities, '0003-broken.sql': "insert into city values ('Goa'); insert into town values ('x')" })
  await assertRefused(/^The migration 0003-broken\.sql failed and was taken back: relation "town" does not exist\.$/)
  assert.deepEqual(await namesOf(openPool()), ['Delhi', 'Pune'])
  await write({ '0003-broken.sql': "insert into city values ('Goa')" })
  assert.deepEqual(await migrate(openPool(), folder, log), { applied: ['0003-broken.sql'] })
})

test('refuses an applied file that was changed, and runs nothing', async () => {
  await write(cities)
  await migrate(openPool(), folder, log)
  await write({
    '0001-cities.sql': 'create table city (name text);',
    '0003-more.sql': "insert into city values ('Goa')",
  })
  await assertRefused(/0001-cities\.sql is not the one that the database was made with/)
  assert.deepEqual(await namesOf(openPool()), ['Delhi', 'Pune'])
})

test('refuses a database that a newer Parley has migrated', async () => {
  await write(cities)
  await migrate(openPool(), folder, log)
  await rm(join(folder, '0002-some-cities.sql'))
  await assertRefused(/0002-some-cities\.sql, which this Parley does not know: it was written by a newer one/)
})

test('requires all migrations of a version for its commands, and says how far the database is', async () => {
  const pool = openPool()
  assert.equal(await readAppliedMigrations(pool), undefined)
  await assert.rejects(
    requireCurrentSchema(undefined, folder),
    /^StartProblem: The database has no tables of Parley yet/,
  )
  await write(cities)
  await migrate(pool, folder, log)
  const applied = await readAppliedMigrations(pool)
  await requireCurrentSchema(applied, folder)
  await write({ '0003-more.sql': 'select 1' })
  await assert.rejects(
    requireCurrentSchema(applied, folder),
    /The database is at 0002-some-cities\.sql, and this version of Parley has 1 migration more, up to 0003-more\.sql/,
  )
})

test('refuses the database of a development version', async () => {
  await write({ '0001-accounts.sql': 'create table city (name text)' })
  await migrate(openPool(), folder, log)
  await rm(join(folder, '0001-accounts.sql'))
  await write({ '0001-initial.sql': 'create table city (name text primary key)' })
  await assertRefused(/made by a development version of Parley, before 1\.0\.0, .* with an empty database/)
})

test('refuses a file that comes before an applied one', async () => {
  await write({ '0002-cities.sql': 'create table city (name text)' })
  await migrate(openPool(), folder, log)
  await write({
    '0001-early.sql': "insert into city values ('early')",
    '0003-late.sql': "insert into city values ('late')",
  })
  await assertRefused(/0001-early\.sql comes before one that the database has already/)
  assert.deepEqual(await namesOf(openPool()), [])
})

for (const name of [
  '1-cities.sql',
  '0001_cities.sql',
  '0001-Cities.sql',
  '0001-.sql',
  'cities.sql',
  '00011-cities.sql',
]) {
  test(`refuses a file named ${name}`, async () => {
    await write({ [name]: 'select 1' })
    await assertRefused(/is not named like 0001-initial\.sql/)
  })
}

test('refuses two files with one number', async () => {
  await write({ '0001-a.sql': 'select 1', '0001-b.sql': 'select 1' })
  await assertRefused(/^Two migrations have the number 0001\.$/)
})

test('a migration may take longer than a request', async () => {
  await write({ '0001-slow.sql': 'create table city (name text); select pg_sleep(3)' })
  assert.deepEqual(await migrate(openPool(), folder, log), { applied: ['0001-slow.sql'] })
})

test('of ten instances that start at once one migrates, and the others wait', async () => {
  await write({ ...cities, '0003-slow.sql': 'select pg_sleep(0.3)' })
  const results = await Promise.all(Array.from({ length: 10 }, () => migrate(openPool(1), folder, log)))
  const applied = results.map((result) => result.applied.length).toSorted()
  assert.deepEqual(applied, [0, 0, 0, 0, 0, 0, 0, 0, 0, 3])
})

test('lets the next instance continue after one that dies during a migration, on a consistent database', async () => {
  await write({ ...cities, '0003-endless.sql': "insert into city values ('half'); select pg_sleep(600)" })
  const admin = openPool()
  const dying = assert.rejects(migrate(openPool(), folder, log), StartProblem)
  for (;;) {
    const { rows } = await admin.query(
      "select pg_terminate_backend(pid) as ended from pg_stat_activity where query like '%pg_sleep(600)%' and pid <> pg_backend_pid()",
    )
    if (rows.length > 0) break
  }
  await dying
  await write({ '0003-endless.sql': "insert into city values ('whole')" })
  assert.deepEqual(await migrate(openPool(), folder, log), { applied: ['0003-endless.sql'] })
  assert.deepEqual(await namesOf(admin), ['Delhi', 'Pune', 'whole'])
})

test('waits for a table in use in short attempts, between which requests continue', async () => {
  await write(cities)
  await migrate(openPool(), folder, log)
  await write({ '0003-state.sql': 'alter table city add column state text' })
  const report = await openPool().connect()
  await report.query('begin')
  await report.query('select from city')

  const lines: string[] = []
  const destination = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) })
  const warnings = (): string[] => lines.filter((line) => line.includes('a migration waits for a table'))
  const migrating = migrate(openPool(), folder, createLog({ level: 'info', destination }))
  const requests = openPool()
  let answered = 0
  // Behind a statement that waits for its lock without end, each of these would exceed its limit of two seconds.
  while (warnings().length === 0)
    answered += (await requests.query('select from city where name = $1', ['Pune'])).rowCount ?? 0
  assert.ok(answered > 0, `${answered} requests were answered meanwhile`)
  await report.query('commit')
  report.release()
  assert.deepEqual(await migrating, { applied: ['0003-state.sql'] })
})

test('refuses to start when a table stays in use, and changes nothing', async () => {
  await write(cities)
  await migrate(openPool(), folder, log)
  await write({ '0003-state.sql': "insert into city values ('Goa'); alter table city add column state text" })
  const report = await openPool().connect()
  await report.query('begin')
  await report.query('select from city')
  await assert.rejects(migrate(openPool(), folder, log, { maxWaitMs: 0 }), (error) => {
    assert.ok(error instanceof StartProblem)
    assert.match(error.message, /^The migration 0003-state\.sql has waited \d+ s for a table .* and changed nothing\. /)
    return true
  })
  await report.query('commit')
  report.release()
  assert.deepEqual(await namesOf(openPool()), ['Delhi', 'Pune'])
})

test('releases the lock after failed work', async () => {
  const pool = openPool()
  await assert.rejects(
    withMigrationLock(pool, log, async () => {
      throw new Error('no')
    }),
    /^Error: no$/,
  )
  assert.equal(await withMigrationLock(pool, log, async () => 'in'), 'in')
})

test('the pool works after a migration, with its own limits and without old plans', async () => {
  await write(cities)
  const pool = openPool(1)
  const db = createDatabase<{ city: { name: string } }>(pool)
  await migrate(pool, folder, log)
  const readPune = () => db.selectFrom('city').selectAll().where('name', '=', 'Pune').execute()
  assert.deepEqual(await readPune(), [{ name: 'Pune' }])
  await write({ '0003-state.sql': "alter table city add column state text default 'MH'" })
  await migrate(pool, folder, log)
  assert.deepEqual(await readPune(), [{ name: 'Pune', state: 'MH' }])
  assert.equal((await pool.query('show statement_timeout')).rows[0]?.statement_timeout, '2s')
})

test('dumps the schema completely, and the same each time', async () => {
  await write({
    '0001-all.sql': `
      create function loud(text) returns text language sql immutable as $$ select upper($1) $$;
      create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
      create table city (
        id int generated always as identity primary key,
        name text not null default 'Pune' check (name <> ''),
        shout text generated always as (loud(name)) stored,
        gone int
      ) with (fillfactor = 70);
      alter table city drop column gone;
      create table "Road" (city_id int references city on delete cascade, "from" text, unique (city_id, "from"));
      create unique index road_by_start on "Road" (lower("from")) where "from" is not null;
      create trigger touched before update on city for each row execute function touch();`,
  })
  await migrate(openPool(), folder, log)
  await openPool().query('drop table schema_migration')
  const dump = await dumpSchema(openPool())
  assert.equal(dump, await dumpSchema(openPool()))
  assert.equal(
    dump,
    `CREATE OR REPLACE FUNCTION public.loud(text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$ select upper($1) $function$


CREATE OR REPLACE FUNCTION public.touch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin return new; end $function$


create table "Road" (
  city_id integer,
  "from" text,
  constraint "Road_city_id_fkey" FOREIGN KEY (city_id) REFERENCES city(id) ON DELETE CASCADE,
  constraint "Road_city_id_from_key" UNIQUE (city_id, "from")
);

CREATE UNIQUE INDEX road_by_start ON public."Road" USING btree (lower("from")) WHERE ("from" IS NOT NULL);

create table city (
  id integer not null generated always as identity,
  name text not null default 'Pune'::text,
  shout text generated always as (loud(name)) stored,
  constraint city_name_check CHECK ((name <> ''::text)),
  constraint city_pkey PRIMARY KEY (id)
) with (fillfactor=70);

CREATE TRIGGER touched BEFORE UPDATE ON public.city FOR EACH ROW EXECUTE FUNCTION touch();
`,
  )
})

test('dumps an empty schema as empty', async () => {
  assert.equal(await dumpSchema(openPool()), '\n')
})
