import type { Clock } from '../clock.ts'
import type { TaskGroups } from './jobs.ts'

/** What a module does in the background. */
export type ModuleJobs = Partial<TaskGroups> & {
  /** Names of tasks that run each hour, each minute, and once when the service starts. */
  hourly?: readonly string[]
  minutely?: readonly string[]
  atStart?: readonly string[]
  /** Delete the module's rows whose time is over; run once an hour. */
  deleteExpired?(now: Date): Promise<unknown>
}

export type AppJobs = Required<Omit<ModuleJobs, 'deleteExpired'>>

const deleteExpiredTask = 'delete-expired'

/**
 * Everything that the modules do in the background. Expired rows are deleted by one task, one module after the other.
 */
export function combineJobs(modules: readonly ModuleJobs[], clock: Clock): AppJobs {
  const deleteExpired = async () => {
    for (const module of modules) await module.deleteExpired?.(clock.now())
  }
  return {
    tasks: Object.assign({ [deleteExpiredTask]: deleteExpired }, ...modules.map(({ tasks }) => tasks)),
    mailTasks: Object.assign({}, ...modules.map(({ mailTasks }) => mailTasks)),
    pushTasks: Object.assign({}, ...modules.map(({ pushTasks }) => pushTasks)),
    hourly: [deleteExpiredTask, ...modules.flatMap(({ hourly = [] }) => hourly)],
    minutely: modules.flatMap(({ minutely = [] }) => minutely),
    atStart: modules.flatMap(({ atStart = [] }) => atStart),
  }
}
