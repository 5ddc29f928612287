import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { giveToPostgres, type RunAs } from './user.ts'

/** A socket has a port's number in its file name only. */
export const socketPort = 5432
/** Linux allows 107 bytes, macOS 103. */
const socketPathLimitBytes = 103
const temporaryName = 'parley-postgres-'

export type SocketFolder = {
  path: string
  /** Takes away what a server that was killed has left in it: the next one is found at the same address. */
  empty(): Promise<void>
  remove(): Promise<void>
}

/**
 * Makes the folder for PostgreSQL's socket, which only its user may enter: whoever can is let in without a password.
 * It is in the data folder; where that makes too long a path for a socket, it is a new one under the temporary folder,
 * and the data folder holds a link to it.
 */
export async function makeSocketFolder(dataDir: string, runAs: RunAs): Promise<SocketFolder> {
  const nearData = join(dataDir, 'postgres-socket')
  await removeSocketFolder(nearData)
  const path = fits(nearData) ? nearData : await makeTemporaryFolder()
  await (path === nearData ? mkdir(path, { mode: 0o700 }) : symlink(path, nearData))
  await giveToPostgres(path, runAs)
  return { path, empty: () => removeSockets(path), remove: () => removeSocketFolder(nearData) }
}

/** The folder itself stays: in a temporary folder that others share, its name would not be ours any more. */
async function removeSockets(path: string) {
  for (const name of await readdir(path)) await rm(join(path, name), { force: true })
}

/** Also one that a killed Parley has left, since the data folder is ours. */
async function removeSocketFolder(nearData: string) {
  const linked = await readlink(nearData).catch(() => '')
  if (basename(linked).startsWith(temporaryName)) await rm(linked, { recursive: true, force: true })
  await rm(nearData, { recursive: true, force: true })
}

/** A new name each time, made by us with mode 0700: nobody can have prepared it. */
async function makeTemporaryFolder(): Promise<string> {
  const usual = join(tmpdir(), temporaryName)
  return mkdtemp(fits(`${usual}XXXXXX`) ? usual : join('/tmp', temporaryName))
}

const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}.lock`)) <= socketPathLimitBytes
