import { type Operation, operations } from '../operation.ts'

/** Add the current operation's trace to the payload of a job. Tasks do not see it (run-in-operation.ts). */
export function addTraceparent(payload: unknown): unknown {
  const traceparent = currentTraceparent()
  if (traceparent === undefined || !isObject(payload)) return payload
  return { ...payload, traceparent }
}

/** For statements that write the payload themselves. */
export const currentTraceparent = (): string | undefined => operations.getStore()?.traceparent

/** Separate the payload from the trace. */
export function takeTraceparent(payload: unknown): { payload: unknown; traceparent: unknown } {
  if (!isObject(payload) || !('traceparent' in payload)) return { payload, traceparent: undefined }
  const { traceparent, ...rest } = payload
  return { payload: rest, traceparent }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The names of failed jobs' operations, until their failure is logged. */
const namesByJob = new WeakMap<object, Operation['names']>()

export const keepNamesOfJob = (job: object, names: Operation['names']) => void namesByJob.set(job, names)
export const namesOfJob = (job: object): Operation['names'] => namesByJob.get(job) ?? {}
