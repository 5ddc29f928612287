import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Debian's own Python: another one that comes first on the PATH does not find Debian's packages. */
export const debianPython = '/usr/bin/python3'

/** List the packages of Debian whose statement of Python fails. */
export async function findMissingPackages(needed: Readonly<Record<string, string>>): Promise<string[]> {
  const missing: string[] = []
  for (const [name, statement] of Object.entries(needed)) {
    await promisify(execFile)(debianPython, ['-c', statement]).catch(() => missing.push(name))
  }
  return missing
}

/** @throws Error that says what to install */
export function requireNothingMissing(kind: string, missing: readonly string[]): void {
  if (missing.length === 0) return
  throw new Error(
    `Not all of Debian’s ${kind} are installed. Run scripts/install-interop-tools.sh, or install: ${missing.join(', ')}.`,
  )
}
