import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { anyCharacter } from '../../../test/helpers/random-characters.ts'
import { createPool } from '../src/platform/database/database.ts'
import { createLog } from '../src/platform/log.ts'
import { dumpSchema } from '../test/postgres/dump-schema.ts'
import { createTestDatabase } from '../test/postgres/test-database.ts'
import { writeColumns } from '../test/postgres/write-columns.ts'

/** SHA-256 of each migration that has landed, as databases have recorded it. A new migration adds a line. */
const landed: Readonly<Record<string, string>> = {
  '0001-initial.sql': '96747dd942105dc6c653196455c157c893de71bff2d5aada8a344f8b33f4327c',
  '0002-location.sql': 'bb83e35d0216496bcc4cbe9312744b00032883be2ea0cdbe4f17b69d36d88571',
  '0003-time-format.sql': '17fdb61307f23b8ee66d57a263f9fd1f050de04dcbd7bdfce6105821fa8dc15b',
  '0004-location-bytes.sql': 'e15ce4934945793682e143321f508c6d3a50cd060510474bd21c62296093acf3',
  '0005-answer-requests.sql': 'e78e4d322612e018ed14b82987929b8e02e9825818c0d8b693aaa28675484e87',
  '0006-invitation-id.sql': 'daa26f9339ef57ae469630f90f103d9a8bafa506aab54b512e266b6cd224684d',
  '0007-last-seen.sql': 'b11ba007f9573d616e7ecde05d0889856e11dc05cff2bbfccfad3a01ff8873aa',
  '0008-contacts.sql': '1aa590e92af8fdaa0c5d37eefaf22fa4b52a6a793c6ccb3eb52458bde84863f8',
  '0009-guest-messages.sql': '0918f4c2fb59e28b8cd11c0562abde9ba31a0b39ef14cdb8e01188b085d518d8',
  '0010-person-words.sql': '56e1c14d27c153678d1b052c22affee6ed7c3cd83b6a3e8e2ddcc1b9ee738d47',
  '0011-meeting-defaults.sql': '2b6bc082f970b2554217b9ce11e49fa1f32387da83c1dbf5659832c7ee03db87',
  '0012-notifications.sql': '05daa45100da9b02521ab2afc022cd5f6036bf40bf9bda57af9d9f016cab23b0',
  '0013-message-times.sql': 'b751511dd3e6c6e0eadf8b94b94b4aee9b48ab034f33fe91ef3e9e75c821e3fa',
  '0014-first-call.sql': 'd1d87e8eb3395d22dfb59c9c778bee96becb7263d9cb706c0eea8d99ef5d96ab',
  '0015-start-checks.sql': '4050cf1de7fb052d825455fceeb4c0cc8946126e5acbdfcda4ecffd9cb040110',
  '0016-organisation.sql': 'b96f8c2e4bde6ea053bf942329b8d65c51e17622f7a3ee5890596d90babd795d',
  '0017-guest-names.sql': 'd263dc032e8c2bc8946f81c645f7c91908b98fbfa61745a4c559f73addcd9251',
  '0018-push.sql': 'aa8998cc5b19d110472ae33cb5a7a4387dc8b9d94785d9dee6a6450e50096bf8',
  '0019-meeting-templates.sql': 'd76c47d166b8b6fea2539ca78efe5d790efc6741a5263f7091dc47cc9d38c87b',
  '0020-meeting-colours.sql': 'b58735d6511f46f2cd15d3545ba8c2c00a66dc1bcfa769c3429630cf2463b155',
  '0021-room-rights.sql': 'a77c8a867dde334b7a06441386d9f431920248d55159970561480c4b11e3762c',
  '0022-cancelled-meetings.sql': 'da280de7448250d2317a612564943e60e056916b71ae0eef831ae6dcdb965fcd',
  '0023-calls.sql': '971ba4817ba353dd93f9340646db782a7f30df6dd23f1ee01871c6d78802836e',
  '0024-embed-origins.sql': '3b438638584cca6b4dfeb77011d8f7b1b5c28591278948b91d630c92bdcc7c09',
  '0025-photos.sql': '5d1384159d7399fad4346acdfa19a33bf27de510a9eb098172d033212eb67eec',
  '0026-embed-tickets.sql': '8f4e98dbbe14ba46c03a86a65261017b252be997d5b12a60384a42f74eb0cde4',
  '0027-breakout-rooms.sql': '42555ff0fe827e6a94ccf1619f0172c734569abb8bacac214e7c99ed6d210b3b',
}

