/** A failover or a full disk fails every request and job: a line for each would fill the disk. */
const lineEveryMs = 1_000

type LogLineLimit = {
  /**
   * Whether a line of this kind may be written now, and how many were left out since the last one; undefined: not now.
   */
  admit(kind: string): { unlogged: number } | undefined
}

/** Let one line a second through for each kind. Kinds must be few. `now` is monotonic, in milliseconds. */
export function createLogLineLimit({ now = () => performance.now() }: { now?: () => number } = {}): LogLineLimit {
  const kinds = new Map<string, { loggedAt: number; unlogged: number }>()
  return {
    admit(kind) {
      const at = now()
      const last = kinds.get(kind)
      if (last !== undefined && at - last.loggedAt < lineEveryMs) {
        last.unlogged++
        return undefined
      }
      kinds.set(kind, { loggedAt: at, unlogged: 0 })
      return { unlogged: last?.unlogged ?? 0 }
    },
  }
}
