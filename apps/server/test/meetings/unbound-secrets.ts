import { openSecrets } from '../../src/meetings/secrets/meeting-secrets.ts'
import type { TestApp } from '../start-app.ts'

/** The secrets of a meeting as earlier versions encrypted them: copies of its row can be read, too. */
export async function unboundSecretsOf({ database, sealedBox }: TestApp, meetingId: string): Promise<Buffer> {
  const found = database.selectFrom('meeting').select(['id', 'sealedSecrets']).where('id', '=', meetingId)
  return sealedBox.seal(
    JSON.stringify(openSecrets(sealedBox, await found.executeTakeFirstOrThrow())),
    'meeting secrets',
  )
}
