/** More than wait at once on a busy instance; an array of this size is still one quick statement. */
const mostTogether = 100

type Waiting<Key, Row> = { key: Key; resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }

/**
 * Looks up rows by key, each in a statement that begins after it was asked for. While one statement is under way, the
 * next keys wait and then go together: under load, many requests share one round trip, and alone nobody waits.
 * `ask` answers each key at its place; what is not found is undefined there.
 */
export function createLookUpsTogether<Key, Row>(
  ask: (keys: readonly Key[]) => Promise<readonly (Row | undefined)[]>,
): (key: Key) => Promise<Row | undefined> {
  const waiting: Waiting<Key, Row>[] = []
  let underWay = false

  async function askForThoseWaiting() {
    underWay = true
    while (waiting.length > 0) {
      const asked = waiting.splice(0, mostTogether)
      try {
        const rows = await ask(asked.map(({ key }) => key))
        for (const [place, { resolve }] of asked.entries()) resolve(rows[place])
      } catch (error) {
        // A database that is away would be waited for once by each group in turn; they fail together instead.
        for (const { reject } of [...asked, ...waiting.splice(0)]) reject(error)
      }
    }
    underWay = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!underWay) void askForThoseWaiting()
    })
}
