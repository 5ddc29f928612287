import { type Operation, operations } from '../operation.ts'

/**
 * The payload of a job that is queued now: with the trace of the operation that queues it, beside what it says itself.
 * Tasks do not see it (run-in-operation.ts).
 */
export function addTraceparent(payload: unknown): unknown {
  const traceparent = currentTraceparent()
  if (traceparent === undefined || !isObject(payload)) return payload
  return { ...payload, traceparent }
}

/** For a statement that writes the payload itself. */
export const currentTraceparent = (): string | undefined => operations.getStore()?.traceparent

/** What was queued, apart from the trace. */
export function takeTraceparent(payload: unknown): { payload: unknown; traceparent: unknown } {
  if (!isObject(payload) || !('traceparent' in payload)) return { payload, traceparent: undefined }
  const { traceparent, ...rest } = payload
  return { payload: rest, traceparent }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Of jobs that have failed, until the line about it is written. */
const namesByJob = new WeakMap<object, Operation['names']>()

export const keepNamesOfJob = (job: object, names: Operation['names']) => void namesByJob.set(job, names)
export const namesOfJob = (job: object): Operation['names'] => namesByJob.get(job) ?? {}
