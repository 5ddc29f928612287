/** More than wait at once on a busy instance; an array of this size is still one quick statement. */
const mostTogether = 100

type Waiting<Row> = { key: Buffer; resolve: (row: Row | undefined) => void; reject: (error: unknown) => void }

/**
 * Looks up rows by key, each in a statement that begins after it was asked for. While one statement is under way, the
 * next keys wait and then go together: under load, many requests share one round trip, and alone nobody waits.
 */
export function createLookUpsTogether<Row>(
  ask: (keys: readonly Buffer[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Buffer,
): (key: Buffer) => Promise<Row | undefined> {
  const waiting: Waiting<Row>[] = []
  let underWay = false

  async function askForThoseWaiting() {
    underWay = true
    while (waiting.length > 0) {
      const asked = waiting.splice(0, mostTogether)
      try {
        const rows = await ask(asked.map(({ key }) => key))
        const byKey = new Map(rows.map((row) => [keyOf(row).toString('latin1'), row]))
        for (const { key, resolve } of asked) resolve(byKey.get(key.toString('latin1')))
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
