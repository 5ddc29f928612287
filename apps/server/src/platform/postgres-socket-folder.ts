import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { giveToPostgres, type RunAs } from './postgres-user.ts'

/** A socket has a port's number in its file name only. */
export const SOCKET_PORT = 5432
/** Linux allows 107 bytes, macOS 103. */
const SOCKET_PATH_LIMIT_BYTES = 103
const TEMPORARY_NAME = 'parley-postgres-'

export type SocketFolder = { path: string; remove(): Promise<void> }

/**
 * Makes the folder for PostgreSQL's socket, which only its user may enter: whoever can is let in without a password.
 * It is in the data folder, or, where that makes too long a path for a socket, in a new one under the temporary folder.
 * @param previous the socket folder of the server before this one, which is removed if it was such a temporary one
 */
export async function makeSocketFolder(
  dataDir: string,
  runAs: RunAs,
  previous: string | undefined,
): Promise<SocketFolder> {
  if (previous !== undefined && basename(previous).startsWith(TEMPORARY_NAME)) {
    await rm(previous, { recursive: true, force: true })
  }
  const path = await makeFolder(join(dataDir, 'postgres-socket'))
  await giveToPostgres(path, runAs)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

async function makeFolder(nearData: string): Promise<string> {
  // Whatever lies there is a killed server's, since the data folder is ours.
  await rm(nearData, { recursive: true, force: true })
  if (fits(nearData)) {
    await mkdir(nearData, { mode: 0o700 })
    return nearData
  }
  // A new name each time, made by us with mode 0700: nobody can have prepared it.
  return mkdtemp(
    [tmpdir(), '/tmp'].map((folder) => join(folder, TEMPORARY_NAME)).find((path) => fits(`${path}XXXXXX`)) ?? '/tmp/',
  )
}

const fits = (folder: string) =>
  Buffer.byteLength(join(folder, `.s.PGSQL.${SOCKET_PORT}.lock`)) <= SOCKET_PATH_LIMIT_BYTES
