import { appendFileSync, existsSync, readFileSync } from 'node:fs'

/**
 * With PARLEY_TEST_TIMES=file, append a line for each test file to it: the processor seconds of this process, those of
 * child processes that have ended (where there is /proc), seconds on the clock, and the file's name. The tests'
 * PostgreSQL is not included. What a file needs does not depend on how busy the machine is, unlike its duration.
 */
export function startTimes(): (file: string) => void {
  const table = process.env.PARLEY_TEST_TIMES
  if (table === undefined) return () => {}
  let last = readTimes()
  return (file) => {
    const now = readTimes()
    appendFileSync(table, `${now.map((time, index) => (time - (last[index] ?? 0)).toFixed(2)).join('\t')}\t${file}\n`)
    last = now
  }
}

function readTimes(): number[] {
  const { user, system } = process.cpuUsage()
  return [(user + system) / 1e6, childSeconds(), process.uptime()]
}

/** proc_pid_stat(5): cutime and cstime, in hundredths of a second. */
function childSeconds(): number {
  if (!existsSync('/proc/self/stat')) return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / 100
}
