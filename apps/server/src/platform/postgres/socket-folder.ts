import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { giveToPostgres, type RunAs } from './user.ts'

/** Part of the socket's file name only. */
export const socketPort = 5432
/** Linux allows 107 bytes, macOS 103. */
const socketPathLimitBytes = 103
const temporaryName = 'parley-postgres-'

export type SocketFolder = {
  path: string
  /** Remove the files of a killed server: the next one uses the same folder. */
  empty(): Promise<void>
  remove(): Promise<void>
}

/**
 * Create the folder for PostgreSQL's socket, which only its user may enter, because connections need no password. The
 * folder is in the data folder; where that makes the socket's path too long, a new folder under the temporary folder
 * takes its place, and the data folder contains a link to it.
 */
export async function makeSocketFolder(dataDir: string, runAs: RunAs): Promise<SocketFolder> {
  const nearData = join(dataDir, 'postgres-socket')
  await removeSocketFolder(nearData)
  const path = fits(nearData) ? nearData : await makeTemporaryFolder()
  await (path === nearData ? mkdir(path, { mode: 0o700 }) : symlink(path, nearData))
  await giveToPostgres(path, runAs)
  return { path, empty: () => removeSockets(path), remove: () => removeSocketFolder(nearData) }
}

/** Keep the folder itself: in a shared temporary folder, another user could take its name. */
async function removeSockets(path: string) {
  for (const name of await readdir(path)) await rm(join(path, name), { force: true })
}

/** Remove the folder, also that of a killed Parley, since the data folder is ours. */
async function removeSocketFolder(nearData: string) {
  const linked = await readlink(nearData).catch(() => '')
  if (basename(linked).startsWith(temporaryName)) await rm(linked, { recursive: true, force: true })
  await rm(nearData, { recursive: true, force: true })
}

/** A new random name with mode 0700, so that no other user can have prepared it. */
async function makeTemporaryFolder(): Promise<string> {
  const preferred = join(tmpdir(), temporaryName)
  return mkdtemp(fits(`${preferred}XXXXXX`) ? preferred : join('/tmp', temporaryName))
}

const fits = (folder: string) => Buffer.byteLength(join(folder, `.s.PGSQL.${socketPort}.lock`)) <= socketPathLimitBytes
