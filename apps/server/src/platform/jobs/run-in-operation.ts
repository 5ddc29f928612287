import { endOperation, type Operation, operations } from '../operation.ts'
import { readTraceparent, type Tracing, traceIdOf } from '../trace.ts'
import { keepNamesOfJob, takeTraceparent } from './job-trace.ts'
import type { TaskOfJob } from './jobs.ts'

type Tasks = Record<string, TaskOfJob>

/**
 * Wrap the tasks of jobs so that each runs as an operation of its own, in the trace of the request or job that queued
 * it.
 */
export function runInOperations<Jobs extends { tasks: Tasks; mailTasks: Tasks }>(
  jobs: Jobs,
  tracing: Tracing | undefined,
): Jobs {
  const wrap = (tasks: Tasks): Tasks =>
    Object.fromEntries(Object.entries(tasks).map(([task, run]) => [task, runInOperation(task, run, tracing)]))
  return { ...jobs, tasks: wrap(jobs.tasks), mailTasks: wrap(jobs.mailTasks) }
}

function runInOperation(task: string, run: TaskOfJob, tracing: Tracing | undefined): TaskOfJob {
  return async (queued, running) => {
    const { payload, traceparent: sent } = takeTraceparent(queued)
    const received = readTraceparent(sent)
    const { id: jobId } = running.job
    const span = tracing?.startSpan(startOfJob(task, jobId), received)
    const traceparent = span?.traceparent ?? received
    const names = { task, jobId, ...(traceparent !== undefined && { traceId: traceIdOf(traceparent) }) }
    const operation: Operation = { names, traceparent, span: span?.isRecorded ? span : undefined }
    try {
      await operations.run(operation, () => run(payload, running))
      span?.end()
    } catch (error) {
      span?.end({ error })
      keepNamesOfJob(running.job, names)
      throw error
    } finally {
      endOperation(operation)
    }
  }
}

/** https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/ */
const startOfJob = (task: string, jobId: string | number) =>
  ({
    name: `process ${task}`,
    kind: 'consumer',
    attributes: {
      'messaging.system': 'graphile_worker',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.destination.name': task,
      'messaging.message.id': String(jobId),
    },
  }) as const
