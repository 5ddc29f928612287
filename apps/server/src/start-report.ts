import { createLog } from './platform/log.ts'

type StartReport = {
  /** Say where the service is, once it serves. */
  announce(lines: readonly string[]): void
  /** Say why it does not start. */
  refuse(lines: readonly string[]): void
}

/**
 * Report the start to the operator, whatever LOG_LEVEL is: as text, or with `ecs` as one log entry, because a
 * collector of ECS logs expects nothing else.
 * @param format LOG_FORMAT, which has not been validated when the settings are refused
 */
export function createStartReport(format: string | undefined): StartReport {
  if (format === 'ecs') {
    const log = createLog({ level: 'info', format })
    return {
      announce: (lines) => log.info(lines.join('\n')),
      refuse: (lines) => log.fatal(lines.join('\n')),
    }
  }
  return {
    announce: (lines) => console.log(lines.join('\n')),
    refuse: (lines) => console.error(lines.join('\n')),
  }
}
