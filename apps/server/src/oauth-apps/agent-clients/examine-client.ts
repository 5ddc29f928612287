import type { CheckResult } from '@parley/contract'
import { likenessOf, nameKeys } from '@parley/rules/oauth-apps/look-alike-names'
import { clientHostOf } from '../../access/shown-app.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { findSimilarNameKeys } from '../app-name-store.ts'
import { nameCheck } from '../page-checks/examine-app.ts'
import type { PageChecks } from '../page-checks/page-checks.ts'
import { recordFindings } from '../review/revision-store.ts'
import { lockAgentClient } from './agent-client-store.ts'

type Dependencies = { database: Database; checkPages: PageChecks }

/**
 * Run the pre-checks of a revision for its reviewer, as `examineApp` does for developers. It fetches pages, so it is a
 * job: the person who uses the client does not wait. Results of an earlier run are replaced.
 */
export async function examineClient(
  { database, checkPages }: Dependencies,
  { appId, revision: number }: { appId: string; revision: number },
): Promise<void> {
  const app = await database
    .selectFrom('app')
    .select(['registration', 'clientId'])
    .where('id', '=', appId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  const revision = await database
    .selectFrom('appRevision')
    .selectAll()
    .where('appId', '=', appId)
    .where('number', '=', number)
    .executeTakeFirst()
  if (app === undefined || revision === undefined) return
  const likeness = likenessOf(nameKeys(revision.name), await findSimilarNameKeys(database, revision.name, appId))
  const { checks, logo } = await checkPages(revision)
  const all = [nameCheck(likeness), ...hostChecks(revision, clientHostOf(app).clientHost), ...checks]
  await inTransaction(database, async (tx) => {
    if ((await lockAgentClient(tx, appId)) === undefined || revision.submittedAt === null) return
    await recordFindings(tx, appId, number, { checks: all, ...(logo !== undefined && { logo }) }, revision.submittedAt)
  })
}

/** Anyone can name addresses of another party in a document: the reviewer sees which ones are on the client's own host. */
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
