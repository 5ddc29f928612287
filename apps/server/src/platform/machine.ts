import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/**
 * What processes have in common that reach one another over 127.0.0.1: the boot of a kernel and a network namespace, so
 * that two containers of one machine differ. The host's name where the system is not Linux.
 */
export async function machineId(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/net')}`
  } catch {
    return hostname()
  }
}
