export type ProviderTables = {
  providerIdentity: { issuer: string; subject: string; accountId: string; createdAt: Date }
  providerSignIn: ProviderSignInTable
}

type ProviderSignInTable = {
  stateHash: Buffer
  browserHash: Buffer
  sealedSecrets: Buffer
  returnTo: string
  expiresAt: Date
}
