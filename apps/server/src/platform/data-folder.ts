import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartProblem } from './start-problem.ts'

const LOCK_FILE = 'parley.lock'
const HOLDER_FILE = 'parley.pid'
/** SQLite's result code for a file that another process has locked. */
const SQLITE_BUSY = 5

/**
 * Makes the data folder (mode 0700) and claims it for this process, so that two Parleys never write to one folder.
 * The claim is a lock of the kernel, which ends with the process however that dies; there is no stale claim to clean up.
 * Throws a StartProblem when another process holds the folder (naming the folder and the process) or it cannot be used.
 */
export async function claimDataFolder(dataDir: string): Promise<{ path: string; release(): Promise<void> }> {
  const path = resolve(dataDir)
  await makePrivateFolder(path)
  const lock = await lockFile(path)
  await writeFile(join(path, HOLDER_FILE), `${process.pid} on ${hostname()}\n`, { mode: 0o600 })
  return {
    path,
    async release() {
      await rm(join(path, HOLDER_FILE), { force: true })
      lock.close()
    },
  }
}

async function makePrivateFolder(path: string) {
  try {
    const firstMade = await mkdir(path, { recursive: true, mode: 0o700 })
    const { mode } = await stat(path)
    // A group may pass through: that is how PostgreSQL, under a user of its own, reaches its folder in here.
    if (firstMade === undefined && (mode & 0o067) !== 0) await chmod(path, mode & 0o710)
  } catch (cause) {
    throw new StartProblem(`The data folder ${path} cannot be used (${reason(cause)}).`, { cause })
  }
}

/**
 * Node has no file locks of its own, but its SQLite has: an exclusive transaction on an empty file holds an fcntl lock.
 * That one works between containers that share a folder and on network file systems, and is not inherited by children.
 */
async function lockFile(path: string): Promise<DatabaseSync> {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(path, LOCK_FILE), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    await chmod(join(path, LOCK_FILE), 0o600)
    return lock
  } catch (cause) {
    if (lock?.isOpen) lock.close()
    if (!isBusy(cause)) throw new StartProblem(`The data folder ${path} cannot be used (${reason(cause)}).`, { cause })
    throw new StartProblem(
      `The data folder ${path} is in use by another Parley (process ${await holder(path)}). ` +
        'Stop that one first, or give this one its own DATA_DIR.',
      { cause },
    )
  }
}

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The holder writes this just after it has locked, so for a moment it may be missing or still tell the last one. */
const holder = async (path: string) => {
  const told = await readFile(join(path, HOLDER_FILE), 'utf8').catch(() => '')
  return told.trim() || 'unknown'
}
