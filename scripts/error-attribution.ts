import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks'
import { tracingChannel } from 'node:diagnostics_channel'

/**
 * Import this before `node:test`. When an error is thrown outside the promise that a test returns, Node's test runner
 * fails the test that caused it, and follows every promise of the process to know which test that was: a third of the
 * processor time of our tests. An `AsyncLocalStorage` knows it for almost nothing, through the channel on which the
 * runner announces each test.
 */
const { createHook, executionAsyncId } = asyncHooks
const runningTest = new AsyncLocalStorage<{ id: number }>()
tracingChannel('node.test').start.bindStore(runningTest, () => ({ id: executionAsyncId() }))

// The runner takes these two functions from the module when it loads.
asyncHooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false })
asyncHooks.executionAsyncId = () => runningTest.getStore()?.id ?? executionAsyncId()
