import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { debianPython, findMissingPackages, requireNothingMissing } from '../helpers/debian-python.ts'

const reader = fileURLToPath(new URL('python/read_calendars.py', import.meta.url))

/** @throws Error that says what to install */
export async function requireDebianReaders(): Promise<void> {
  const missing = await findMissingPackages({
    'python3-icalendar': 'import icalendar',
    'python3-recurring-ical-events': 'import recurring_ical_events',
    'python3-gi': 'import gi',
    'python3-aiosmtpd': 'import aiosmtpd',
    'gir1.2-ical-3.0': "import gi; gi.require_version('ICalGLib', '3.0')",
  })
  requireNothingMissing('calendar readers', missing)
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
