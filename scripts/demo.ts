import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { connect } from '@parley/client'
import { readService } from '@parley/contract'
import { makeApps } from './demo/demo-apps.ts'
import { makeAttendance } from './demo/demo-attendance.ts'
import { makeMeetings, scheduleForNow } from './demo/demo-meetings.ts'
import { emailOf, makePeople, roles } from './demo/people.ts'
import { serviceEnvironment, serviceFlags } from './service-flags.ts'

/**
 * npm run demo: the service in a data folder of its own, with accounts, meetings and apps. They are created once, over
 * the API, except for a call that was held; later runs reuse them.
 */
const root = fileURLToPath(new URL('../', import.meta.url))
const dataDir = resolve(root, process.env.DATA_DIR ?? 'data/demo')
const passwordFile = join(dataDir, 'demo-password')

await mkdir(dataDir, { recursive: true, mode: 0o700 })
const service = spawn(process.execPath, [...serviceFlags, 'apps/server/src/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    ...serviceEnvironment,
    DATA_DIR: dataDir,
    // The demo must not reach a real database, mail server or website.
    DATABASE_URL: '',
    DATABASE_URL_FILE: '',
    SMTP_URL: '',
    SMTP_URL_FILE: '',
    APP_CHECKS: 'off',
    SIGN_UP: 'open',
    EMAIL_VERIFICATION: 'off',
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void service.kill(signal))
service.on('exit', (code) => {
  process.exitCode = code ?? 0
})

/** Perform the first steps that a new service prints for its operator. */
const firstSteps = /^- (?:next|set-up): +(\S+)/
let setUpCode: string | undefined

createInterface(service.stdout).on('line', (line) => {
  const step = firstSteps.exec(line)
  if (step === null) console.log(line)
  else if (line.startsWith('- set-up')) setUpCode = step[1]
  const address = /^- listens: +(http:\S+)$/.exec(line)?.[1]
  if (address !== undefined) void populate(address).catch(giveUp)
})

async function populate(address: string): Promise<void> {
  // Avoids resolving a host name.
  const base = address.replace('localhost', '127.0.0.1')
  const { firstRun } = await connect({ base }).call(readService)
  if (firstRun) {
    const password = `demo-${randomBytes(6).toString('hex')}`
    const people = await makePeople(base, password, setUpCode)
    const { kickOff } = await makeMeetings(people, Temporal.Now.plainDateISO('UTC'))
    await makeAttendance(dataDir, kickOff)
    await makeApps(people)
    await scheduleForNow(people, Temporal.Now.instant())
    // Written last, so that an incomplete demo has none.
    await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  }
  const password = (await readFile(passwordFile, 'utf8')).trim()
  const signIns = Object.entries(roles).map(([name, role]) => `- ${emailOf(name).padEnd(18)} ${role}`)
  console.log([`Sign in with the password ${password} as`, ...signIns].join('\n'))
}

function giveUp(error: unknown) {
  console.error(`The demo could not be made (${error}). Delete ${dataDir} and try again.`)
  service.kill('SIGTERM')
}
