import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/**
 * Identify the machine: equal for processes that reach one another over 127.0.0.1, that is, the same kernel boot and
 * network namespace, so that two containers on one machine differ. The host name when the system is not Linux.
 */
export async function machineId(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/net')}`
  } catch {
    return hostname()
  }
}
