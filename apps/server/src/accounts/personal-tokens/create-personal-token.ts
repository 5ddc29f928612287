import { createPersonalToken, isPersonalScope, personalScopeNames, type Violation } from '@parley/contract'
import { readTimestamp } from '@parley/rules/text/timestamp'
import { audit } from '../../access/audit.ts'
import {
  countPersonalTokens,
  insertPersonalToken,
  maxPersonalTokens,
} from '../../access/credentials/personal-token-store.ts'
import { lockSession } from '../../access/credentials/session-store.ts'
import { newToken } from '../../access/credentials/token-secret.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { lockAccount } from '../account/account-store.ts'
import { nameLimits, validateText } from '../account/field-checks.ts'
import type { AccountsService } from '../accounts-service.ts'
import { sessionOf } from '../sessions/own-session.ts'
import { viewPersonalToken } from './personal-token-view.ts'

export function serveCreatePersonalToken({ serve, clock, random }: AccountsService) {
  serve(createPersonalToken, {
    handle: ({ caller, body, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        // Serialize creations, so that they are counted correctly; a session that has ended meanwhile creates none.
        const account = await lockAccount(tx, caller.accountId)
        if (account === undefined || !(await lockSession(tx, sessionOf(caller)))) throw problem('unauthorized')
        if ((await countPersonalTokens(tx, account.id)) >= maxPersonalTokens) throw problem('too_many_tokens')

        const { token, hash } = newToken('personal', random)
        const row = {
          id: random.uuid(now),
          accountId: account.id,
          tokenHash: hash,
          name: body.name,
          scopes: [...new Set(body.scopes)],
          createdAt: now,
          expiresAt: readTimestamp(body.expiresOn ?? '') ?? null,
        }
        await insertPersonalToken(tx, row)
        const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
        const detail = { tokenId: row.id, name: row.name, scopes: row.scopes }
        const { address } = request
        await audit(tx, random, now, { ...entry, action: 'personal-token.created', detail, address })
        return { ...viewPersonalToken({ ...row, lastUsedAt: null }), token }
      }),
    check: ({ body: { name, scopes, expiresOn } }) => [
      ...validateText('name', name, nameLimits),
      ...validateScopes(scopes),
      ...validateExpiry(expiresOn ?? undefined, clock.now()),
    ],
  })
}

/** More than the scopes that exist; bounds the validation. */
const maxScopes = 20

function validateScopes(scopes: readonly (string | undefined)[] | undefined): Violation[] {
  if (scopes === undefined) return []
  if (scopes.length === 0) {
    return [
      {
        path: '/scopes',
        code: 'too_few',
        message: `scopes must name at least one of ${personalScopeNames.join(', ')}.`,
      },
    ]
  }
  if (scopes.length > maxScopes) {
    return [{ path: '/scopes', code: 'too_many', message: `scopes must hold at most ${maxScopes}.` }]
  }
  return scopes.flatMap((scope, index) =>
    scope === undefined || isPersonalScope(scope)
      ? []
      : [
          {
            path: `/scopes/${index}`,
            code: 'not_allowed',
            message: `scopes.${index} must be one of ${personalScopeNames.join(', ')}.`,
          },
        ],
  )
}

/** Any future time is allowed: tokens may also never expire, so a maximum would only push people to that. */
function validateExpiry(expiresOn: string | undefined, now: Date): Violation[] {
  if (expiresOn === undefined) return []
  const at = readTimestamp(expiresOn)
  if (at === undefined) {
    const message = 'expiresOn must be an RFC 3339 timestamp, such as 2030-01-31T00:00:00Z.'
    return [{ path: '/expiresOn', code: 'bad_format', message }]
  }
  return at > now ? [] : [{ path: '/expiresOn', code: 'in_the_past', message: 'expiresOn must be in the future.' }]
}
