/**
 * The maximum of lines with a cause of their own for one app, environment, kind and hour. Causes quote what was sent,
 * such as a redirect URI, so that a stranger can cause any number of different ones. An app in development has a few.
 */
export const maxCausesInHour = 50

/** The cause of the line that counts all further refusals of the hour. */
export const otherCauses = `Refusals of other causes than the first ${maxCausesInHour} of this hour.`

/** The newest requests whose ids a line keeps: the ones that people are likely to ask about. */
export const maxRequestIds = 20

/** The place of a refusal: refusals of the same place share a line. */
export type RefusalLine = { appId: string; sandbox: boolean; kind: string; cause: string; hour: Date }

export type CountedRefusals = RefusalLine & {
  count: number
  /** The newest first. */
  requestIds: readonly string[]
  first: Date
  last: Date
}

const hourMs = 60 * 60 * 1000

/** Return the beginning of the hour in which refusals share a line. */
export const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / hourMs) * hourMs)

/** Return the key of a line, the same for all refusals that share it. */
export const keyOfLine = ({ appId, sandbox, kind, cause, hour }: RefusalLine): string =>
  JSON.stringify([appId, hour.getTime(), kind, sandbox, cause])

/** Add refusals to those of the same line. */
export const addRefusals = <Counted extends CountedRefusals>(counted: Counted, more: CountedRefusals): Counted => ({
  ...counted,
  count: counted.count + more.count,
  requestIds: [...more.requestIds, ...counted.requestIds].slice(0, maxRequestIds),
  first: new Date(Math.min(counted.first.getTime(), more.first.getTime())),
  last: new Date(Math.max(counted.last.getTime(), more.last.getTime())),
})

/**
 * Assign refusals, the oldest first, to the lines of their hour: to the line of their cause, or to the common line once
 * there are `maxCausesInHour`. The result has each line once, in an order in which concurrent writers cannot deadlock.
 */
export function planRefusalLines(
  refusals: readonly CountedRefusals[],
  known: readonly RefusalLine[],
): CountedRefusals[] {
  const keys = new Set(known.map(keyOfLine))
  const causesOf = new Map<string, number>()
  const groupOf = (line: RefusalLine) => keyOfLine({ ...line, cause: '' })
  const countCause = (line: RefusalLine) => causesOf.set(groupOf(line), (causesOf.get(groupOf(line)) ?? 0) + 1)
  for (const line of known) if (line.cause !== otherCauses) countCause(line)

  const lines = new Map<string, CountedRefusals>()
  for (const refusal of refusals) {
    const isKnown = keys.has(keyOfLine(refusal)) || refusal.cause === otherCauses
    const hasRoom = (causesOf.get(groupOf(refusal)) ?? 0) < maxCausesInHour
    const line = isKnown || hasRoom ? refusal : { ...refusal, cause: otherCauses }
    const key = keyOfLine(line)
    if (!isKnown && hasRoom) {
      keys.add(key)
      countCause(line)
    }
    const before = lines.get(key)
    lines.set(key, before === undefined ? line : addRefusals(before, line))
  }
  return [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line)
}
