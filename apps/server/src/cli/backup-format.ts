import { StartProblem } from '../platform/start-problem.ts'
import type { WaitingCount } from './waiting-mails.ts'

/**
 * A backup is a gzip file of lines: a head, then for each table `@name` and its rows as PostgreSQL writes them in JSON,
 * tables that others refer to first, then the queued mails to accounts in the same form, and at the end `@` with the number of rows. Text all the way, so that any value comes
 * back as exactly what it was; and complete only with its last line.
 */
export type BackupHead = {
  format: 'parley-backup'
  /** 2 since the mails to accounts that waited are part of it. */
  version: 1 | 2
  madeAt: string
  /** Which migrations had made the tables. */
  migrations: { name: string; sha256: string }[]
  /** Tells whether a secret key is the one that sealed what is sealed in here, and nothing else about it. */
  keyCheck: string
  tables: { name: string; columns: string[] }[]
  /** The mails that were not sent; absent in version 1. */
  waiting?: WaitingCount
}

/** What a backup's `keyCheck` is made of. */
export const keyCheckPurpose = 'backup key check'

/** @throws StartProblem for what is no backup, or one of a Parley that writes another form */
export function readHead(line: string | undefined): BackupHead {
  const head = parsed(line ?? '')
  if (head.format !== 'parley-backup') throw new StartProblem('The file is not a backup of Parley.')
  if (head.version !== 1 && head.version !== 2)
    throw new StartProblem('The backup was made by a newer Parley. Restore it with that one.')
  return head as BackupHead
}

function parsed(line: string): Partial<BackupHead> {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

/** A name in a statement: names come from the catalogue or a file, never unquoted into SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
