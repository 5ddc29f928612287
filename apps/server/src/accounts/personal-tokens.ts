import {
  createPersonalToken,
  deletePersonalToken,
  isPersonalScope,
  listPersonalTokens,
  type PersonalScope,
  type PersonalToken,
  personalScopeNames,
} from '@parley/contract'
import { collect, combine, mapParsed, type Parsed, readRequired, refuse, refuseAt } from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { violationAt } from '@parley/rules/text/violation'
import { audit } from '../access/audit.ts'
import {
  countPersonalTokens,
  deletePersonalTokenRow,
  insertPersonalToken,
  listPersonalTokenRows,
  maxPersonalTokens,
} from '../access/credentials/personal-token-store.ts'
import { readExpiry } from '../access/credentials/read-expiry.ts'
import { lockSession } from '../access/credentials/session-store.ts'
import { newToken } from '../access/credentials/token-secret.ts'
import { inTransaction } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { lockAccount } from './account/account-store.ts'
import { nameLimits } from './account/person-fields.ts'
import type { Dependencies } from './dependencies.ts'
import { sessionOf } from './sessions/sessions.ts'

/** Register the endpoints of personal tokens. */
export function registerPersonalTokens(dependencies: Dependencies): void {
  serveCreatePersonalToken(dependencies)
  serveListPersonalTokens(dependencies)
  serveDeletePersonalToken(dependencies)
}

function serveCreatePersonalToken({ serve, clock, random }: Dependencies) {
  serve(createPersonalToken, {
    read: ({ body }) =>
      combine({
        name: readRequired(body.name, (text) => readPlainText('/name', text, nameLimits)),
        scopes: readRequired(body.scopes, readScopes),
        expiresAt: readExpiry(body.expiresOn, clock.now()),
      }),
    handle: ({ caller, input: { name, scopes, expiresAt }, request, database }) =>
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
          name,
          scopes,
          createdAt: now,
          expiresAt,
        }
        await insertPersonalToken(tx, row)
        const entry = { tenantId: account.tenantId, actorId: account.id, subjectId: account.id }
        const detail = { tokenId: row.id, name: row.name, scopes: row.scopes }
        const { address } = request
        await audit(tx, random, now, { ...entry, action: 'personal-token.created', detail, address })
        return { ...viewPersonalToken({ ...row, lastUsedAt: null }), token }
      }),
  })
}

/** More than the scopes that exist; bounds the validation. */
const maxScopes = 20

function readScopes(scopes: readonly (string | undefined)[]): Parsed<PersonalScope[]> {
  const path = '/scopes'
  const known = personalScopeNames.join(', ')
  if (scopes.length === 0) {
    return refuseAt(path, 'too_few', `must name at least one of ${known}`)
  }
  if (scopes.length > maxScopes) {
    return refuseAt(path, 'too_many', `must hold at most ${maxScopes}`)
  }
  const readScope = (scope: string, index: number): Parsed<PersonalScope> =>
    isPersonalScope(scope)
      ? { value: scope }
      : refuse(violationAt(`${path}/${index}`, { code: 'not_allowed', message: `must be one of ${known}` }))
  const read = collect(scopes.map((scope, index) => readRequired(scope, (name) => readScope(name, index))))
  return mapParsed(read, (names) => [...new Set(names)])
}

function serveListPersonalTokens({ serve }: Dependencies) {
  serve(listPersonalTokens, {
    handle: async ({ caller, database }) => {
      const tokens = await listPersonalTokenRows(database, caller.accountId)
      return { tokens: tokens.map(viewPersonalToken) }
    },
  })
}

function serveDeletePersonalToken({ serve, clock, random }: Dependencies) {
  serve(deletePersonalToken, {
    handle: ({ caller, params: { tokenId }, request, database }) =>
      inTransaction(database, async (tx) => {
        const name = isUuid(tokenId) ? await deletePersonalTokenRow(tx, caller.accountId, tokenId) : undefined
        if (name === undefined) throw problem('token_not_found')
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const detail = { tokenId, name }
        const { address } = request
        await audit(tx, random, clock.now(), { ...entry, action: 'personal-token.deleted', detail, address })
        return { status: 'The token is deleted.' }
      }),
  })
}

type PersonalTokenRow = {
  id: string
  name: string
  scopes: readonly string[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

const viewPersonalToken = (token: PersonalTokenRow): PersonalToken => ({
  _id: token.id,
  name: token.name,
  scopes: token.scopes.filter(isPersonalScope),
  createdOn: token.createdAt.toISOString(),
  expiresOn: token.expiresAt?.toISOString() ?? null,
  lastUsedOn: token.lastUsedAt?.toISOString() ?? null,
})
