import { execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Debian's own Python: another one that comes first on the PATH does not find Debian's packages. */
export const debianPython = '/usr/bin/python3'
const reader = fileURLToPath(new URL('python/read_calendars.py', import.meta.url))
const run = promisify(execFile)

const modules = [
  ['icalendar', 'python3-icalendar'],
  ['recurring_ical_events', 'python3-recurring-ical-events'],
  ['gi', 'python3-gi'],
  ['aiosmtpd', 'python3-aiosmtpd'],
] as const

/** @throws Error that says what to install */
export async function requireDebianReaders(): Promise<void> {
  const missing: string[] = []
  for (const [module, name] of modules) {
    await run(debianPython, ['-c', `import ${module}`]).catch(() => missing.push(name))
  }
  const libical = "import gi; gi.require_version('ICalGLib', '3.0')"
  await run(debianPython, ['-c', libical]).catch(() => missing.push('gir1.2-ical-3.0'))
  if (missing.length === 0) return
  throw new Error(
    `Not all of Debian’s calendar readers are installed. Run scripts/install-interop-tools.sh, or install: ${missing.join(', ')}.`,
  )
}

export type ReadRequest = { text: string; from: Date; until: Date }

/** The output of read_calendars.py for a calendar. */
export type Reading = {
  texts: Record<'method' | 'uid' | 'summary' | 'description' | 'location' | 'status' | 'organizer', string | null> & {
    organizerName: string | null
    sequence: number
    attendees: string[]
  }
  /** Dates as `start/end` in UTC. */
  icalendar: string[]
  libical: string[]
  /** By libical's tables of RFC 5546. */
  isAllowed: boolean
  errors: number
}

/** Start a process that reads calendars one after the other. */
export function startReaders() {
  const child = spawn(debianPython, [reader], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    async read(request: ReadRequest): Promise<Reading> {
      child.stdin.write(`${JSON.stringify(request)}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error('The readers ended before they said anything')
      return JSON.parse(value)
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await ended
    },
  }
}
