/**
 * End this process when it does not end by itself: resources that a failed clean-up leaves open would block the whole run.
 * Node's own `--test-force-exit` ends it at once and loses results that the process has not reported yet.
 */
export function endProcessSoon(): void {
  setTimeout(() => {
    console.error(`${process.argv[1]} left open: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit()
  }, gracePeriodMs).unref()
}

const gracePeriodMs = 20_000
