import type { Dependencies } from '../accounts/dependencies.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import type { Platform } from '../platform/platform.ts'
import { registerAccountDeletion } from './account-deletion.ts'
import { registerDataExport } from './data-export.ts'
import { createEraseAccountsTask, eraseAccountsJob } from './erase-accounts.ts'
import { registerHandOvers } from './hand-overs.ts'
import { registerStartPage } from './start-page.ts'

/** Register the endpoints of personal data: export, deletion, and the meetings of deleted accounts. */
export function registerAccountData(dependencies: Dependencies): void {
  registerDataExport(dependencies)
  registerAccountDeletion(dependencies)
  registerHandOvers(dependencies)
  registerStartPage(dependencies)
}

/** Erase the data of closed accounts in the background. */
export const createAccountDataJobs = (
  dependencies: Pick<Platform, 'config' | 'clock' | 'random' | 'encryption' | 'database' | 'log'>,
): ModuleJobs => ({
  tasks: createEraseAccountsTask(dependencies),
  hourly: [eraseAccountsJob.name],
})
