import type { AccountsService } from '../accounts/accounts-service.ts'
import { serveAnswerHandOver } from './answer-hand-over.ts'
import { serveDeleteAccount } from './delete-account.ts'
import { serveDeleteOwnAccount } from './delete-own-account.ts'
import { serveExportOwnData } from './export-own-data.ts'
import { serveListHandOvers } from './list-hand-overs.ts'

/** Register the endpoints of personal data: export, deletion, and the meetings of deleted accounts. */
export function registerAccountDataRoutes(accounts: AccountsService): void {
  serveExportOwnData(accounts)
  serveDeleteOwnAccount(accounts)
  serveDeleteAccount(accounts)
  serveListHandOvers(accounts)
  serveAnswerHandOver(accounts)
}
