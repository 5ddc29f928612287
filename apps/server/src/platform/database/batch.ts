import { type Operation, operations } from '../operation.ts'

/** More requests than ever wait at once on a busy instance; a statement with arrays of this size is still fast. */
const maxBatchSize = 100

type Waiting<Request, Answer> = {
  request: Request
  operation: Operation | undefined
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Answer requests in groups, each by a statement that begins after they were made. While one group is running, the
 * next requests wait and then go together: under load, many share one round trip and one commit, and a single one does
 * not wait. The statement of a group belongs to the operation of its first request.
 * @param answerAll returns the answers in the order of the requests; what it throws is thrown to all that wait
 */
export function createBatcher<Request, Answer>(
  answerAll: (requests: readonly Request[]) => Promise<readonly Answer[]>,
): (request: Request) => Promise<Answer> {
  const waiting: Waiting<Request, Answer>[] = []
  let isRunning = false

  async function answerWaiting() {
    while (waiting.length > 0) {
      const group = waiting.splice(0, maxBatchSize)
      try {
        // A snapshot of Node's would take 2 µs for each request.
        const answers = await operations.run(group[0]?.operation, () => answerAll(group.map(({ request }) => request)))
        for (const [index, { resolve }] of group.entries()) resolve(answers[index] as Answer)
      } catch (error) {
        // Fail all waiting requests at once: otherwise each group would wait in turn for an unavailable database.
        for (const { reject } of [...group, ...waiting.splice(0)]) reject(error)
      }
    }
    isRunning = false
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, operation: operations.getStore(), resolve, reject })
      if (isRunning) return
      isRunning = true
      // Include all requests of the same turn of the event loop.
      queueMicrotask(answerWaiting)
    })
}
