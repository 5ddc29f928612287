import type { Resource } from '@parley/rules/oauth/resource'
import type { Generated } from 'kysely'

export type GrantTables = {
  appGrant: AppGrantTable
  authorizationRequest: AuthorizationRequestTable
  authorizationCode: AuthorizationCodeTable
  tokenFamily: TokenFamilyTable
  refreshToken: RefreshTokenTable
  accessToken: AccessTokenTable
}

type AppGrantTable = {
  id: string
  accountId: string
  appId: string
  sandbox: boolean
  /** What the person consented to for the REST API, and for the MCP server. */
  apiScopes: string[]
  mcpScopes: Generated<string[]>
  createdAt: Date
  modifiedAt: Date
  lastUsedAt: Date | null
  expiresAt: Date
  revokedAt: Date | null
  revokedBecause: string | null
  /** When the app had revoked the last of its tokens. */
  tokensEndedAt: Date | null
}

type AuthorizationRequestTable = {
  idHash: Buffer
  clientId: string
  redirectUri: string
  scopes: string[]
  state: Buffer | null
  codeChallenge: string | null
  prompts: string[]
  loginHint: string | null
  accountId: string | null
  createdAt: Date
  expiresAt: Date
  resource: Generated<Resource | null>
}

type AuthorizationCodeTable = {
  codeHash: Buffer
  grantId: string
  familyId: string
  redirectUri: string
  scopes: string[]
  codeChallenge: string | null
  createdAt: Date
  expiresAt: Date
  usedAt: Date | null
  resource: Generated<Resource | null>
}

type TokenFamilyTable = {
  id: string
  grantId: string
  createdAt: Date
  endedAt: Date | null
  endedBecause: string | null
  resource: Generated<Resource | null>
}

type RefreshTokenTable = {
  tokenHash: Buffer
  familyId: string
  scopes: string[]
  createdAt: Date
  expiresAt: Date
  rotatedAt: Date | null
}

type AccessTokenTable = {
  tokenHash: Buffer
  familyId: string
  scopes: string[]
  createdAt: Date
  expiresAt: Date
}
