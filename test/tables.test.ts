import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createTestDatabase } from '../apps/server/test/postgres/test-database.ts'

const folder = fileURLToPath(new URL('../apps/server/src/tables/', import.meta.url))
const source = globSync('*.ts', { cwd: folder })
  .map((file) => readFileSync(`${folder}${file}`, 'utf8'))
  .join('\n')

type Column = { table: string; name: string; type: string; required: boolean; hasDefault: boolean }

test('the row types of the query builder are those of the schema', async () => {
  const { connection, drop } = await createTestDatabase()
  const client = new pg.Client(connection)
  try {
    await client.connect()
    const { rows } = await client.query<Column>(
      `select table_name as table, column_name as name, coalesce(domain_name, udt_name) as type, is_nullable = 'NO' as required,
         column_default is not null or is_generated = 'ALWAYS' or is_identity = 'YES' as "hasDefault"
       from information_schema.columns where table_schema = 'public'`,
    )
    const tables = tablesOf(source)
    assert.ok(tables.size > 40, `${tables.size} tables`)
    assert.deepEqual(violationsOf(tables, rows), [])
  } finally {
    await client.end()
    await drop()
  }
})

test('finds a wrong name, type or nullability', () => {
  const schema = [
    { table: 'app_note', name: 'id', type: 'uuid', required: true, hasDefault: false },
    { table: 'app_note', name: 'read_at', type: 'timestamptz', required: false, hasDefault: false },
    { table: 'app_note', name: 'scopes', type: '_text', required: true, hasDefault: false },
  ]
  const found = (row: string) => violationsOf(tablesOf(`export type X = { appNote: ${row} }`), schema)
  assert.deepEqual(found('{ id: string; readAt: Generated<Date | null>; scopes: Scope[] }'), [])
  assert.deepEqual(found('{ id: string; seenAt: Date | null }'), ['app_note.seen_at does not exist'])
  assert.deepEqual(found('{ id: Buffer }'), ['app_note.id is uuid, not Buffer'])
  assert.deepEqual(found('{ readAt: Date }'), ['app_note.read_at may be null'])
  assert.deepEqual(found('{ id: string | null }'), ['app_note.id is never null'])
  assert.deepEqual(found('{ id: Generated<string> }'), ['app_note.id has no default'])
  assert.deepEqual(found('{ scopes: string }'), ['app_note.scopes is _text, not string'])
  assert.deepEqual(violationsOf(tablesOf('export type X = { note: { id: string } }'), schema), ['note does not exist'])
})

/** The row type of each table, by column. */
function tablesOf(text: string): Map<string, Map<string, string>> {
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const declared = new Map<string, Map<string, string>>()
  for (const { 1: name = '', 2: begin = '', index } of plain.matchAll(/\btype (\w+) =([^{;]*)\{/g)) {
    declared.set(name, membersOf(plain, index + `type ${name} =${begin}`.length))
  }
  const tables = new Map<string, Map<string, string>>()
  for (const { 1: name = '' } of plain.matchAll(/\bexport type (\w+) =/g)) {
    for (const [table, row] of declared.get(name) ?? []) {
      const columns = row.startsWith('{') ? membersOf(row, 0) : declared.get(row)
      if (columns !== undefined) tables.set(toSnakeCase(table), columns)
    }
  }
  return tables
}

/** The members of the object type whose opening brace is at `begin`. */
function membersOf(text: string, begin: number): Map<string, string> {
  const members: string[] = ['']
  let depth = 0
  for (let at = begin; at < text.length; at++) {
    const character = text[at] ?? ''
    if ('{<(['.includes(character) && depth++ === 0) continue
    if ('}>)]'.includes(character) && --depth === 0) break
    if (depth === 1 && /[\n;]/.test(character)) members.push('')
    else members.push(`${members.pop()}${character}`)
  }
  return new Map(
    members.flatMap((member) => {
      const { 1: name, 2: type } = /^\s*(\w+):\s*([\s\S]*\S)\s*$/.exec(member) ?? []
      return name === undefined || type === undefined ? [] : [[name, type] as const]
    }),
  )
}

function violationsOf(tables: Map<string, Map<string, string>>, schema: readonly Column[]): string[] {
  return [...tables].flatMap(([table, columns]) => {
    const known = new Map(schema.filter((column) => column.table === table).map((column) => [column.name, column]))
    if (known.size === 0) return [`${table} does not exist`]
    return [...columns].flatMap(([name, type]) => {
      const column = known.get(toSnakeCase(name))
      const named = `${table}.${toSnakeCase(name)}`
      return column === undefined ? [`${named} does not exist`] : violationsOfColumn(column, type, named)
    })
  })
}

function violationsOfColumn({ type, required, hasDefault }: Column, declared: string, named: string): string[] {
  const { 1: wrapper, 2: inside = declared } =
    /^(Generated|GeneratedAlways|JSONColumnType)<(.*)>$/s.exec(declared) ?? []
  const selected = /^ColumnType<([^,]*),/.exec(inside)?.[1] ?? inside
  const [kind = ''] = selected.split(' | null')
  if (!isType(type, wrapper === 'JSONColumnType' ? 'json' : kind)) return [`${named} is ${type}, not ${kind}`]
  if (required && selected.includes('| null')) return [`${named} is never null`]
  if (!required && !selected.includes('null')) return [`${named} may be null`]
  const isFilled = hasDefault || !required
  return wrapper?.startsWith('Generated') && !isFilled ? [`${named} has no default`] : []
}

/** Other kinds are unions of texts, or named types whose values are texts or JSON. */
function isType(type: string, kind: string): boolean {
  if (kind.startsWith('Date')) return type === 'timestamptz'
  if (kind === 'Buffer') return type === 'bytea'
  if (kind === 'boolean') return type === 'bool'
  // An id of a job, which our connections read as a number (platform/jobs/jobs.ts).
  if (kind === 'string | number') return type === 'int8'
  if (kind === 'number') return ['int2', 'int4', 'int8', 'float8'].includes(type)
  if (kind === 'json') return type === 'jsonb'
  if (kind.endsWith('[]')) return type.startsWith('_')
  if (kind === 'string') return ['text', 'uuid', 'date', 'varchar'].includes(type)
  return ['text', 'jsonb'].includes(type)
}

const toSnakeCase = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
