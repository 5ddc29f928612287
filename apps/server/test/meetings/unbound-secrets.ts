import { openSecrets } from '../../src/meetings/secrets/meeting-secrets.ts'
import type { TestApp } from '../start-app.ts'

/** The secrets of a meeting as earlier versions encrypted them: copies of its row can be read, too. */
export async function unboundSecretsOf({ database, encryption }: TestApp, meetingId: string): Promise<Buffer> {
  const found = database.selectFrom('meeting').select(['id', 'sealedSecrets']).where('id', '=', meetingId)
  return encryption.encrypt(
    JSON.stringify(openSecrets(encryption, await found.executeTakeFirstOrThrow())),
    'meeting secrets',
  )
}
