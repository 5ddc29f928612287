import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { codeOf } from './errors.ts'
import { StartProblem } from './start-problem.ts'

const lockFileName = 'parley.lock'
const holderFile = 'parley.pid'
/** SQLite's result code for a file that another process has locked. */
const sqliteBusy = 5
/** A killed process holds its lock until the kernel has cleaned up, which may take a moment. */
const waitLimitMs = 1_000

/** Another process holds the lock. */
export class FolderInUse extends StartProblem {
  override name = 'FolderInUse'
}

/**
 * Create the data folder (mode 0700) and lock it for this process, so that two Parleys never write to one folder. The
 * kernel releases the lock when the process ends, however it ends, so there is no stale lock to clean up. Throw a
 * StartProblem when another process holds the folder (naming both) or it cannot be used.
 */
export async function claimDataFolder(dataDir: string): Promise<{ path: string; release(): Promise<void> }> {
  const path = resolve(dataDir)
  await makePrivateFolder(path)
  const lock = await lockFile(path)
  await writeFile(join(path, holderFile), `${process.pid} on ${hostname()}\n`, { mode: 0o600 })
  return {
    path,
    async release() {
      await rm(join(path, holderFile), { force: true })
      lock.close()
    },
  }
}

/** An existing folder keeps its mode: it may be a mounted volume. */
async function makePrivateFolder(path: string) {
  try {
    await makeFolder(path)
  } catch (cause) {
    throw unusable(path, cause)
  }
}

/** Node's `recursive` retries for ever in folders that refuse new entries, such as `/proc`. */
async function makeFolder(path: string) {
  const make = () => mkdir(path, { mode: 0o700 }).catch(unlessFolder(path))
  try {
    await make()
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
    await makeFolder(dirname(path))
    await make()
  }
}

const unlessFolder = (path: string) => async (cause: unknown) => {
  if (codeOf(cause) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw cause
}

/**
 * Node has no file locks, but its SQLite does: an exclusive transaction on an empty file holds an fcntl lock. The lock
 * works between containers that share a folder and on network file systems, and child processes do not inherit it. The
 * kernel would release it if this process opened and closed the file in any other way, so nothing else touches it.
 */
async function lockFile(path: string): Promise<DatabaseSync> {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(path, lockFileName), { timeout: waitLimitMs })
    lock.exec('BEGIN EXCLUSIVE')
    await chmod(join(path, lockFileName), 0o600)
    return lock
  } catch (cause) {
    if (lock?.isOpen) lock.close()
    if (!isBusy(cause)) throw unusable(path, cause)
    throw new FolderInUse(
      `The data folder ${path} is in use by another Parley (process ${await holder(path)}). ` +
        'Stop that one first, or give this one its own DATA_DIR.',
      { cause },
    )
  }
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy

const unusable = (path: string, cause: unknown) =>
  new StartProblem(
    `The data folder ${path} cannot be used (${cause instanceof Error ? cause.message : cause}). ` +
      'The user who runs Parley must be able to write to it, and to all that is in it.',
    { cause },
  )

/** The holder writes this just after locking, so for a moment it may be missing or describe the previous holder. */
const holder = async (path: string) => {
  const text = await readFile(join(path, holderFile), 'utf8').catch(() => '')
  return text.trim() || 'unknown'
}
