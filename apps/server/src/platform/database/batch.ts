import { AsyncLocalStorage } from 'node:async_hooks'

/** More than wait at once on a busy instance; arrays of this size are still one quick statement. */
const maxBatchSize = 100

type Waiting<Ask, Answer> = {
  ask: Ask
  /** Runs what is done for this ask in the operation that it is made in (operation.ts). */
  inContext: <T>(work: () => T) => T
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Answers asks in groups, each in a statement that begins after they were asked. While one group is under way, the next
 * asks wait and then go together: under load, many requests share one round trip and one commit, and alone nobody waits.
 * The statement of a group belongs to the operation of its first ask.
 * @param answerAll answers in the order of the asks; what it throws is thrown to all who wait
 */
export function createBatcher<Ask, Answer>(
  answerAll: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): (ask: Ask) => Promise<Answer> {
  const waiting: Waiting<Ask, Answer>[] = []
  let underWay = false

  async function answerThoseWaiting() {
    while (waiting.length > 0) {
      const asked = waiting.splice(0, maxBatchSize)
      try {
        const [first] = asked
        const answers = await first?.inContext(() => answerAll(asked.map(({ ask }) => ask)))
        for (const [place, { resolve }] of asked.entries()) resolve(answers?.[place] as Answer)
      } catch (error) {
        // A database that is away would be waited for once by each group in turn; they fail together instead.
        for (const { reject } of [...asked, ...waiting.splice(0)]) reject(error)
      }
    }
    underWay = false
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, inContext: AsyncLocalStorage.snapshot(), resolve, reject })
      if (underWay) return
      underWay = true
      // Those that are asked in this very moment go with the first.
      queueMicrotask(answerThoseWaiting)
    })
}
