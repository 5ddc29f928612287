#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { ProblemError } from '@parley/client'
import { callApi } from './api.ts'
import { readAddress } from './authorization-server.ts'
import { type Command, completionFor, shells } from './completion.ts'
import { listenToEvents } from './events.ts'
import { login, logout } from './login.ts'
import { cancel, create, list } from './meetings.ts'
import { findConnection } from './sessions.ts'
import { CommandError, plain, type Terminal, toJson, UsageError } from './terminal.ts'

type Values = Record<string, string | boolean | string[] | undefined>
type Runnable = Command & { run(words: readonly string[], values: Values): Promise<void> }

const terminal: Terminal = {
  env: process.env,
  print: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
}
const { print, note } = terminal

const text = (value: Values[string]) => (typeof value === 'string' ? value : undefined)
const connectionFor = ({ url }: Values) => {
  const given = text(url)
  return findConnection(terminal.env, given === undefined ? undefined : readAddress(given))
}

function readCount(option: string, value: Values[string], absent: number): number {
  const count = value === undefined ? absent : Number(value)
  if (Number.isInteger(count) && count > 0) return count
  throw new UsageError(`--${option} must be a number from 1 on`)
}

type Result = { reply: unknown; lines: readonly string[]; note?: string | undefined }

function show({ json }: Values, result: Result): void {
  for (const line of json ? [toJson(result.reply, 2)] : result.lines) print(line)
  if (!json && result.note !== undefined) note(result.note)
}

const updatesOf = (values: Values) => (values.quiet ? 'none' : 'all')

const commands: readonly Runnable[] = [
  {
    name: 'login',
    argument: 'URL',
    summary: 'sign in with the browser',
    options: { 'no-browser': 'boolean' },
    async run([address = ''], { json, 'no-browser': withoutBrowser }) {
      const url = await login(terminal, address, !withoutBrowser)
      print(json ? toJson({ url }) : `You are signed in at ${url}`)
    },
  },
  {
    name: 'logout',
    summary: 'end the access of this program, and forget the tokens',
    options: {},
    async run(_, { url, json }) {
      const given = text(url)
      const left = await logout(terminal, given === undefined ? undefined : readAddress(given))
      print(json ? toJson({ url: left }) : `You are signed out of ${left}`)
    },
  },
  {
    name: 'meetings list',
    summary: 'what is running or ahead; with --past, what is over',
    options: { past: 'boolean', limit: 'string' },
    async run(_, values) {
      const limit = readCount('limit', values.limit, 50)
      show(values, await list(await connectionFor(values), { past: values.past === true, limit }))
    },
  },
  {
    name: 'meetings new',
    argument: 'TOPIC',
    summary: 'schedule a single meeting; --invite may be repeated; --quiet sends no mail',
    options: { start: 'string', minutes: 'string', description: 'string', invite: 'list', quiet: 'boolean' },
    async run([topic = ''], values) {
      const start = text(values.start)
      if (start === undefined) throw new UsageError('--start is missing, such as --start 2030-01-07T09:00')
      const meeting = {
        topic,
        start,
        minutes: readCount('minutes', values.minutes, 30),
        description: text(values.description) ?? '',
        invited: Array.isArray(values.invite) ? values.invite : [],
        updates: updatesOf(values),
      } as const
      show(values, await create(await connectionFor(values), meeting))
    },
  },
  {
    name: 'meetings cancel',
    argument: 'ID',
    summary: 'cancel a meeting; of a series: --date START, --following START or --all',
    options: { date: 'string', following: 'string', all: 'boolean', quiet: 'boolean' },
    async run([id = ''], values) {
      const { date, following, all } = values
      if ([date, following, all].filter((value) => value !== undefined).length > 1) {
        throw new UsageError('Only one of --date, --following and --all is possible.')
      }
      const what = {
        date: text(date),
        following: text(following),
        all: all === true,
        updates: updatesOf(values),
      } as const
      show(values, await cancel(await connectionFor(values), id, what))
    },
  },
  {
    name: 'events listen',
    summary: 'print events as they happen; --forward-to posts each as a signed webhook to a local program',
    options: { types: 'string', meeting: 'string', after: 'string', 'forward-to': 'string' },
    async run(_, values) {
      const controller = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
      const cursor = await listenToEvents(terminal, {
        connection: await connectionFor(values),
        types: text(values.types),
        meetingId: text(values.meeting),
        after: text(values.after),
        forwardTo: text(values['forward-to']),
        json: values.json === true,
        signal: controller.signal,
      })
      if (cursor !== undefined) note(`Go on with: --after ${cursor}`)
    },
  },
  {
    name: 'api',
    argument: 'METHOD PATH',
    summary: 'send any request; --data JSON, or - for standard input',
    options: { data: 'string' },
    async run([method = '', path = ''], values) {
      const data = text(values.data)
      const body = data === '-' ? await readAll(process.stdin) : data
      const { ok, reply } = await callApi(await connectionFor(values), { method, path, body })
      print(reply)
      if (!ok) process.exitCode = 1
    },
  },
  {
    name: 'completion',
    argument: 'SHELL',
    summary: `print the completions for ${shells.join(', ')}`,
    options: {},
    async run([shell = '']) {
      print(completionFor(shell, commands))
    },
  },
]

