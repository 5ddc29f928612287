import assert from 'node:assert/strict'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { dataFolder, isRoot, startParley, temporaryFolder, tryParley } from '../../test/postgres/embedded-postgres.ts'
import { claimDataFolder } from './data-folder.ts'

test('creates the folder, for its user alone', async (t) => {
  const folder = join(await temporaryFolder(t), 'not/there/yet')
  const claim = await claimDataFolder(folder)
  assert.equal(claim.path, folder)
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  await claim.release()
})

test('keeps the mode of an existing folder', async (t) => {
  const folder = await temporaryFolder(t)
  await chmod(folder, 0o750)
  await (await claimDataFolder(folder)).release()
  assert.equal((await stat(folder)).mode & 0o777, 0o750)
})

test('refuses a second claim, even in one process, until the first is released', async (t) => {
  const folder = await temporaryFolder(t)
  const claim = await claimDataFolder(folder)
  await assert.rejects(claimDataFolder(folder), {
    name: 'FolderInUse',
    message: new RegExp(`${folder} is in use by another Parley \\(process ${process.pid} on `),
  })
  await claim.release()
  await (await claimDataFolder(folder)).release()
})

test('refuses a second process, and takes over from a killed one', async (t) => {
  const folder = await dataFolder(t)
  const first = await startParley(t, folder)
  const refusal = await tryParley(t, folder)
  assert.match(String(refusal), new RegExp(`in use by another Parley \\(process ${first.process.pid} on .*DATA_DIR`))

  await first.end('SIGKILL')
  const next = await startParley(t, folder)
  assert.equal(await next.end('SIGTERM').then((said) => said.split('\n').at(-1)), 'stopped')
})

test('refuses a location that accepts no folders, and a file', async (t) => {
  const file = join(await temporaryFolder(t), 'file')
  await writeFile(file, '')
  for (const path of ['/proc/parley', '/proc/parley/data', file, join(file, 'below')]) {
    const message = new RegExp(`^The data folder ${path} cannot be used \\(E[A-Z]+`)
    await assert.rejects(claimDataFolder(path), { name: 'StartProblem', message })
  }
})

test('says which folder cannot be used, and why', async (t) => {
  const folder = await temporaryFolder(t)
  await mkdir(join(folder, 'closed'), { mode: 0o500 })
  const by = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  for (const path of [join(folder, 'closed'), join(folder, 'closed/below')]) {
    assert.match(
      String(await tryParley(t, path, { by })),
      new RegExp(`^The data folder ${path} cannot be used \\(.+\\)`),
    )
  }
})
