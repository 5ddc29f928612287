const pollMs = 500
/** The media server reports every second, and sound comes fifty times a second. */
const silenceMs = 2000
/** With fewer packets before the silence, everyone may be muted, and nothing is missing. */
const minPackets = 10

/** The packets that had arrived at a time. */
type Count = { atMs: number; packets: number }

/** Whether media is missing, by the counts of the last seconds in order: it came, and comes no more. */
export function isSilent(counts: readonly Count[]): boolean {
  const last = counts.at(-1)
  const since = counts.findLast(({ packets }) => packets !== last?.packets)
  if (last === undefined || since === undefined || last.atMs - since.atMs < silenceMs) return false
  const before = counts.find(({ atMs }) => atMs >= since.atMs - silenceMs)
  return last.packets - (before?.packets ?? last.packets) >= minPackets
}

/** Report when media stops to arrive, and when it arrives again, until `signal`. */
export function watchLine(
  readPackets: () => Promise<number | undefined>,
  report: (silent: boolean) => void,
  nowMs: () => number,
  signal: AbortSignal,
): void {
  let counts: Count[] = []
  let lastPacketMs = nowMs()
  const timer = setInterval(async () => {
    const packets = await readPackets().catch(() => undefined)
    if (packets === undefined || signal.aborted) return
    const atMs = nowMs()
    if (packets !== counts.at(-1)?.packets) lastPacketMs = atMs
    // What was before the silence says whether there was anything to miss.
    counts = [...counts, { atMs, packets }].filter((count) => count.atMs >= lastPacketMs - 2 * silenceMs)
    report(isSilent(counts))
  }, pollMs)
  signal.addEventListener('abort', () => clearInterval(timer))
}

/** The packets that all connections of a page have received, of media and of reports on it. */
export async function countPackets(
  connections: readonly { getStats(): Promise<RTCStatsReport> | undefined }[],
): Promise<number> {
  const reports = await Promise.all(connections.map((connection) => connection.getStats()))
  return reports
    .flatMap((report) => [...(report?.values() ?? [])])
    .filter(({ type }) => type === 'transport')
    .reduce((sum, { packetsReceived = 0 }) => sum + packetsReceived, 0)
}
