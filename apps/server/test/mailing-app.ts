import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { Logger as GraphileLogger, runOnce, type TaskList } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Tables } from '../migrations/tables.ts'
import { createLinkMailTask, linkMailTask } from '../src/accounts/link-mail-job.ts'
import { createApp } from '../src/app.ts'
import type { Mail } from '../src/mail/mail.ts'
import { createSendMailTask, sendMailTask } from '../src/mail/mail-job.ts'
import { type Clock, systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { createDatabase, createPool } from '../src/platform/database.ts'
import { createLog } from '../src/platform/log.ts'
import { secureRandom } from '../src/platform/random.ts'
import { createSealedBox } from '../src/platform/sealed-box.ts'
import { publicAddress, type TestApp } from './start-app.ts'
import { createTestDatabase } from './test-database.ts'

export type MailingApp = TestApp & {
  pool: Pool
  /** Runs every job that waits, and hands out the mails that went out since it was last asked. */
  mails(): Promise<Mail[]>
}

/** The app with a mailbox in place of a mail server; jobs run when the test asks for mails. */
export async function startMailingApp({
  environment = {},
  clock = systemClock,
}: {
  environment?: Record<string, string>
  clock?: Clock
} = {}): Promise<MailingApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-app-'))
  const settings = { BASE_URL: publicAddress, DATA_DIR: dataDir, LOG_LEVEL: 'debug', EMAIL_VERIFICATION: 'required' }
  const read = readConfig({ ...settings, ...environment })
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  const { config } = read

  const logged: string[] = []
  const log = createLog({ level: config.logLevel, destination: { write: (line: string) => void logged.push(line) } })
  const testDatabase = await createTestDatabase()
  const { connection } = testDatabase
  const pool = createPool({ connection, maxConnections: 8, statementTimeoutMs: 10_000, log })
  const secretKey = secureRandom.bytes(32)
  const random = secureRandom
  const app = createApp({ config, secretKey, pool, clock, random, log, version: 'test' })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo

  // Apart from the app's, because two who name statements must not share a connection.
  const own = createPool({ connection, maxConnections: 4, statementTimeoutMs: 10_000, log })
  const database = createDatabase<Tables>(own)
  const sealedBox = createSealedBox(secretKey)
  const delivered: Mail[] = []
  const mailer = { deliver: async (mail: Mail) => void delivered.push(mail), close() {} }
  const taskList: TaskList = {
    [sendMailTask]: createSendMailTask({ mailer, sealedBox, baseUrl: config.baseUrl }),
    [linkMailTask]: createLinkMailTask({ database, clock, random, sealedBox, config }),
  }

  after(async () => {
    await app.close()
    await own.end()
    await pool.end()
    await testDatabase.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    ...{ base: `http://127.0.0.1:${port}`, config, database, logged, pool: own },
    async mails() {
      await runOnce({ pgPool: own, taskList, logger: new GraphileLogger(() => () => {}) })
      return delivered.splice(0)
    },
  }
}

/** The secret in the link of a mail. */
export const tokenIn = (mail: Mail | undefined): string =>
  /#(?:token|invitation)=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''