const shared = { url: 'string', json: 'boolean', help: 'boolean' } as const

function usage(): string {
  const lines = commands.map(({ name, argument, summary, options }) => {
    const named = Object.entries(options).map(([option, kind]) => `[--${option}${kind === 'boolean' ? '' : ' …'}]`)
    return `  parley ${[name, argument, ...named].filter(Boolean).join(' ')}\n      ${summary}`
  })
  return [
    'Meetings of a Parley service from the command line.',
    ...lines,
    'Everywhere: --json, --url URL (or PARLEY_URL), where you are signed in at several services. PARLEY_TOKEN replaces the',
    'sign-in, for scripts. Times without an offset are in the time zone of this computer.',
  ].join('\n')
}

async function main(): Promise<void> {
  const [first = 'help', second = ''] = process.argv.slice(2)
  if (['help', '--help', '-h'].includes(first)) return print(usage())
  if (first === '--version') return print(readVersion())
  const command = commands.find(({ name }) => name === `${first} ${second}` || name === first)
  if (command === undefined) throw new UsageError(`There is no command "${plain(first)}".`)
  const { positionals, values } = parse(command)
  if (values.help) return print(usage())
  const expected = command.argument?.split(' ').length ?? 0
  if (positionals.length !== expected) throw new UsageError(`parley ${command.name} ${command.argument ?? ''}`.trim())
  await command.run(positionals, values)
}

function parse({ name, options }: Command) {
  const all: Command['options'] = { ...shared, ...options }
  const kinds = Object.entries(all).map(([option, kind]) => [
    option,
    kind === 'list' ? { type: 'string', multiple: true } : { type: kind },
  ])
  try {
    return parseArgs({
      args: process.argv.slice(2 + name.split(' ').length),
      options: Object.fromEntries(kinds),
      allowPositionals: true,
    }) as { positionals: string[]; values: Values }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

const readVersion = (): string => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** What went wrong, for a person: 2 for a wrong call, 1 for all else. */
function report(error: unknown): void {
  process.exitCode = error instanceof UsageError ? 2 : 1
  note(plain(sentenceOf(error)))
  if (error instanceof UsageError) note('parley --help shows all commands.')
}

function sentenceOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof CommandError) return error.message
  if (error instanceof ProblemError) {
    const { detail, code, requestId } = error.problem
    return `${detail} (${[code, requestId].filter(Boolean).join(', ')})`
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  return `The service cannot be reached: ${cause}`
}

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', () => process.exit(0))
await main().catch(report)
