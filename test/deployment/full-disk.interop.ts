import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo, expectAnswer, type Outcome } from '../../apps/server/test/one-connection.ts'
import { detailsPath, password, standUp } from '../../apps/server/test/people.ts'
import { runService, type ServiceProcess } from '../../apps/server/test/processes/run-service.ts'
import { signUp } from '../../apps/server/test/processes/service-people.ts'

/** Parley and its private PostgreSQL with DATA_DIR on a small file system that fills up under load. */

/** A new database takes 66 MB; PostgreSQL's log needs space for another segment of 16 MB. */
const diskSize = '160m'
const writerCount = 4
/** Enough refusals to exclude chance. */
const enoughRefusals = 500
/** Clients retry after this delay. */
const pauseMs = 20
/** Log lines of one cause are a second apart by the service's clock; a line's time is truncated to milliseconds. */
const minLineGapMs = 990

type Acknowledged = { _id: string; topic: string }

function requireSuccess(command: string, words: readonly string[], needed: string) {
  const { error, status, stderr } = spawnSync(command, words, { encoding: 'utf8' })
  if (status === 0) return
  throw new Error(`NOT RUN: ${needed} (${command} ${words.join(' ')}: ${error?.message ?? stderr.trim()})`)
}

/** Mount an empty file system of `diskSize`. The caller unmounts it; if the process ends before that, its exit does. */
async function mountDisk(): Promise<{ folder: string; unmount(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-disk-'))
  const options = ['-t', 'tmpfs', '-o', `size=${diskSize},mode=0755`, 'tmpfs', folder]
  try {
    requireSuccess('mount', options, 'this test needs root, mount(8) and the right to mount a tmpfs')
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
  const unmountLazily = () => void spawnSync('umount', ['--lazy', folder])
  process.once('exit', unmountLazily)
  return {
    folder,
    async unmount() {
      process.off('exit', unmountLazily)
      unmountLazily()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function runOnSmallDisk(t: TestContext) {
  const { folder, unmount } = await mountDisk()
  const environment = { DATA_DIR: join(folder, 'data'), RATE_LIMITS: 'off' }
  // This call registers the hook that ends the service; it runs before the hook that unmounts.
  const starting = runService(t, { environment })
  t.after(unmount)
  return { folder, service: await starting }
}

/** Fill the disk with one file. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (const size of [1024 ** 2, 4096]) await writeUntilFull(file, Buffer.alloc(size))
  } finally {
    await file.close()
  }
}

async function writeUntilFull(file: FileHandle, block: Buffer) {
  try {
    for (;;) await file.writeFile(block)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** Schedule meetings over several connections until stopped; record each reply and each acknowledged meeting. */
function keepScheduling(t: TestContext, { base }: ServiceProcess, token: string) {
  const acknowledged: Acknowledged[] = []
  const refusals: Outcome[] = []
  const wrong: Outcome[] = []
  let isStopped = false
  const write = async (_: unknown, writer: number) => {
    const connection = connectTo(base)
    for (let count = 0; !isStopped; count++) {
      const topic = `Meeting ${count} of writer ${writer}`
      const body = standUp({ topic, description: `${topic}. `.repeat(40) })
      const outcome = await connection.send('POST', '/api/meeting', { token, body })
      if (outcome.kind === 'answered' && outcome.status === 200) {
        acknowledged.push({ _id: JSON.parse(outcome.body).meetingDetails._id, topic })
      } else {
        const isRefusal = outcome.kind === 'answered' && outcome.status === 503
        const output = isRefusal && /^\d+$/.test(String(outcome.headers['retry-after']))
        ;(output ? refusals : wrong).push(outcome)
      }
      await sleep(pauseMs)
    }
    connection.close()
  }
  const writers = Array.from({ length: writerCount }, write)
  const stop = async () => {
    isStopped = true
    await Promise.all(writers)
  }
  t.after(stop)
  return { acknowledged, refusals, wrong, stop }
}

/** Retry until the condition holds; the test's time limit ends a futile wait. */
async function until(holds: () => boolean | Promise<boolean>) {
  while (!(await holds())) await sleep(pauseMs)
}

const statusOf = async (base: string, path: string) => (await fetch(base + path)).status

type LogLine = { time: string; level: string; failure?: string; task?: string }

const logLinesOf = (output: string): LogLine[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/** The times between failure lines of the same cause, in milliseconds. */
function gapsOf(lines: readonly LogLine[]): number[] {
  const byCause = Map.groupBy(lines, ({ failure }) => failure)
  return [...byCause.values()].flatMap((same) =>
    same.slice(1).map(({ time }, index) => Date.parse(time) - Date.parse(same[index]?.time ?? '')),
  )
}

test('on a full disk only writes are refused, and they succeed again once space is freed, without a restart', async (t) => {
  const { folder, service } = await runOnSmallDisk(t)
  const { base } = service
  const olga = await signUp(base, 'Olga')
  const load = keepScheduling(t, service, olga.token)
  await until(() => load.acknowledged.length >= 50)

  const ballast = join(folder, 'ballast')
  await fill(ballast)
  await until(() => load.refusals.length >= enoughRefusals || load.wrong.length > 0)
  assert.deepEqual(load.wrong, [], 'every refused write is 503 with Retry-After')
  assert.equal(await statusOf(base, '/healthz/database'), 503)
  assert.equal(await statusOf(base, '/readyz'), 200)
  const [first] = load.acknowledged
  assert.ok(first)
  const { body } = await expectAnswer(base, 200, 'GET', detailsPath(first), { token: olga.token })
  assert.equal(body[0].topic, first.topic)
  await expectAnswer(base, 200, 'GET', '/api/auth/security-log', { token: olga.token })

  await rm(ballast)
  const before = load.acknowledged.length
  await until(() => load.acknowledged.length >= before + 50 || load.wrong.length > 0)
  await load.stop()
  assert.deepEqual(load.wrong, [], 'no other answer on the way back')
  await until(async () => (await statusOf(base, '/healthz/database')) === 200)
  await expectAnswer(base, 200, 'POST', '/api/auth/sign-in', { body: { email: olga.email, password } })

  for (const { _id, topic } of load.acknowledged) {
    const { body: details } = await expectAnswer(base, 200, 'GET', detailsPath({ _id }), { token: olga.token })
    assert.equal(details[0].topic, topic)
  }
  const lines = logLinesOf(service.output())
  const failures = lines.filter(({ failure }) => failure !== undefined)
  assert.ok(failures.length > 0, service.output())
  assert.deepEqual(
    gapsOf(failures).filter((gap) => gap < minLineGapMs),
    [],
    'one line a second for each cause',
  )
  const jobLines = lines.filter(({ task }) => task !== undefined)
  const others = lines.filter(({ failure, task }) => failure === undefined && task === undefined)
  assert.deepEqual(others, [], 'no other line than of failures and of jobs')
  t.diagnostic(
    `${load.acknowledged.length} acknowledged, ${load.refusals.length} refused, ${failures.length} lines of failures, ` +
      `${jobLines.length} of attempts of jobs`,
  )
})
