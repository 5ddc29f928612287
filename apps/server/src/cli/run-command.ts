import { parseArgs } from 'node:util'
import {
  adminCreate,
  deleteAccount,
  inviteAccount,
  listAccounts,
  oauthEnable,
  resetPassword,
  setDisabled,
  showAccount,
} from './account-commands.ts'
import { backup } from './backup.ts'
import { runDoctor } from './doctor.ts'
import { importFile } from './import/import-file.ts'
import { receiveReply, sendTestMail, sendWaiting, temporaryFailure, type WaitingMails } from './mails.ts'
import type { Dependencies } from './operator.ts'
import { restore } from './restore.ts'
import { showConfig } from './show-config.ts'

type Command = {
  /** One word, or a noun and a verb. */
  name: string
  /** What follows the name, as the usage shows it; absent where nothing may follow. */
  argument?: string
  /** At most one of these, anywhere after the first word. */
  flags?: readonly string[]
  /** Options of which any number may be given, for `parseArgs`; the sentence names them. */
  options?: Readonly<Record<string, { type: 'string' | 'boolean' }>>
  /** The lines of the usage; absent where another command's lines name this command. */
  sentence?: readonly string[]
  /** Return the exit code where success is not certain. */
  run(
    dependencies: Dependencies,
    argument: string,
    flag: string | undefined,
    values: Values,
  ): Promise<number> | Promise<void>
}

type Values = Readonly<Record<string, string | boolean | undefined>>

const textOf = (value: Values[string]) => (typeof value === 'string' ? value : undefined)

const waitingMails: Record<string, WaitingMails> = { '--send-waiting': 'send', '--drop-waiting': 'drop' }

const commands: readonly Command[] = [
  {
    name: 'admin create',
    argument: 'EMAIL',
    sentence: ['make an account an administrator; one that is new chooses its password by a link'],
    run: adminCreate,
  },
  {
    name: 'account list',
    sentence: ['a line for each account: id, address, name, rights, separated by tabs'],
    run: listAccounts,
  },
  {
    name: 'account show',
    argument: 'ACCOUNT',
    sentence: ['what an account is and has; ACCOUNT is an e-mail address or an id'],
    run: showAccount,
  },
  {
    name: 'account disable',
    argument: 'ACCOUNT',
    sentence: ['end all sessions and tokens, and block sign-in; account enable undoes it'],
    run: (dependencies, account) => setDisabled(dependencies, account, true),
  },
  {
    name: 'account enable',
    argument: 'ACCOUNT',
    run: (dependencies, account) => setDisabled(dependencies, account, false),
  },
  {
    name: 'account invite',
    argument: 'EMAIL',
    sentence: ['print a sign-up link for a new account'],
    run: inviteAccount,
  },
  {
    name: 'account reset-password',
    argument: 'ACCOUNT',
    sentence: ['print a link with which its owner chooses a new password'],
    run: resetPassword,
  },
  {
    name: 'account delete',
    argument: 'ACCOUNT',
    flags: ['--hand-over'],
    sentence: ['delete it for good; its meetings are cancelled, or with --hand-over offered to their cohosts'],
    run: (dependencies, account, handOver) =>
      deleteAccount(dependencies, account, handOver === undefined ? 'cancel' : 'hand_over'),
  },
  {
    name: 'oauth enable',
    argument: 'EMAIL',
    sentence: ['let an account register apps'],
    run: oauthEnable,
  },
  {
    name: 'backup',
    argument: 'FILE',
    flags: ['--force'],
    sentence: [
      'write everything into one new file, also while Parley serves; --force replaces one that is there,',
      '- writes to standard output (npm run --silent parley -- backup - | …)',
    ],
    run: (dependencies, file, force) => backup(dependencies, file, { replace: force !== undefined }),
  },
  {
    name: 'restore',
    argument: 'FILE',
    flags: Object.keys(waitingMails),
    sentence: [
      'put a backup into an empty database; - reads standard input; of the mails that waited,',
      '--send-waiting has them sent from here, --drop-waiting does not',
    ],
    run: (dependencies, file, decision = '') => restore(dependencies, file, waitingMails[decision] ?? 'refuse'),
  },
  {
    name: 'import',
    argument: 'FILE',
    options: {
      host: { type: 'string' },
      organizer: { type: 'string' },
      'dry-run': { type: 'boolean' },
      notify: { type: 'boolean' },
      past: { type: 'boolean' },
      appointments: { type: 'boolean' },
      'day-first': { type: 'boolean' },
    },
    sentence: [
      'take over meetings of a calendar (.ics) or a table (.csv) for --host EMAIL, or invite the people of a table;',
      '--dry-run only reports; without --notify no one is mailed; --organizer EMAIL is the host in the file;',
      '--past, --appointments and --day-first: docs/move.md',
    ],
    run: (dependencies, file, _, values) =>
      importFile(dependencies, file, {
        host: textOf(values.host),
        organizer: textOf(values.organizer),
        dryRun: values['dry-run'] === true,
        notify: values.notify === true,
        past: values.past === true,
        appointments: values.appointments === true,
        dayFirst: values['day-first'] === true,
      }),
  },
  {
    name: 'mail test',
    argument: 'EMAIL',
    sentence: ['send a mail as the service does, and print the reply of the mail server'],
    run: sendTestMail,
  },
  {
    name: 'mail receive',
    sentence: ['take a mail to REPLY_ADDRESS from standard input, for mail servers that use a pipe'],
    run: receiveReply,
  },
  {
    name: 'mail send-waiting',
    sentence: ['queue the mails that wait and that no job would send, as doctor counts them'],
    run: sendWaiting,
  },
  {
    name: 'doctor',
    sentence: ['look at what the service needs: database, key, clock, disk, mail, provider'],
    run: runDoctor,
  },
  {
    name: 'config',
    sentence: ['show what is set, without secrets'],
    run: showConfig,
  },
]

