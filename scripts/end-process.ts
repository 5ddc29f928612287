/**
 * End this process when it does not do so by itself: what a failed clean-up leaves open would hold up the whole run. Node's
 * own `--test-force-exit` does so at once, and loses the results that the process has not reported by then.
 */
export function endProcessSoon(): void {
  setTimeout(() => {
    console.error(`${process.argv[1]} left open: ${process.getActiveResourcesInfo().join(', ')}`)
    process.exit()
  }, gracePeriodMs).unref()
}

const gracePeriodMs = 20_000
