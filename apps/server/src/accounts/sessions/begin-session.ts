import type { Endpoint } from '@parley/contract'
import { audit } from '../../access/audit.ts'
import { insertSession, shownUserAgent } from '../../access/credentials/session-store.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import type { HandlerContext } from '../../access/serve.ts'
import type { Service } from '../../access/service.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import type { Tx } from '../../platform/database/database.ts'
import { decryptAccountSecrets } from '../account/account-secrets.ts'
import type { AccountRow } from '../account/account-store.ts'
import { viewProfile } from '../account/profile-view.ts'
import { decidesAboutApps } from '../account/tenant-store.ts'
import { networkHash, rememberNetwork } from './known-network.ts'

/** How the person authenticated. */
type ProofOfIdentity = 'password' | 'passkey' | 'provider' | 'sign-up'

/** Begin a session for an authenticated person. Only this reply contains its token. */
export async function beginSession(
  tx: Tx,
  { random, encryption, config }: Pick<Service, 'random' | 'encryption' | 'config'>,
  account: AccountRow,
  {
    request,
    now,
    by,
  }: {
    request: Pick<HandlerContext<Endpoint>['request'], 'address' | 'userAgent'>
    now: Date
    by: ProofOfIdentity
  },
) {
  const { token, hash } = newToken('session', random)
  const { address, userAgent } = request
  const sessionId = random.uuid(now)
  const expiresAt = await insertSession(tx, {
    id: sessionId,
    accountId: account.id,
    tokenHash: hash,
    address,
    userAgent,
    now,
  })
  const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
  const detail = { sessionId, by, userAgent: shownUserAgent(userAgent) }
  await audit(tx, random, now, { ...entry, action: 'session.begun', detail, address })
  await rememberNetwork(tx, account.id, networkHash(encryption, address), now)
  const emailVerified = isAddressTrusted(account, config)
  const reviewer = await decidesAboutApps(tx, account)
  const user = viewProfile({ ...account, reviewer }, { ...decryptAccountSecrets(encryption, account), emailVerified })
  return { token, expiresAt: expiresAt.toISOString(), user }
}
