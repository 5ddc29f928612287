import { createMailReceiver, maxMailBytes } from '../invitations/replies/receive-mail.ts'
import { readDatabaseFailure } from '../platform/database/database-failure.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type Dependencies, withDatabase } from './operator.ts'

/** EX_TEMPFAIL of sysexits(3): the mail server keeps the mail, and tries again. It returns it for most other codes. */
export const temporaryFailure = 75

/**
 * Take a mail to REPLY_ADDRESS from standard input, as the service does by LMTP. Prints nothing, because mail servers
 * return what is printed to the sender.
 */
export async function receiveReply(dependencies: Dependencies): Promise<number> {
  const content = await readMost(process.stdin)
  try {
    await withDatabase({ ...dependencies, sayOnStderr: () => {} }, async (operator) => {
      const receiver = createMailReceiver(operator)
      try {
        await receiver.receive({ content, recipients: [], isBounce: false })
      } finally {
        await receiver.stop()
      }
    })
    return 0
  } catch (error) {
    const cause = readDatabaseFailure(error)?.cause ?? (error instanceof Error ? error.name : 'unknown')
    dependencies.sayOnStderr(error instanceof StartProblem ? error.message : `The database failed: ${cause}`)
    return temporaryFailure
  }
}

/** Read to the end, or the mail server finds a broken pipe, but keep no more than may be looked at. */
async function readMost(input: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    if (length <= maxMailBytes) chunks.push(Buffer.from(chunk))
    length += chunk.length
  }
  return Buffer.concat(chunks)
}
