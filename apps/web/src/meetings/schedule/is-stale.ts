import { ProblemError } from '@parley/client'

/** Whether a change was refused because the meeting had been changed since it was read (412). */
export const isStale = (error: unknown) => error instanceof ProblemError && error.problem.code === 'stale_version'
