import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Executor } from '../database/database.ts'
import { type Job, jobQueue, type RunningJob, type TaskOfJob } from './jobs.ts'

/** A kind of job: the name that it is queued under, and the shape of its payload. */
type JobKind<Payload extends TSchema> = {
  readonly name: string
  /**
   * Queue a job in the caller's transaction: it runs after the commit, at least once, and not at all after a rollback.
   */
  queue(executor: Executor, payload: Static<Payload>, options?: Omit<Job, 'task' | 'payload'>): Promise<void>
  /**
   * Name the handler of these jobs, for a module's list of tasks. A payload is checked before it is handled: rows
   * outlive releases, and a backup restores them. A job whose payload has another shape fails, and is retried as any
   * failed job.
   */
  handle(run: (payload: Static<Payload>, running: RunningJob) => Promise<void>): Record<string, TaskOfJob>
}

export function defineJob<Payload extends TSchema>(name: string, payload: Payload): JobKind<Payload> {
  const compiled = Compile(payload)
  return {
    name,
    queue: (executor, value, options) => jobQueue.add(executor, { ...options, task: name, payload: value }),
    handle: (run) => ({
      [name]: (value, running) => {
        if (!compiled.Check(value)) throw new TypeError(`A job of ${name} has a payload of another shape`)
        return run(value, running)
      },
    }),
  }
}
