import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, readFile } from 'node:fs/promises'

/** What PostgreSQL says is little; this many bytes are weeks of it, and twice that is the most that is ever kept. */
const LOG_LIMIT_BYTES = 5_000_000
const LOOK_INTERVAL_MS = 60_000
const TAIL_LINES = 8

export type PostgresLog = {
  /** For PostgreSQL's standard output and error. */
  descriptor: number
  /** The last lines since this log was opened, for a sentence about what went wrong. */
  tail(): Promise<string>
  close(): Promise<void>
}

/** Opens PostgreSQL's log for appending and keeps it bounded: what outgrows the limit moves to `<path>.1`. */
export async function openPostgresLog(path: string): Promise<PostgresLog> {
  // Appending, so that PostgreSQL goes on at the right place after we have emptied the file under it.
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600)
  await keepBounded(file, path)
  const { size: startOffset } = await file.stat()
  const timer = setInterval(() => void keepBounded(file, path).catch(() => {}), LOOK_INTERVAL_MS).unref()
  return {
    descriptor: file.fd,
    async tail() {
      const written = await readFile(path)
      const fresh = written.length >= startOffset ? written.subarray(startOffset) : written
      return fresh.toString('utf8').trim().split('\n').slice(-TAIL_LINES).join('\n')
    },
    async close() {
      clearInterval(timer)
      await file.close()
    },
  }
}

async function keepBounded(file: FileHandle, path: string) {
  if ((await file.stat()).size <= LOG_LIMIT_BYTES) return
  await copyFile(path, `${path}.1`)
  await file.truncate(0)
}
