import assert from 'node:assert/strict'
import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import {
  isRoot,
  query,
  startParley,
  temporaryFolder,
  tryParley,
  withPostgres,
} from '../../../test/postgres/embedded-postgres.ts'

// Only root can be root, and become others. Tests of a plain user are in embedded-postgres.story.ts.
if (!isRoot || process.platform !== 'linux') {
  console.error('NOT TESTED: how PostgreSQL runs when Parley is root. Run these tests as root on Linux.')
}
const asRoot = (story: string, report: (t: TestContext) => Promise<void>) => {
  if (isRoot && process.platform === 'linux') test(story, report)
}

const rootUid = 0
const unprivilegedUid = 65534
const plainUser = ['setpriv', `--reuid=${unprivilegedUid}`, `--regid=${unprivilegedUid}`, '--clear-groups']

/** An `unshare` that fails as it does where namespaces are refused, for example in a container. */
async function withoutNamespaces(t: TestContext) {
  const folder = await temporaryFolder(t)
  const script = '#!/bin/sh\necho "unshare: unshare failed: Operation not permitted" >&2\nexit 1\n'
  await writeFile(join(folder, 'unshare'), script, { mode: 0o755 })
  return { ...process.env, PATH: `${folder}:${process.env.PATH}` }
}

async function ownersIn(folder: string): Promise<number[]> {
  const paths = (await readdir(folder, { recursive: true })).map((name) => join(folder, name))
  const owners = await Promise.all([folder, ...paths].map(async (path) => (await stat(path)).uid))
  return [...new Set(owners)]
}

async function useOnce(t: TestContext, dataDir: string, way: Parameters<typeof startParley>[2] = {}) {
  const parley = await startParley(t, dataDir, way)
  await query(parley.connection, 'CREATE TABLE IF NOT EXISTS note ()')
  assert.match(await parley.end('SIGTERM'), /stopped$/)
}

asRoot('as root it runs in a user namespace, also where only root may enter, and the files are root’s', async (t) => {
  const closed = join(await temporaryFolder(t), 'closed')
  await mkdir(closed, { mode: 0o700 })
  const dataDir = join(closed, 'data')
  await withPostgres(dataDir, ({ connection }) => query(connection, 'SELECT 1'))
  assert.deepEqual(await ownersIn(dataDir), [rootUid])
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700)
})

asRoot('where namespaces are refused it runs under an unprivileged user, who may pass but not list', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'data')
  await useOnce(t, dataDir, { env: await withoutNamespaces(t) })
  const [owner, ...others] = await ownersIn(join(dataDir, 'postgres'))
  assert.ok(owner !== rootUid && others.length === 0)
  assert.equal((await stat(dataDir)).uid, rootUid)
  assert.equal((await stat(dataDir)).mode & 0o777, 0o710)
  assert.equal((await stat(join(dataDir, 'parley.lock'))).mode & 0o777, 0o600)

  await useOnce(t, dataDir)
  assert.deepEqual(await ownersIn(join(dataDir, 'postgres')), [owner], 'keeps its owner where namespaces work')
})

asRoot('a database made in a namespace goes to the unprivileged user when namespaces are refused later', async (t) => {
  const dataDir = join(await temporaryFolder(t), 'data')
  await useOnce(t, dataDir)
  await useOnce(t, dataDir, { env: await withoutNamespaces(t) })
  assert.ok(!(await ownersIn(join(dataDir, 'postgres'))).includes(rootUid))
})

asRoot('says what to do where namespaces are refused and only root may enter', async (t) => {
  const closed = join(await temporaryFolder(t), 'closed')
  await mkdir(closed, { mode: 0o700 })
  const sentence = String(await tryParley(t, join(closed, 'data'), { env: await withoutNamespaces(t) }))
  assert.match(sentence, /^PostgreSQL does not run as root\. .*Operation not permitted.*Start Parley as a plain user/s)
  assert.ok(sentence.includes(`${closed}/data`))
})

asRoot('works in a container’s usual rights, and says what to do where root has none at all', async (t) => {
  const env = await withoutNamespaces(t)
  const dataDir = join(await temporaryFolder(t), 'data')
  const usual = 'chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,sys_chroot,mknod,setfcap'
  await useOnce(t, dataDir, { env, by: ['setpriv', `--bounding-set=-all,+${usual.replaceAll(',', ',+')}`] })

  const bare = join(await temporaryFolder(t), 'data')
  const sentence = String(await tryParley(t, bare, { env, by: ['setpriv', '--bounding-set=-all'] }))
  assert.match(sentence, /^PostgreSQL does not run as root\. .*Start Parley as a plain user/)
})

asRoot('a plain user runs it directly, and root goes on as that user', async (t) => {
  const home = await temporaryFolder(t)
  await chown(home, unprivilegedUid, unprivilegedUid)
  const dataDir = join(home, 'data')
  await useOnce(t, dataDir, { by: plainUser })
  assert.deepEqual(await ownersIn(dataDir), [unprivilegedUid])
  await useOnce(t, dataDir)
  assert.deepEqual(await ownersIn(join(dataDir, 'postgres')), [unprivilegedUid])
  await useOnce(t, dataDir, { by: plainUser })
})

asRoot('a user without a name runs it in a namespace', async (t) => {
  const home = await temporaryFolder(t)
  await chown(home, 54321, 54321)
  const dataDir = join(home, 'data')
  await useOnce(t, dataDir, { by: ['setpriv', '--reuid=54321', '--regid=54321', '--clear-groups'] })
  assert.deepEqual(await ownersIn(dataDir), [54321])
})

asRoot('tells of a full disk', async (t) => {
  const folder = await temporaryFolder(t)
  const script = 'mount -t tmpfs -o size=16m,mode=755 parley-test "$1" && shift && exec "$@"'
  const by = ['unshare', '--mount', 'sh', '-c', script, 'sh', folder]
  const sentence = String(await tryParley(t, join(folder, 'data'), { by }))
  assert.match(sentence, /^PostgreSQL could not make a database in .*\. The disk with .* is full\./)
})
