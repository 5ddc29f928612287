import { exportOwnData } from '@parley/contract'
import { audit } from '../access/audit.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { exportCalendar } from './export-calendar.ts'
import { exportDocument } from './export-document.ts'

/** Export the caller's data. The reply is streamed, because an account may have scheduled for years. */
export function serveExportOwnData(service: AccountsService) {
  const { serve, clock, random, attemptLimits } = service
  serve(exportOwnData, {
    handle: async ({ caller, query: { format = 'json' }, request, database }) => {
      const now = clock.now()
      await attemptLimits.countOrRefuse('exportsOfAccount', caller.accountId)
      const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
      await inTransaction(database, (tx) =>
        audit(tx, random, now, { ...entry, action: 'account.exported', detail: { format }, address: request.address }),
      )
      const fileName = `parley-${now.toISOString().slice(0, 10)}.${format}`
      return format === 'ics'
        ? { mediaType: 'text/calendar', fileName, lines: exportCalendar(database, service, caller) }
        : { mediaType: 'application/json', fileName, lines: exportDocument(database, service, caller, now) }
    },
  })
}
