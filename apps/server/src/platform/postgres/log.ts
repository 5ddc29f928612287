import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, readFile, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

/** PostgreSQL logs little: this is weeks of output. At most twice as much is kept. */
const logLimitBytes = 5_000_000
const checkIntervalMs = 60_000
const maxReportedLines = 8
/** Two WAL segments: with less free space, a full disk is the likely cause of any failure. */
const scarceBytes = 32 * 1024 * 1024

export type PostgresLog = {
  /** The descriptor for PostgreSQL's standard output and error. */
  descriptor: number
  /**
   * The end of a failure message: a full disk, if it is full, and the last lines since the start. Never throws, because
   * it runs during error handling.
   */
  lastWords(): Promise<string>
  close(): Promise<void>
}

/** Open PostgreSQL's log for appending and keep it bounded: when it outgrows the limit, it is moved to `<path>.1`. */
export async function openPostgresLog(path: string): Promise<PostgresLog> {
  // In append mode, so that PostgreSQL continues at the right offset after we have truncated the file.
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, 0o600)
  await keepBounded(file, path)
  const { size: beginning } = await file.stat()
  const timer = setInterval(() => void keepBounded(file, path).catch(() => {}), checkIntervalMs).unref()
  return {
    descriptor: file.fd,
    async lastWords() {
      const scarcity = (await isScarce(dirname(path))) ? ` The disk with ${dirname(path)} is full.` : ''
      const written = await readFile(path).catch(() => undefined)
      if (written === undefined) return `${scarcity} Its last words in ${path} cannot be read.`
      const ours = written.length >= beginning ? written.subarray(beginning) : written
      const lines = ours.toString('utf8').trim().split('\n').slice(-maxReportedLines)
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
