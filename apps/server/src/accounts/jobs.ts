import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import type { AccountsService } from './accounts-service.ts'
import { createAuditLineTask } from './audit-log/write-audit-line.ts'
import { deleteExpired } from './email-links/delete-expired.ts'
import { createLinkMailTask } from './sign-in/link-mail-job.ts'

export type AuditLogOptions = {
  /** Takes the lines of the audit log, which have no line end; standard output when absent. */
  writeAuditLine?: (line: string) => void
}

/** The background work of accounts: mailed links, the audit log as a stream, what expires. */
export function createAccountJobs(
  accounts: WithDatabase<AccountsService>,
  { writeAuditLine = writeToStandardOutput }: AuditLogOptions,
): ModuleJobs {
  const { database, config } = accounts
  return {
    tasks: {
      ...createLinkMailTask(accounts),
      ...createAuditLineTask({ database, format: config.logFormat, write: writeAuditLine }),
    },
    deleteExpired: (now) => deleteExpired(database, now, config.retention),
  }
}

const writeToStandardOutput = (line: string) => void process.stdout.write(`${line}\n`)
