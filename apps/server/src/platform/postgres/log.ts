import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, readFile, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What PostgreSQL says is little; this many bytes are weeks of it, and twice that is the most that is ever kept. */
const logLimitBytes = 5_000_000
const lookIntervalMs = 60_000
const lastWordsLines = 8
/** Two files of PostgreSQL's write-ahead log: with less free, a full disk is the likely reason for any failure. */
const scarceBytes = 32 * 1024 * 1024

export type PostgresLog = {
  /** For PostgreSQL's standard output and error. */
  descriptor: number
  /**
   * What to append to a sentence about a failure: that the disk is full, if it is, and the last lines since we began. Never
   * fails: whoever tells of a failure has trouble enough.
   */
  lastWords(): Promise<string>
  close(): Promise<void>
}

/** Opens PostgreSQL's log for appending and keeps it bounded: what outgrows the limit moves to `<path>.1`. */
export async function openPostgresLog(path: string): Promise<PostgresLog> {
  // Appending, so that PostgreSQL goes on at the right place after we have emptied the file under it.
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600)
  await keepBounded(file, path)
  const { size: beginning } = await file.stat()
  const timer = setInterval(() => void keepBounded(file, path).catch(() => {}), lookIntervalMs).unref()
  return {
    descriptor: file.fd,
    async lastWords() {
      const scarcity = (await isScarce(dirname(path))) ? ` The disk with ${dirname(path)} is full.` : ''
      const written = await readFile(path).catch(() => undefined)
      if (written === undefined) return `${scarcity} Its last words in ${path} cannot be read.`
      const ours = written.length >= beginning ? written.subarray(beginning) : written
      const lines = ours.toString('utf8').trim().split('\n').slice(-lastWordsLines)
      return `${scarcity} The end of ${path}:\n${lines.join('\n')}`
    },
    async close() {
      clearInterval(timer)
      await file.close()
    },
  }
}

async function isScarce(folder: string): Promise<boolean> {
  const found = await statfs(folder).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize < scarceBytes
}

async function keepBounded(file: FileHandle, path: string) {
  if ((await file.stat()).size <= logLimitBytes) return
  await copyFile(path, `${path}.1`)
  await file.truncate(0)
}
