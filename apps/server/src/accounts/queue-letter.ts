import type { Tx } from '../../migrations/tables.ts'
import { queueMail } from '../mail/mail-job.ts'
import type { AccountsService } from './accounts-service.ts'
import { type Letter, writeLetter } from './letter.ts'

/** Queues a letter in the transaction of the change that it tells of. */
export const queueLetter = (tx: Tx, { sealedBox }: Pick<AccountsService, 'sealedBox'>, letter: Letter) =>
  queueMail(tx, sealedBox, { to: letter.to, subject: letter.subject, ...writeLetter(letter) })