/** Run one command and return the exit code: 0 success, 1 failure, 2 usage error. @throws StartProblem */
export async function runCommand(given: readonly string[], dependencies: Dependencies): Promise<number> {
  for (const command of commands) {
    const read = readArguments(command, given)
    if (read === undefined) continue
    const exitCode = await command.run(dependencies, read.argument, read.flag, read.values)
    return typeof exitCode === 'number' ? exitCode : 0
  }
  for (const line of usage()) dependencies.say(line)
  return given.length === 0 ? 0 : 2
}

/** The exit code where a command throws, or the settings are wrong. */
export const failureCodeOf = (given: readonly string[]): number =>
  given[0] === 'mail' && given[1] === 'receive' ? temporaryFailure : 1

/** Read the argument, the flag and the options of a command; undefined where these words are not that command. */
function readArguments({ name, argument, flags = [], options }: Command, given: readonly string[]) {
  const names = name.split(' ')
  if (given[0] !== names[0]) return undefined
  if (options !== undefined) return readOptions(options, given.slice(names.length))
  const flagged = given.filter((word) => flags.includes(word))
  const words = given.filter((word) => !flags.includes(word))
  const isNamed = names.every((word, at) => words[at] === word)
  const count = names.length + (argument === undefined ? 0 : 1)
  if (!isNamed || words.length !== count || flagged.length > 1) return undefined
  return { argument: words[names.length] ?? '', flag: flagged[0], values: {} }
}

function readOptions(options: NonNullable<Command['options']>, args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [argument] = positionals
    return argument === undefined || positionals.length > 1 ? undefined : { argument, flag: undefined, values }
  } catch {
    return undefined
  }
}

function usage(): string[] {
  const shown = commands.map(({ name, argument, sentence = [] }) => ({
    call: argument === undefined ? name : `${name} ${argument}`,
    sentence,
  }))
  const width = Math.max(...shown.map(({ call }) => call.length))
  return [
    'npm run parley -- COMMAND',
    '',
    ...shown.flatMap(({ call, sentence }) =>
      sentence.map((line, at) => `  ${(at === 0 ? call : '').padEnd(width)}   ${line}`),
    ),
    '',
    'The settings are those of the service: environment variables, as docs/operations.md lists them.',
  ]
}