/** Open a database with the schema for one test. */
async function openSchema(t: TestContext) {
  const { connection, drop } = await createTestDatabase()
  const log = createLog({ level: 'silent' })
  const pool = createPool({ connection, maxConnections: 1, statementTimeoutMs: 10_000, log })
  t.after(async () => {
    await pool.end()
    await drop()
  })
  return pool
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

test('no migration that has landed is changed: databases that have recorded another text refuse to start', async () => {
  const files = (await readdir(pathOf('.'))).filter((file) => /^\d{4}-.*\.sql$/.test(file)).sort()
  const entries = await Promise.all(
    files.map(async (file) => [
      file,
      createHash('sha256')
        .update(await readFile(pathOf(file)))
        .digest('hex'),
    ]),
  )
  assert.deepEqual(Object.fromEntries(entries), landed)
})

test('schema.sql and columns.ts equal the result of all migrations (UPDATE_SNAPSHOTS=1 writes them)', async (t) => {
  const pool = await openSchema(t)
  for (const [file, made] of [
    ['schema.sql', await dumpSchema(pool)],
    ['columns.ts', await writeColumns(pool)],
  ] as const) {
    if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(pathOf(file), made)
    assert.equal(await readFile(pathOf(file), 'utf8'), made)
  }
})

test('migrations leave every table empty but the record of migrations, as a restore requires', async (t) => {
  const pool = await openSchema(t)
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  const filled: string[] = []
  for (const { name } of tables) {
    const { rows } = await pool.query(`select exists (select from public.${name}) as filled`)
    if (rows[0].filled) filled.push(name)
  }
  assert.deepEqual(filled, ['schema_migration'])
})

const hostile = [
  ...['', ' ', '  \t\n ', 'a', 'A'.repeat(64), 'A'.repeat(65), `${'é'.repeat(64)}x`, 'ﷺ'.repeat(40), '😀'.repeat(65)],
  ...[
    '\u0301',
    'Jose\u0301',
    'İstanbul',
    'ΝΙΚΟΣ',
    'Straße',
    '\u00a0x\u2003y\u3000z',
    '<>()",;',
    `O'Neil \\ "x"`,
    '::*&|!',
  ],
  ...['a.b-c_d+e', '...', 'one one ONE', '00000000-0000-0000-0000-000000000000', '\u200b\ufeff', 'ﬁne ①'],
]

/** Migration 0010 replaces a function on which a stored column and an index of 0008 depend, and rewrites neither. */
test('the words of migration 0010 are those of 0008, so that what was stored before is right', async (t) => {
  const pool = await openSchema(t)
  const text = await readFile(pathOf('0008-contacts.sql'), 'utf8')
  const [statement] = text.slice(text.indexOf('create function')).split(/;\n\n/)
  assert.ok(statement)
  await pool.query(statement.replace('person_words', 'former_words'))
  const names = [...hostile, ...fc.sample(fc.string({ unit: anyCharacter, maxLength: 140 }), 2_000)].map((name) =>
    name.replaceAll('\0', ''),
  )
  const keys = [...hostile, ...names.slice(hostile.length)].toReversed()
  const { rows } = await pool.query(
    `select name, key from unnest($1::text[], $2::text[]) as one (name, key), gen_random_uuid() as id
      where coalesce(former_words(id, name, key), '') is distinct from person_words(id, name, key)`,
    [names, keys],
  )
  assert.deepEqual(rows, [])
})
