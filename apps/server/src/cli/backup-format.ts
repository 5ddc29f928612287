import { refuseDevelopmentVersion } from '../platform/database/migrate.ts'
import { StartProblem } from '../platform/start-problem.ts'
import type { WaitingCount } from './mails.ts'

/**
 * A backup is a gzip file of lines: a header; then for each table `@name` and its rows as PostgreSQL writes them in
 * JSON, referenced tables first; then the queued mails to accounts in the same form; and at the end `@` with the number
 * of rows. A backup is text throughout, so that every value is restored exactly, and complete only with its last line.
 */
export type BackupHeader = {
  format: 'parley-backup'
  version: 1
  madeAt: string
  /** The applied migrations. */
  migrations: { name: string; sha256: string }[]
  /** Identifies the secret key that encrypted the values in the backup, and reveals nothing else about it. */
  keyCheck: string
  tables: { name: string; columns: string[] }[]
  waiting: WaitingCount
}

/** The purpose from which `keyCheck` is derived. */
export const keyCheckPurpose = 'backup key check'

/** @throws StartProblem when the file is no backup, or has the format of another Parley version */
export function readHeader(line: string | undefined): BackupHeader {
  const head = parsed(line ?? '')
  if (head.format !== 'parley-backup') throw new StartProblem('The file is not a backup of Parley.')
  refuseDevelopmentVersion(head.migrations ?? [], 'The backup')
  if (head.version !== 1) throw new StartProblem('The backup was made by a newer Parley. Restore it with that one.')
  return head as BackupHeader
}

function parsed(line: string): Partial<BackupHeader> {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

/** Quote an identifier for SQL. Names come from the catalogue or from a file. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
