import type { Endpoint } from '@parley/contract'
import type { Tx } from '../../migrations/tables.ts'
import type { Ask } from '../access/serve.ts'
import type { Service } from '../access/service.ts'
import { insertSession } from '../access/session-store.ts'
import { newToken } from '../access/token-secret.ts'
import { openAccountSecrets } from './account-secrets.ts'
import type { AccountRow } from './account-store.ts'
import { networkHash, rememberNetwork } from './known-network.ts'
import { viewProfile } from './profile-view.ts'

type Visit = Pick<Ask<Endpoint>, 'request'>

/** Signs somebody in who has proven who they are: the session, and the answer that shows its token this once. */
export async function beginSession(
  tx: Tx,
  { random, sealedBox, config }: Pick<Service, 'random' | 'sealedBox' | 'config'>,
  account: AccountRow,
  { request, now }: Visit & { now: Date },
) {
  const { token, hash } = newToken('session', random)
  const { address, userAgent } = request
  const expiresAt = await insertSession(tx, {
    ...{ id: random.uuid(now), accountId: account.id, tokenHash: hash, address, userAgent, now },
  })
  await rememberNetwork(tx, account.id, networkHash(sealedBox, address), now)
  const { emailVerification } = config
  const user = viewProfile(account, { ...openAccountSecrets(sealedBox, account), emailVerification })
  return { token, expiresAt: expiresAt.toISOString(), user }
}
