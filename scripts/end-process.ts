/**
 * End this process if it does not end by itself: resources that a failed clean-up leaves open would block the whole
 * run. Node's own `--test-force-exit` ends it immediately and loses results that have not been reported yet.
 */
export function endProcessSoon(): void {
  setTimeout(() => {
    console.error(`${process.argv[1]} left open: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit()
  }, gracePeriodMs).unref()
}

const gracePeriodMs = 20_000
