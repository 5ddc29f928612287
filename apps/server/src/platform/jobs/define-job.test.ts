import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { runTask } from '../../../test/run-task.ts'
import { defineJob } from './define-job.ts'
import { combineJobs } from './module-jobs.ts'

test('fails a job whose payload has another shape before it is handled', async () => {
  const handled: string[] = []
  const greet = defineJob('greet', Type.Object({ name: Type.String() })).handle(async ({ name }) => {
    handled.push(name)
  })
  await runTask(greet, { name: 'Alice' })
  await runTask(greet, { name: 'Bob', addedByALaterRelease: true })
  for (const payload of [{}, { name: 1 }, null, 'Carol']) await assert.rejects(runTask(greet, payload), /greet/)
  assert.deepEqual(handled, ['Alice', 'Bob'])
})

test('deletes expired rows module by module, by one task that runs each hour', async () => {
  const now = new Date('2026-11-22T12:00:00Z')
  const deleted: string[] = []
  const deleting = (name: string) => ({
    async deleteExpired(at: Date) {
      deleted.push(`${name} ${at.toISOString()}`)
    },
  })
  const jobs = combineJobs([deleting('accounts'), { minutely: ['remind'] }, deleting('rooms')], { now: () => now })
  assert.deepEqual(jobs.minutely, ['remind'])
  const [task = ''] = jobs.hourly
  await runTask({ [task]: jobs.tasks[task] ?? assert.fail('no task') })
  assert.deepEqual(deleted, [`accounts ${now.toISOString()}`, `rooms ${now.toISOString()}`])
})
