import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from './test-database.ts'

/** Create an empty database as an operator would and return its DATABASE_URL. It is dropped with the test. */
export async function createEmptyDatabase(t: TestContext): Promise<string> {
  // Connect through another database: on the server that all test files share, or one that this process starts.
  const neighbour = await createTestDatabase()
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client(neighbour.connection)
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name} template template0`)
  t.after(async () => {
    await run(`drop database if exists ${name} with (force)`)
    await neighbour.drop()
  })
  const url = new URL(neighbour.url)
  url.pathname = name
  return url.href
}
