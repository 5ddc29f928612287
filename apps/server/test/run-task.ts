import type { TaskOfJob } from '../src/platform/jobs/jobs.ts'

/** Run the only one of these tasks by hand, as a worker would. */
export async function runTask(tasks: Record<string, TaskOfJob>, payload: unknown = {}): Promise<void> {
  const [run, ...others] = Object.values(tasks)
  if (run === undefined || others.length > 0) throw new RangeError('Not one task')
  await run(payload, { job: { id: 1 } })
}
