import { adminCreate } from './admin-create.ts'
import { backup } from './backup.ts'
import { examine } from './doctor.ts'
import { oauthEnable } from './oauth-enable.ts'
import type { Surroundings } from './operator.ts'
import { restore } from './restore.ts'
import { configLines } from './show-config.ts'

const usage = [
  'npm run parley -- COMMAND',
  '',
  '  admin create EMAIL    make an account an administrator; one that is new chooses its password by a link',
  '  oauth enable EMAIL    let an account register apps',
  '  backup FILE           write everything into one new file, also while Parley serves; --force replaces one that is there,',
  '                        - writes to standard output (npm run --silent parley -- backup - | …)',
  '  restore FILE          put a backup into an empty database; - reads standard input',
  '  doctor                look at what the service needs: database, key, clock, disk, mail, provider',
  '  config                show what is set, without secrets',
  '',
  'The settings are those of the service: environment variables, as docs/operations.md lists them.',
]

/** Does one command; the process's exit code: 0 done, 1 not well, 2 not understood. @throws StartProblem */
export async function runCommand(given: readonly string[], surroundings: Surroundings): Promise<number> {
  const { config, say } = surroundings
  const isForced = given[0] === 'backup' && given.includes('--force')
  const words = isForced ? given.filter((word) => word !== '--force') : given
  const [first, ...rest] = words
  const [argument] = rest.slice(-1)
  switch (`${words.length} ${first === 'admin' || first === 'oauth' ? `${first} ${rest[0]}` : first}`) {
    case '3 admin create':
      await adminCreate(surroundings, argument ?? '')
      return 0
    case '3 oauth enable':
      await oauthEnable(surroundings, argument ?? '')
      return 0
    case '2 backup':
      await backup(surroundings, argument ?? '', { replace: isForced })
      return 0
    case '2 restore':
      await restore(surroundings, argument ?? '')
      return 0
    case '1 doctor': {
      const findings = await examine(surroundings)
      for (const { verdict, what, told } of findings) say(`${verdict.padEnd(7)} ${what}: ${told}`)
      return findings.some(({ verdict }) => verdict === 'failure') ? 1 : 0
    }
    case '1 config':
      for (const line of configLines(config)) say(line)
      return 0
    default:
      for (const line of usage) say(line)
      return words.length === 0 ? 0 : 2
  }
}
