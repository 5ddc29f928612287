import { open } from 'node:fs/promises'
import type { Logger } from 'pino'

/** Streams that one instance keeps open (docs/scaling.md, "Sizing"). */
const promisedStreams = 10_000
/** Database connections, files, the log, connections to the media engine. */
const otherDescriptors = 500
export const neededDescriptors = promisedStreams + otherDescriptors

const checkIntervalMs = 1_000
/** At most one line a minute. */
const repeatAfterMs = 60_000

/**
 * Read the limit of open file descriptors of this process; undefined when there is none. Node has raised it to the hard
 * limit.
 */
export function readDescriptorLimit(): number | undefined {
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report
  // Otherwise the report resolves the host names of open connections.
  report.excludeNetwork = true
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : undefined
}

/** A warning for the log at startup when the limit is below what an instance needs. */
export const descriptorWarning = (limit: number | undefined): string | undefined =>
  limit === undefined || limit >= neededDescriptors
    ? undefined
    : `This process may open ${limit} files and connections (ulimit -n), and 10,000 open streams need ${neededDescriptors}: ` +
      'beyond the limit connections are closed without an answer. Raise it: LimitNOFILE= of systemd, ulimits of containers.'

/**
 * Log when no file descriptor is left. The system then accepts connections and closes them at once, without an error in
 * Node; opening a file reveals it.
 */
export function watchDescriptors(log: Logger): { stop(): void } {
  let lastLoggedAtMs = Number.NEGATIVE_INFINITY
  let isOut = false
  const check = async () => {
    try {
      const file = await open('/dev/null')
      await file.close()
      if (isOut) log.warn('there are file descriptors again: connections are accepted')
      isOut = false
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EMFILE' && code !== 'ENFILE') return
      isOut = true
      if (performance.now() - lastLoggedAtMs < repeatAfterMs) return
      lastLoggedAtMs = performance.now()
      log.error({ code }, 'no file descriptor is left (ulimit -n): new connections are closed without an answer')
    }
  }
  const timer = setInterval(() => void check(), checkIntervalMs).unref()
  return { stop: () => clearInterval(timer) }
}
