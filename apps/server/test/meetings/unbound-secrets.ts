import { decryptSecrets } from '../../src/meetings/secrets/meeting-secrets.ts'
import type { TestApp } from '../start-app.ts'

/** Encrypt a meeting's secrets as earlier versions did; copies of its row can be decrypted, too. */
export async function unboundSecretsOf({ database, encryption }: TestApp, meetingId: string): Promise<Buffer> {
  const found = database.selectFrom('meeting').select(['id', 'sealedSecrets']).where('id', '=', meetingId)
  return encryption.encrypt(
    JSON.stringify(decryptSecrets(encryption, await found.executeTakeFirstOrThrow())),
    'meeting secrets',
  )
}
