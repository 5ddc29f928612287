import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Counter, Gauge, Histogram } from 'prom-client'
import { defineStatement } from '../platform/database/define-statement.ts'
import type { TaskOfJob, Tasks } from '../platform/jobs/jobs.ts'
import type { Metrics } from './metrics.ts'

/** In seconds: a statement or two, or a mail server that is slow. */
const buckets = [0.01, 0.05, 0.25, 1, 5, 30]

/** `ready`: to be run now; `scheduled`: later; `failed`: given up after the last try. */
const statesStatement = defineStatement({
  name: 'count-jobs',
  parameters: {},
  columns: { task: 'text', state: 'text', count: 'integer', age: 'double precision' },
  text: () => sql`select task_identifier as task,
    case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
      when run_at > now() then 'scheduled' else 'ready' end as state,
    count(*)::int as count, greatest(0, extract(epoch from now() - min(run_at)))::float as age
  from graphile_worker.jobs group by 1, 2`,
})

/** Measure the jobs of all instances. `mailTasks` names the tasks that send emails. */
export function observeQueuedJobs({ registry, beforeScrape }: Metrics, pool: Pool, mailTasks: readonly string[]) {
  const registers = [registry]
  const jobs = new Gauge({
    name: 'parley_jobs',
    help: 'Jobs in the database by task and state (ready, scheduled, running, failed)',
    labelNames: ['task', 'state'],
    registers,
  })
  const oldest = new Gauge({
    name: 'parley_job_oldest_seconds',
    help: 'How long the oldest job of a task and state has been due',
    labelNames: ['task', 'state'],
    registers,
  })
  const oldestMail = new Gauge({
    name: 'parley_mail_oldest_seconds',
    help: 'How long the oldest due mail has waited; 0: none waits',
    registers,
  })
  beforeScrape(async () => {
    const rows = await statesStatement.executeOn(pool, {})
    jobs.reset()
    oldest.reset()
    for (const { task, state, count, age } of rows) {
      jobs.set({ task, state }, count)
      oldest.set({ task, state }, age)
    }
    const waiting = rows.filter(({ task, state }) => mailTasks.includes(task) && state === 'ready')
    oldestMail.set(Math.max(0, ...waiting.map(({ age }) => age)))
  })
}

/** Count and time the tasks that this process runs. */
export function observeTasks<Group extends string>(
  { registry }: Metrics,
  groups: Readonly<Record<Group, Tasks>>,
): Record<Group, Tasks> {
  const registers = [registry]
  const runs = new Counter({
    name: 'parley_job_runs_total',
    help: 'Jobs that this process has run, by task and outcome (done, failed)',
    labelNames: ['task', 'outcome'],
    registers,
  })
  const durations = new Histogram({
    name: 'parley_job_duration_seconds',
    help: 'How long jobs took',
    labelNames: ['task'],
    buckets,
    registers,
  })
  const observed = (task: string, run: TaskOfJob): TaskOfJob => {
    return async (payload, running) => {
      const end = durations.startTimer({ task })
      try {
        await run(payload, running)
        runs.inc({ task, outcome: 'done' })
      } catch (error) {
        runs.inc({ task, outcome: 'failed' })
        throw error
      } finally {
        end()
      }
    }
  }
  const observedGroups = Object.entries<Tasks>(groups).map(([group, tasks]) => [
    group,
    Object.fromEntries(Object.entries(tasks).map(([task, run]) => [task, observed(task, run)])),
  ])
  return Object.fromEntries(observedGroups)
}
