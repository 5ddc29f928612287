import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { expectAnswer } from '../../apps/server/test/one-connection.ts'
import { dataFolderOf, runService } from '../../apps/server/test/processes/run-service.ts'
import { signUp } from '../../apps/server/test/processes/service-people.ts'
import { freePorts } from '../helpers/free-port.ts'

/** Point-in-time recovery as in docs/maintenance.md, with its settings, on Debian's PostgreSQL. */

const run = promisify(execFile)
const [bin = ''] = globSync('/usr/lib/postgresql/*/bin').toSorted().reverse()
assert.notEqual(bin, '', 'There is no PostgreSQL of Debian here: apt-get install postgresql')

/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0
const asPostgres = (program: string, words: readonly string[]) =>
  isRoot ? run('runuser', ['-u', 'postgres', '--', join(bin, program), ...words]) : run(join(bin, program), words)
const idOf = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout)

const folder = await mkdtemp(join(tmpdir(), 'parley-recovery-'))
const [main, base, archive] = ['main', 'base', 'archive'].map((name) => join(folder, name)) as [string, string, string]
const [port = 0] = await freePorts(1)
const url = `postgres://postgres@127.0.0.1:${port}/postgres`
const running = new Set<string>()
after(async () => {
  for (const cluster of running) await stop(cluster, 'immediate')
  await rm(folder, { recursive: true, force: true })
})

async function start(cluster: string) {
  await asPostgres('pg_ctl', ['-D', cluster, '-l', join(folder, 'log'), '-w', '-o', `-p ${port}`, 'start'])
  running.add(cluster)
}

async function stop(cluster: string, mode: 'fast' | 'immediate') {
  running.delete(cluster)
  await asPostgres('pg_ctl', ['-D', cluster, '-m', mode, '-w', 'stop'])
}

/** A block of the guide, with its folders and its time replaced by those of this test. */
async function settingsOfGuide(heading: string, changes: Record<string, string>): Promise<string> {
  const guide = await readFile(new URL('../../docs/maintenance.md', import.meta.url), 'utf8')
  const [, block] = new RegExp(`# ${heading}\n([\\s\\S]*?)\`\`\``).exec(guide) ?? []
  assert.ok(block !== undefined, heading)
  return Object.entries(changes).reduce((text, [from, to]) => text.replaceAll(from, to), block)
}

test('recovery to a point in time restores everything acknowledged before it, and nothing after it', async (t) => {
  await chmod(folder, 0o755)
  await mkdir(archive)
  if (isRoot) for (const path of [folder, archive]) await chown(path, await idOf('-u'), await idOf('-g'))
  await asPostgres('initdb', ['-D', main, '--auth=trust', '--encoding=UTF8', '--locale=C', '-U', 'postgres'])
  const archiving = await settingsOfGuide('postgresql.conf', { '/var/lib/postgresql/archive': archive })
  await appendFile(
    join(main, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\n${archiving}`,
  )
  await start(main)

  const environment = { DATABASE_URL: url, SECRET_KEY: '0f'.repeat(32), DATA_DIR: await dataFolderOf(t) }
  const service = await runService(t, { environment })
  const olga = await signUp(service.base, 'Olga')
  const before = [await olga.schedule()]
  await asPostgres('pg_basebackup', ['-d', url, '-D', base, '-X', 'stream', '-c', 'fast'])
  for (let count = 0; count < 50; count++) before.push(await olga.schedule())

  const client = new pg.Client(url)
  await client.connect()
  const moment = (await client.query<{ now: string }>('select clock_timestamp()::text as now')).rows[0]?.now ?? ''
  const later = await olga.schedule()
  // The mistake that the recovery undoes.
  await client.query('delete from participant; truncate meeting cascade')
  const { rows } = await client.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
  const isArchived = async () =>
    (await client.query('select 1 from pg_stat_archiver where last_archived_wal >= $1', [rows[0]?.name])).rowCount === 1
  while (!(await isArchived())) await sleep(50)
  await client.end()
  service.signal('SIGTERM')
  await service.ended
  await stop(main, 'immediate')

  const recovering = await settingsOfGuide('postgresql.auto.conf', {
    '/var/lib/postgresql/archive': archive,
    '2026-11-22 14:31:07+00': moment,
  })
  await appendFile(join(base, 'postgresql.auto.conf'), recovering)
  await (isRoot
    ? run('runuser', ['-u', 'postgres', '--', 'touch', join(base, 'recovery.signal')])
    : run('touch', [join(base, 'recovery.signal')]))
  await start(base)
  const restored = new pg.Client(url)
  await restored.connect()
  const isDone = async () => !(await restored.query('select pg_is_in_recovery() as on')).rows[0]?.on
  while (!(await isDone())) await sleep(50)
  await restored.end()

  const again = await runService(t, { environment })
  const read = (meeting: { _id: string }, status: number) =>
    expectAnswer(again.base, status, 'GET', `/api/meeting/meetingDetails/${meeting._id}`, { token: olga.token })
  for (const meeting of before) await read(meeting, 200)
  await read(later, 404)
})
