import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createPool } from '../src/platform/database/database.ts'
import { createLog } from '../src/platform/log.ts'
import { dumpSchema } from '../test/postgres/dump-schema.ts'
import { createTestDatabase } from '../test/postgres/test-database.ts'
import { writeColumns } from '../test/postgres/write-columns.ts'

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

test('schema.sql and columns.ts equal the result of all migrations (UPDATE_SNAPSHOTS=1 writes them)', async () => {
  const { connection, drop } = await createTestDatabase()
  const log = createLog({ level: 'silent' })
  const pool = createPool({ connection, maxConnections: 1, statementTimeoutMs: 10_000, log })
  try {
    for (const [file, made] of [
      ['schema.sql', await dumpSchema(pool)],
      ['columns.ts', await writeColumns(pool)],
    ] as const) {
      if (process.env.UPDATE_SNAPSHOTS === '1') await writeFile(pathOf(file), made)
      assert.equal(await readFile(pathOf(file), 'utf8'), made)
    }
  } finally {
    await pool.end()
    await drop()
  }
})

test('migrations leave every table empty but the record of migrations, as a restore requires', async () => {
  const { connection, drop } = await createTestDatabase()
  const log = createLog({ level: 'silent' })
  const pool = createPool({ connection, maxConnections: 1, statementTimeoutMs: 10_000, log })
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public' order by tablename`,
    )
    const filled: string[] = []
    for (const { name } of tables) {
      const { rows } = await pool.query(`select exists (select from public.${name}) as filled`)
      if (rows[0].filled) filled.push(name)
    }
    assert.deepEqual(filled, ['schema_migration'])
  } finally {
    await pool.end()
    await drop()
  }
})
