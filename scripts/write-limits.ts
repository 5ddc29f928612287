import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The text of docs/limits.md, from the constants at the top level of the source: numbers named `max…` or `min…`, and each
 * entry of a table named `max…`, `…limits…`, `…Rate` or `…Rates`.
 */

const root = fileURLToPath(new URL('../', import.meta.url))

/** The headings of docs/limits.md, and where the limits below each are. */
const sections: readonly (readonly [heading: string, patterns: readonly string[]])[] = [
  [
    'Requests',
    [
      'packages/contract/src/!(webhook-endpoints).ts',
      'packages/contract/src/{meetings,openapi,rooms}/**/*.ts',
      'apps/server/src/platform/http/**/*.ts',
    ],
  ],
  ['Text', ['packages/rules/src/text/**/*.ts']],
  ['Meetings', ['packages/rules/src/{meetings,recurrence}/**/*.ts', 'apps/server/src/meetings/**/*.ts']],
  [
    'Email, calendars and answers',
    ['packages/rules/src/invitations/**/*.ts', 'apps/server/src/{invitations,email}/**/*.ts'],
  ],
  ['Rooms', ['packages/rules/src/rooms/**/*.ts', 'apps/server/src/rooms/**/*.ts']],
  ['Accounts', ['packages/rules/src/accounts/**/*.ts', 'apps/server/src/{accounts,account-data,sso}/**/*.ts']],
  ['Callers and credentials', ['packages/rules/src/access/**/*.ts', 'apps/server/src/access/**/*.ts']],
  ['OAuth', ['packages/rules/src/oauth/**/*.ts', 'apps/server/src/oauth/**/*.ts']],
  ['Apps and their review', ['packages/{contract,rules}/src/oauth-apps/**/*.ts', 'apps/server/src/oauth-apps/**/*.ts']],
  [
    'Events and webhooks',
    [
      'packages/contract/src/webhook-endpoints.ts',
      'packages/{contract,rules}/src/{events,webhooks}/**/*.ts',
      'apps/server/src/{event-log,webhooks}/**/*.ts',
    ],
  ],
  ['Assistants', ['apps/server/src/mcp/**/*.ts']],
  ['Audio and video', ['apps/server/src/media/**/*.ts']],
  ['The service', ['apps/server/src/{platform,cli,metrics}/**/*.ts', 'apps/server/src/*.ts']],
]

/** `file` tells limits of one name apart; the page does not show it. */
type Limit = { name: string; value: string; file: string; reason: string }

