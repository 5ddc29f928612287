import type { Generated } from 'kysely'

export type PasskeyTables = {
  passkey: PasskeyTable
  passkeyChallenge: { challengeHash: Buffer; sessionId: string | null; expiresAt: Date }
}

type PasskeyTable = {
  id: string
  accountId: string
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  synced: boolean
  name: string
  createdAt: Date
  lastUsedAt: Generated<Date | null>
  suspectedAt: Generated<Date | null>
}
