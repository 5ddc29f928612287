import type { Tx } from '../../migrations/tables.ts'
import { jobQueue } from '../platform/jobs.ts'
import type { AccountsService } from './accounts-service.ts'
import { type Letter, writeLetter } from './letter.ts'

/** Queues a letter in the transaction of the change that it tells of. Sealed, because it holds a secret link. */
export async function queueLetter(tx: Tx, { sealedBox }: Pick<AccountsService, 'sealedBox'>, letter: Letter) {
  const mail = JSON.stringify({ to: letter.to, subject: letter.subject, ...writeLetter(letter) })
  await jobQueue.add(tx, { task: 'send-mail', payload: { sealed: sealedBox.seal(mail, 'mail').toString('base64') } })
}
