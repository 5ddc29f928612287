import { adminCreate } from './admin-create.ts'
import { backup } from './backup.ts'
import { examine } from './doctor.ts'
import { oauthEnable } from './oauth-enable.ts'
import type { Surroundings } from './operator.ts'
import { restore } from './restore.ts'
import { configLines } from './show-config.ts'
import { sendWaiting, type WaitingMails } from './waiting-mails.ts'

const usage = [
  'npm run parley -- COMMAND',
  '',
  '  admin create EMAIL    make an account an administrator; one that is new chooses its password by a link',
  '  oauth enable EMAIL    let an account register apps',
  '  backup FILE           write everything into one new file, also while Parley serves; --force replaces one that is there,',
  '                        - writes to standard output (npm run --silent parley -- backup - | …)',
  '  restore FILE          put a backup into an empty database; - reads standard input; of the mails that waited,',
  '                        --send-waiting has them sent from here, --drop-waiting does not',
  '  mail send-waiting     queue the mails that wait and that no job would send, as doctor counts them',
  '  doctor                look at what the service needs: database, key, clock, disk, mail, provider',
  '  config                show what is set, without secrets',
  '',
  'The settings are those of the service: environment variables, as docs/operations.md lists them.',
]

/** Commands whose second word says what they do. */
const twoWords = new Set(['admin', 'oauth', 'mail'])

const waitingMails: Record<string, WaitingMails> = { '--send-waiting': 'send', '--drop-waiting': 'drop' }

/** At most one of them, anywhere after the command. */
const flags: Record<string, string[]> = { backup: ['--force'], restore: Object.keys(waitingMails) }

/** Does one command; the process's exit code: 0 done, 1 not well, 2 not understood. @throws StartProblem */
export async function runCommand(given: readonly string[], surroundings: Surroundings): Promise<number> {
  const { config, say } = surroundings
  const known = flags[given[0] ?? ''] ?? []
  const words = given.filter((word) => !known.includes(word))
  const flagged = given.filter((word) => known.includes(word))
  const [first = '', ...rest] = words
  const [argument] = rest.slice(-1)
  if (flagged.length > 1) return showUsage(surroundings)
  switch (`${words.length} ${twoWords.has(first) ? `${first} ${rest[0]}` : first}`) {
    case '3 admin create':
      await adminCreate(surroundings, argument ?? '')
      return 0
    case '3 oauth enable':
      await oauthEnable(surroundings, argument ?? '')
      return 0
    case '2 backup':
      await backup(surroundings, argument ?? '', { replace: flagged.length > 0 })
      return 0
    case '2 restore':
      await restore(surroundings, argument ?? '', waitingMails[flagged[0] ?? ''] ?? 'refuse')
      return 0
    case '2 mail send-waiting':
      await sendWaiting(surroundings)
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
      return showUsage(surroundings, words.length === 0 ? 0 : 2)
  }
}

function showUsage({ say }: Surroundings, exitCode = 2): number {
  for (const line of usage) say(line)
  return exitCode
}
