import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The text of docs/limits.md, from the constants of the source: `max…` and `min…` at the top level of a file. */

const root = fileURLToPath(new URL('../', import.meta.url))

/** The headings of docs/limits.md, and where the limits below each are. */
const sections: readonly (readonly [heading: string, patterns: readonly string[]])[] = [
  [
    'Requests',
    [
      'packages/contract/src/!(webhook-endpoints).ts',
      'packages/contract/src/{meetings,openapi}/**/*.ts',
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

type Limit = { name: string; value: string; reason: string }

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

/** Write a constant's value; an expression of other names stays as it is. */
function describeValue(name: string, expression: string): string {
  const factors = expression.split('*').map((text) => {
    const factor = text.trim()
    return constants.get(factor) ?? (/^[\d_.]+$/.test(factor) ? Number(factor.replaceAll('_', '')) : Number.NaN)
  })
  const value = factors.reduce((product, factor) => product * factor, 1)
  if (Number.isNaN(value)) return `\`${expression.replace(/\s+/g, ' ')}\``
  if (name.endsWith('Ms')) return withUnit(value, durations)
  if (name.endsWith('Bytes')) return withUnit(value, sizes)
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

function limitsIn(file: string): Limit[] {
  const text = readFileSync(join(root, file), 'utf8')
  const constant = /((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)(?:export )?const ((?:max|min)[A-Z]\w*)(?:: [^=]+)? = (.+)$/gm
  return [...text.matchAll(constant)]
    .filter(([, , , expression = '']) => !/=>|[{[(]$/.test(expression))
    .map(([, comment = '', name = '', expression = '']) => ({
      name,
      value: describeValue(name, expression),
      reason: toReason(comment),
    }))
}

/** @returns the page, in Markdown */
export function limitsPage(): string {
  const tables = sections.map(([heading, patterns]) => {
    const files = patterns
      .flatMap((pattern) => globSync(pattern, { cwd: root }))
      .filter((file) => !/\.(test|story)\./.test(file))
    const limits = files.flatMap(limitsIn).toSorted((one, other) => (one.name < other.name ? -1 : 1))
    const rows = limits.map(({ name, value, reason }) => `| \`${name}\` | ${value} | ${reason} |`)
    return [`## ${heading}`, '', '| Limit | Value | Reason |', '|---|---|---|', ...rows].join('\n')
  })
  const head = [
    '# Limits',
    '',
    'Every limit of the service by the name that it has in the source, from which `UPDATE_SNAPSHOTS=1 npm test -- test/limits.test.ts` writes this page. What a request may contain is also in the reference at `/reference`; limits that an operator sets are in [operations](operations.md).',
  ]
  return `${[head.join('\n'), ...tables].join('\n\n')}\n`
}
