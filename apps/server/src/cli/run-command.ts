import { deleteAccount } from './account/delete-account.ts'
import { setDisabled } from './account/disable-account.ts'
import { inviteAccount } from './account/invite-account.ts'
import { listAccounts } from './account/list-accounts.ts'
import { resetPassword } from './account/reset-password.ts'
import { showAccount } from './account/show-account.ts'
import { adminCreate } from './admin-create.ts'
import { backup } from './backup.ts'
import { examine } from './doctor.ts'
import { oauthEnable } from './oauth-enable.ts'
import type { Dependencies } from './operator.ts'
import { restore } from './restore.ts'
import { sendTestMail } from './send-test-mail.ts'
import { configLines } from './show-config.ts'
import { sendWaiting, type WaitingMails } from './waiting-mails.ts'

const usage = [
  'npm run parley -- COMMAND',
  '',
  '  admin create EMAIL    make an account an administrator; one that is new chooses its password by a link',
  '  account list                     a line for each account: id, address, name, rights, separated by tabs',
  '  account show ACCOUNT             what an account is and has; ACCOUNT is an e-mail address or an id',
  '  account disable ACCOUNT          end every session and token, and let nobody in; account enable takes it back',
  '  account invite EMAIL             print a link by which somebody signs up',
  '  account reset-password ACCOUNT   print a link with which its owner chooses a new password',
  '  account delete ACCOUNT           delete it for good; its meetings are cancelled, or with --hand-over given to a cohost',
  '  oauth enable EMAIL    let an account register apps',
  '  backup FILE           write everything into one new file, also while Parley serves; --force replaces one that is there,',
  '                        - writes to standard output (npm run --silent parley -- backup - | …)',
  '  restore FILE          put a backup into an empty database; - reads standard input; of the mails that waited,',
  '                        --send-waiting has them sent from here, --drop-waiting does not',
  '  mail test EMAIL       send a mail as the service does, and tell what the mail server said',
  '  mail send-waiting     queue the mails that wait and that no job would send, as doctor counts them',
  '  doctor                look at what the service needs: database, key, clock, disk, mail, provider',
  '  config                show what is set, without secrets',
  '',
  'The settings are those of the service: environment variables, as docs/operations.md lists them.',
]

/** Commands with a subcommand. */
const twoWords = new Set(['account', 'admin', 'oauth', 'mail'])

const waitingMails: Record<string, WaitingMails> = { '--send-waiting': 'send', '--drop-waiting': 'drop' }

/** At most one of these flags, anywhere after the command. */
const flags: Record<string, string[]> = {
  account: ['--hand-over'],
  backup: ['--force'],
  restore: Object.keys(waitingMails),
}

/** Run one command and return the exit code: 0 success, 1 failure, 2 usage error. @throws StartProblem */
export async function runCommand(given: readonly string[], dependencies: Dependencies): Promise<number> {
  const { config, say } = dependencies
  const known = flags[given[0] ?? ''] ?? []
  const words = given.filter((word) => !known.includes(word))
  const flagged = given.filter((word) => known.includes(word))
  const [first = '', ...rest] = words
  const [argument] = rest.slice(-1)
  const command = twoWords.has(first) ? `${first} ${rest[0]}` : first
  const isMisplaced = first === 'account' && flagged.length > 0 && command !== 'account delete'
  if (flagged.length > 1 || isMisplaced) return showUsage(dependencies)
  switch (`${words.length} ${command}`) {
    case '2 account list':
      await listAccounts(dependencies)
      return 0
    case '3 account show':
      await showAccount(dependencies, argument ?? '')
      return 0
    case '3 account disable':
    case '3 account enable':
      await setDisabled(dependencies, argument ?? '', command === 'account disable')
      return 0
    case '3 account invite':
      await inviteAccount(dependencies, argument ?? '')
      return 0
    case '3 account reset-password':
      await resetPassword(dependencies, argument ?? '')
      return 0
    case '3 account delete':
      await deleteAccount(dependencies, argument ?? '', flagged.length > 0 ? 'hand_over' : 'cancel')
      return 0
    case '3 mail test':
      await sendTestMail(dependencies, argument ?? '')
      return 0
    case '3 admin create':
      await adminCreate(dependencies, argument ?? '')
      return 0
    case '3 oauth enable':
      await oauthEnable(dependencies, argument ?? '')
      return 0
    case '2 backup':
      await backup(dependencies, argument ?? '', { replace: flagged.length > 0 })
      return 0
    case '2 restore':
      await restore(dependencies, argument ?? '', waitingMails[flagged[0] ?? ''] ?? 'refuse')
      return 0
    case '2 mail send-waiting':
      await sendWaiting(dependencies)
      return 0
    case '1 doctor': {
      const findings = await examine(dependencies)
      for (const { verdict, what, message } of findings) say(`${verdict.padEnd(7)} ${what}: ${message}`)
      return findings.some(({ verdict }) => verdict === 'failure') ? 1 : 0
    }
    case '1 config':
      for (const line of configLines(config)) say(line)
      return 0
    default:
      return showUsage(dependencies, words.length === 0 ? 0 : 2)
  }
}

function showUsage({ say }: Dependencies, exitCode = 2): number {
  for (const line of usage) say(line)
  return exitCode
}
