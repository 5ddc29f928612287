import type { SecretRow } from './secret-store.ts'

export const viewSecret = (secret: SecretRow) => ({
  _id: secret.id,
  name: secret.name,
  sandbox: secret.sandbox,
  forPlayground: secret.forPlayground,
  createdOn: secret.createdAt.toISOString(),
  expiresOn: secret.expiresAt?.toISOString() ?? null,
  lastUsedOn: secret.lastUsedAt?.toISOString() ?? null,
})
