import { isPersonalScope, type PersonalToken } from '@parley/contract'

type PersonalTokenRow = {
  id: string
  name: string
  scopes: readonly string[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date | null
}

export const viewPersonalToken = (token: PersonalTokenRow): PersonalToken => ({
  _id: token.id,
  name: token.name,
  scopes: token.scopes.filter(isPersonalScope),
  createdOn: token.createdAt.toISOString(),
  expiresOn: token.expiresAt?.toISOString() ?? null,
  lastUsedOn: token.lastUsedAt?.toISOString() ?? null,
})