const durations: readonly (readonly [factor: number, unit: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
  [1, 'ms'],
]
const sizes: readonly (readonly [factor: number, unit: string])[] = [
  [1024 * 1024, 'MiB'],
  [1024, 'KiB'],
  [1, 'bytes'],
]

/** Write a number in the largest unit of which it is a whole number. */
function withUnit(value: number, units: typeof sizes): string {
  const [factor, unit] = units.find(([each]) => value >= each && value % each === 0) ?? [1, units.at(-1)?.[1]]
  return `${(value / factor).toLocaleString('en')} ${unit}`
}

const constants = new Map([
  ['secondMs', 1_000],
  ['minuteMs', 60_000],
  ['hourMs', 3_600_000],
  ['dayMs', 86_400_000],
])

/** Evaluate a product of numbers and units of time; NaN for an expression of other names. */
function productOf(expression: string): number {
  const factors = expression.split('*').map((text) => {
    const factor = text.trim()
    return constants.get(factor) ?? (/^[\d_.]+$/.test(factor) ? Number(factor.replaceAll('_', '')) : Number.NaN)
  })
  return factors.reduce((product, factor) => product * factor, 1)
}

/** Write a constant's value; an expression of other names stays as it is. */
function describeValue(name: string, expression: string): string {
  const value = productOf(expression)
  if (Number.isNaN(value)) return `\`${expression.replace(/\s+/g, ' ')}\``
  if (name.endsWith('Ms')) return withUnit(value, durations)
  if (/Bytes$|^bytes/.test(name)) return withUnit(value, sizes)
  return value.toLocaleString('en')
}

/** A comment's text on one line, without tags, links to the source and characters that end a cell. */
const toReason = (comment: string): string =>
  comment
    .replaceAll(/^\s*\/?\*+\/?/gm, '')
    .replace(/\*\/\s*$/, '')
    .replace(/\n\s*@[\s\S]*/, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim()

/** Pairs of fields that read as one sentence. */
const phrases: readonly (readonly [keys: readonly [string, string], unitMs: number, between: string])[] = [
  [['points', 'duration'], 1_000, 'in'],
  [['failures', 'withinMs'], 1, 'in'],
]

/** Write an entry of a table: a number, or an object on one line or several. */
function describeEntry(name: string, expression: string): string {
  if (!expression.startsWith('{')) return describeValue(name, expression)
  const inner = expression.slice(1, -1).trim().replace(/,$/, '')
  const fields = [...inner.matchAll(/(\w+): (\{[^{}]*\}|[^,{}]+)/g)].map(
    ([, key = '', value = '']) => [key, value.trim()] as const,
  )
  const numbers = new Map(fields.map(([key, value]) => [key, productOf(value)]))
  for (const [[count, period], unitMs, between] of phrases) {
    const [times, length] = [numbers.get(count), numbers.get(period)]
    if (times && length) return `${times.toLocaleString('en')} ${between} ${withUnit(length * unitMs, durations)}`
  }
  return fields
    .map(
      ([key, value]) =>
        `${key} ${value.startsWith('{') ? `(${describeEntry(key, value)})` : describeValue(key, value)}`,
    )
    .join(', ')
}

const sourceOf = (file: string) => file.replace(/^apps\/server\/src\//, '').replace(/^packages\/(\w+)\/src\//, '$1/')

const comment = String.raw`((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n\s*)?)`

function limitsIn(file: string): Limit[] {
  const text = readFileSync(join(root, file), 'utf8')
  const named = String.raw`(?:max|min)[A-Z]\w*|(?:\w+L|l)imits(?:(?:By|Of)[A-Z]\w*)?|\w+Rates?`
  const constants = new RegExp(`${comment}(?:export )?const (${named})(?:: [^=]+)? = (\\{\\n[\\s\\S]*?\\n\\}|.+)`, 'g')
  return [...text.matchAll(constants)].flatMap(([whole, above = '', name = '', expression = ''], index, all) => {
    const at = all[index]?.index ?? 0
    // At the top level only.
    if (at > 0 && text[at - 1] !== '\n') return []
    const shown = { file: sourceOf(file), reason: toReason(above) }
    if (expression.startsWith('{\n')) return entriesOf(name, expression, shown)
    if (expression.startsWith('{')) {
      return /=>|INFINITY/.test(whole) ? [] : [{ name, value: describeEntry(name, expression), ...shown }]
    }
    if (!/^(max|min)[A-Z]/.test(name) || /=>|[[(]$/.test(expression)) return []
    return [{ name, value: describeValue(name, expression), ...shown }]
  })
}

/**
 * The limits of a table. An entry without a comment has the reason of the entry before it, or the table's. Left out are
 * entries that name other limits, which have rows of their own, and those that allow everything.
 */
function entriesOf(table: string, body: string, { file, reason }: Pick<Limit, 'file' | 'reason'>): Limit[] {
  const entries = new RegExp(`^ {2}${comment}['"]?([\\w-]+)['"]?: (\\{\\n[\\s\\S]*?\\n {2}\\}|.+),(?: //.*)?$`, 'gm')
  let last = reason
  return [...body.matchAll(entries)].flatMap(([, above = '', name = '', expression = '']) => {
    if (above !== '') last = toReason(above)
    if (/\bmax[A-Z]\w*[,. ]|\bmax[A-Z]\w*$|Limits\.|INFINITY/.test(expression.replaceAll(/\w+:/g, ''))) return []
    return [{ name: `${table}.${name}`, value: describeEntry(name, expression), file, reason: last }]
  })
}

/** Comments that begin with what is limited. */
const meaning =
  /^(?:Accounts|After|At most|Authorization|Bytes|Causes of|Characters|Clients|Concurrent|Days|How|In characters|Mails (?:about|of)|Maximum|New guests|Per|Requested|Secrets|Streams|Submissions|The (?:interval|limit|longest|maximum|minimum|most|newest|time)|Unknown|Upper bound|Webhooks|Wrong)\b/
/** Comments that begin with the reason, and have a colon. Other comments with a colon say before it what is limited. */
const reasonFirst =
  /^(?:A|As|Each|Enough|Far|However|Larger?|Long|Longer|Mail programs|Mails have|Many|More|Older|RFC|Retry|Several|The parser|Tokens|Two|Whatever|With|graphile)\b/

/** What a limit applies to, for a column; the source says why its value is what it is. */
function meaningOf(reason: string): string {
  const beginning = /^.*?(?=[;:] |[.;:]?$|\. [A-Z(])/.exec(reason)?.[0] ?? reason
  const isMeaning = meaning.test(reason) || (reason.startsWith(`${beginning}:`) && !reasonFirst.test(reason))
  return isMeaning ? beginning.replace(/ \([^)]*\.(?:ts|md)\)$/, '') : ''
}

/** Sections of limits that no caller meets. */
const internals = new Set(['Assistants', 'Audio and video', 'The service'])

const rowOf = (cells: readonly string[]) => `|${cells.join('|')}|`

/** @returns the page, in Markdown */
export function limitsPage(): string {
  const listed = new Set<string>()
  const tables = sections.map(([heading, patterns]) => {
    const files = patterns
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .filter((file) => !/\.(test|story)\./.test(file) && !listed.has(file))
    for (const file of files) listed.add(file)
    const limits = files
      .flatMap(limitsIn)
      .toSorted((one, other) => (`${one.name} ${one.file}` < `${other.name} ${other.file}` ? -1 : 1))
    const isInternal = internals.has(heading)
    const rows = limits.map(({ name, value, reason }, at) => {
      const meaning = isInternal || reason === limits[at - 1]?.reason ? '' : meaningOf(reason)
      return rowOf([`\`${name}\``, value, ...(isInternal ? [] : [meaning])])
    })
    const columns = isInternal ? ['Limit', 'Value'] : ['Limit', 'Value', 'Applies to']
    return [`## ${heading}`, '', rowOf(columns), rowOf(columns.map(() => '---')), ...rows].join('\n')
  })
  const missing = globSync(['apps/server/src/**/*.ts', 'packages/{contract,rules}/src/**/*.ts'], { cwd: root })
    .filter((file) => !/\.(test|story)\./.test(file) && !listed.has(file))
    .filter((file) => limitsIn(file).length > 0)
  if (missing.length > 0) throw new TypeError(`no section lists the limits of ${missing.join(', ')}`)
  const head = [
    '# Limits',
    '',
    '<!-- Generated from the source: UPDATE_SNAPSHOTS=1 npm test -- test/docs/limits.test.ts -->',
    'Every limit, by its name in the source, where its comment gives the reason. An empty cell: the name says it, or the row above. The [reference](/reference) has the limits of each field, [operations](operations.md#configure) those that an operator sets.',
  ]
  return `${[head.join('\n'), ...tables].join('\n\n')}\n`
}
