import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { registerPhoto } from './account/photo.ts'
import { registerProfile } from './account/profile.ts'
import { registerAccountAdministration } from './account-administration.ts'
import { createAuditLineTask } from './audit-line.ts'
import { registerAuditLog } from './audit-log.ts'
import type { Dependencies } from './dependencies.ts'
import { createLinkMailTask } from './email-links/mailed-links.ts'
import { deleteExpired } from './expired-rows.ts'
import { registerOauthAccessRequests } from './oauth-access-requests.ts'
import { registerOrganisation } from './organisation.ts'
import { registerPasskeyConfirmation } from './passkeys/passkey-assertion.ts'
import { registerPasskeySignIn } from './passkeys/passkey-sign-in.ts'
import { registerPasskeys } from './passkeys/passkeys.ts'
import { registerPasswords } from './passwords.ts'
import { registerPeople } from './people.ts'
import { registerPersonalTokens } from './personal-tokens.ts'
import { registerSecurityLog } from './sessions/security-log.ts'
import { registerSessions } from './sessions/sessions.ts'
import { registerReadService } from './set-up.ts'
import { registerSetUpSteps } from './set-up-steps.ts'
import { registerSignIn } from './sign-in.ts'
import { registerSignUp } from './sign-up.ts'
import { registerVerifyEmail } from './verify-email.ts'

/** Register the endpoints of accounts: set-up, sign-up, sign-in, what a person may change, administration. */
export function registerAccounts(dependencies: Dependencies): void {
  registerReadService(dependencies)
  registerSignUp(dependencies)
  registerVerifyEmail(dependencies)
  registerSignIn(dependencies)
  registerPasskeySignIn(dependencies)
  registerSessions(dependencies)
  registerProfile(dependencies)
  registerPhoto(dependencies)
  registerPeople(dependencies)
  registerPasswords(dependencies)
  registerPasskeys(dependencies)
  registerPasskeyConfirmation(dependencies)
  registerPersonalTokens(dependencies)
  registerSecurityLog(dependencies)
  registerAccountAdministration(dependencies)
  registerOauthAccessRequests(dependencies)
  registerOrganisation(dependencies)
  registerAuditLog(dependencies)
  registerSetUpSteps(dependencies)
}

export type AuditLogOptions = {
  /** Takes the lines of the audit log, which have no line end; standard output when absent. */
  writeAuditLine?: (line: string) => void
}

/** The background work of accounts: mailed links, the audit log as a stream, expired rows. */
export function createAccountJobs(
  dependencies: Dependencies,
  { writeAuditLine = writeToStandardOutput }: AuditLogOptions,
): ModuleJobs {
  const { database, config } = dependencies
  return {
    tasks: {
      ...createLinkMailTask(dependencies),
      ...createAuditLineTask({ database, format: config.logFormat, write: writeAuditLine }),
    },
    deleteExpired: (now) => deleteExpired(database, now, config.retention),
  }
}

const writeToStandardOutput = (line: string) => void process.stdout.write(`${line}\n`)
