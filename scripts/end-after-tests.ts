import { after } from 'node:test'

/**
 * Loaded into each process of a test file: what a failed clean-up leaves open ends, and the run with it. Node's own
 * `--test-force-exit` does so at once, and loses what the process has not told by then.
 */
const patienceMs = 20_000

if (process.env.NODE_TEST_CONTEXT !== undefined) {
  after(() => {
    setTimeout(() => {
      console.error(`${process.argv[1]} left open: ${process.getActiveResourcesInfo().join(', ')}`)
      process.exit()
    }, patienceMs).unref()
  })
}
