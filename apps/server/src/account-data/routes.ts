import type { AccountsService } from '../accounts/accounts-service.ts'
import { serveDeleteAccount } from './delete-account.ts'
import { serveDeleteOwnAccount } from './delete-own-account.ts'
import { serveExportOwnData } from './export-own-data.ts'

/** Register the endpoints of personal data: export and deletion. */
export function registerAccountDataRoutes(accounts: AccountsService): void {
  serveExportOwnData(accounts)
  serveDeleteOwnAccount(accounts)
  serveDeleteAccount(accounts)
}
