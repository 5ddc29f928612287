import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { startReaders } from './debian-readers.ts'
import { type CalendarReader, type ShownDate, storyRange } from './occurrence-story.ts'
import { datesBetween, readCalendar } from './read-with-ical-js.ts'

const run = promisify(execFile)
const dayMs = 86_400_000

const timesOf = (dates: readonly ShownDate[]) => dates.map(({ start, end }) => `${start}/${end}`)

/** ical.js, Thunderbird's library: times and topics. */
export const icalJs: CalendarReader = {
  name: 'ical.js',
  async requireDates(step, objects, expected) {
    const shown = objects.flatMap(({ text }) =>
      datesBetween(readCalendar(text).events, storyRange.from, storyRange.until),
    )
    assert.deepEqual(shown.toSorted(), timesOf(expected), step)
  },
}

/** libical: times by the VTIMEZONE of the object alone. (Debian's icalendar loses last dates, docs/decisions/0011.) */
export function createLibical(readers: ReturnType<typeof startReaders>): CalendarReader {
  return {
    name: 'libical',
    async requireDates(step, objects, expected) {
      const shown: string[] = []
      for (const { text } of objects) {
        const { libical, errors } = await readers.read({ text, ...storyRange })
        shown.push(...libical)
        assert.equal(errors, 0, step)
      }
      assert.deepEqual(shown.toSorted(), timesOf(expected), step)
    },
  }
}

/**
 * Debian's Radicale, a CalDAV server: it stores each object as a program PUTs it, finds it by time range on the days of
 * its dates and on no other, and its storage is valid.
 */
export async function startRadicale(context: TestContext): Promise<CalendarReader> {
  const folder = await mkdtemp(join(tmpdir(), 'radicale-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  const port = await findFreePort()
  const options = [
    '--config',
    '',
    '--storage-filesystem-folder',
    folder,
    '--auth-type',
    'none',
    '--rights-type',
    'authenticated',
  ]
  const server = spawn('radicale', ['--hosts', `127.0.0.1:${port}`, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  server.stderr.on('data', (chunk) => (log += chunk))
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  context.after(async () => {
    server.kill()
    await ended
  })
  const base = `http://127.0.0.1:${port}`
  const authorization = `Basic ${btoa('bob:any')}`
  const send = (method: string, path: string, body?: string, type = 'application/xml; charset=utf-8') =>
    fetch(`${base}${path}`, {
      method,
      headers: { authorization, 'content-type': type, depth: '1' },
      ...(body !== undefined && { body }),
    })
  for (
    let tries = 0;
    !(await send('GET', '/.web/').then(
      ({ ok }) => ok,
      () => false,
    ));
    tries++
  ) {
    if (tries > 100 || server.exitCode !== null) throw new Error(`Radicale does not start: ${log}`)
    await sleep(100)
  }

  let calendars = 0
  return {
    name: 'Radicale',
    async requireDates(step, objects, expected) {
      const path = `/bob/calendar-${++calendars}/`
      assert.equal((await send('MKCALENDAR', path)).status, 201, step)
      for (const { uid, text } of objects) {
        const stored = await send('PUT', `${path}${encodeURIComponent(uid)}.ics`, text, 'text/calendar; charset=utf-8')
        assert.equal(stored.status, 201, `${step}: ${await stored.text()}\n${log.slice(-2_000)}`)
      }
      const days: string[] = []
      for (let day = storyRange.from.getTime(); day < storyRange.until.getTime(); day += dayMs) {
        const answer = await send('REPORT', path, queryOf(new Date(day), new Date(day + dayMs)))
        assert.equal(answer.status, 207, step)
        if ((await answer.text()).includes('<href>')) days.push(new Date(day).toISOString().slice(0, 10))
      }
      assert.deepEqual(days, [...new Set(expected.map(({ start }) => start.slice(0, 10)))], step)
      await run('radicale', ['--verify-storage', ...options])
    },
  }
}

/** RFC 4791, 7.8: the objects of a time range. */
function queryOf(from: Date, until: Date): string {
  const utc = (date: Date) => `${date.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
  return `<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
  <D:prop><D:getetag/></D:prop>
  <C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">
    <C:time-range start="${utc(from)}" end="${utc(until)}"/>
  </C:comp-filter></C:comp-filter></C:filter>
</C:calendar-query>`
}

/** Debian's khal, a calendar in the terminal: what it lists to a person in Berlin. */
export async function createKhal(context: TestContext, show: (text: string) => void): Promise<CalendarReader> {
  const folder = await mkdtemp(join(tmpdir(), 'khal-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  let calendars = 0
  return {
    name: 'khal',
    async requireDates(step, objects, expected) {
      const own = join(folder, String(++calendars))
      await mkdir(join(own, 'calendar'), { recursive: true })
      for (const [place, { text }] of objects.entries()) await writeFile(join(own, 'calendar', `${place}.ics`), text)
      const config = join(own, 'config')
      await writeFile(
        config,
        `[calendars]\n[[meetings]]\npath = ${join(own, 'calendar')}\n[sqlite]\npath = ${join(own, 'khal.db')}\n` +
          '[locale]\nlocal_timezone = Europe/Berlin\ndefault_timezone = Europe/Berlin\n' +
          'timeformat = %H:%M\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n' +
          'datetimeformat = %Y-%m-%d %H:%M\nlongdatetimeformat = %Y-%m-%d %H:%M\n',
      )
      const dates = ['2030-03-01', '2030-05-31']
      const format = ['--day-format', '', '--format', '{start} {end} {title}']
      const { stdout } = await run('khal', ['-c', config, 'list', ...format, ...dates])
      show(`— ${step}\n${(await run('khal', ['-c', config, 'list', ...dates])).stdout}`)
      const listed = expected.map(({ start, end, topic }) => `${inBerlin(start)} ${inBerlin(end)} ${topic}`)
      assert.deepEqual(linesOf(stdout), listed, step)
    },
  }
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')

/** Format as `2030-04-02 15:30`. */
const inBerlin = (instant: string) =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(
    new Date(instant),
  )

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()))
    })
  })
}

/** @throws Error that says what to install */
export async function requireCalendarPrograms(): Promise<void> {
  const missing: string[] = []
  for (const program of ['radicale', 'khal']) await run(program, ['--version']).catch(() => missing.push(program))
  if (missing.length > 0) {
    throw new Error(`Run scripts/install-interop-tools.sh, or install: ${missing.join(', ')}.`)
  }
}
