import type { CheckResult } from '@parley/contract'
import { likenessOf, nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { Type } from 'typebox'
import { clientHostOf } from '../../access/shown-app.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { findSimilarNameKeys, recordFindings } from '../app-store.ts'
import type { PageChecks } from '../page-checks.ts'
import { nameCheck } from '../submission.ts'
import { findClientRevision, lockAgentClient } from './agent-client-store.ts'

/** Queued with each submitted revision of a client that no developer has registered. */
export const examineClientJob = defineJob(
  'examine-client',
  Type.Object({ appId: Type.String(), revision: Type.Integer() }),
)

/**
 * Run the pre-checks of a revision for its reviewer, as `examineApp` does for apps of developers. The examination is a
 * job, because it fetches pages, for which the person who uses the client should not wait. Results of an earlier run
 * are replaced.
 */
export async function examineClient(
  { database, checkPages }: { database: Database; checkPages: PageChecks },
  { appId, revision: number }: { appId: string; revision: number },
): Promise<void> {
  const revision = await findClientRevision(database, appId, number)
  if (revision === undefined) return
  const likeness = likenessOf(nameKeys(revision.name), await findSimilarNameKeys(database, revision.name, appId))
  const { checks, logo } = await checkPages(revision)
  const all = [nameCheck(likeness), ...hostChecks(revision, clientHostOf(revision).clientHost), ...checks]
  await inTransaction(database, async (tx) => {
    if ((await lockAgentClient(tx, appId)) === undefined || revision.submittedAt === null) return
    await recordFindings(tx, appId, number, { checks: all, ...(logo !== undefined && { logo }) }, revision.submittedAt)
  })
}

/**
 * Check which addresses are on the client's own host, for the reviewer: anyone can name addresses of another party in a
 * document.
 */
function hostChecks(
  { callbackUrls, homepageUrl, policyUrl }: { callbackUrls: readonly string[]; homepageUrl: string; policyUrl: string },
  clientHost: string | undefined,
): CheckResult[] {
  if (clientHost === undefined) return []
  const checkHost = (check: string, field: string, url: string): CheckResult[] => {
    const { protocol, host } = new URL(url)
    if (protocol !== 'https:' && check === 'redirect_host') return []
    if (host === clientHost) {
      return [{ check, field, result: 'passed', message: 'It leads to the host of the document.' }]
    }
    const message = `It leads to ${host}, and not to the host of the document, ${clientHost}.`
    return [{ check, field, result: 'noted', message }]
  }
  return [
    ...callbackUrls.flatMap((url, index) => checkHost('redirect_host', `callbackUrls/${index}`, url)),
    ...Object.entries({ homepageUrl, policyUrl })
      .filter(([, url]) => url !== '')
      .flatMap(([field, url]) => checkHost('page_host', field, url)),
  ]
}
