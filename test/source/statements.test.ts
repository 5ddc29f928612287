import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import {
  type DefinedStatement,
  definedStatements,
  defineStatement,
  type Statement,
} from '../../apps/server/src/platform/database/define-statement.ts'
import { toCamelCase } from '../../apps/server/src/platform/database/rows.ts'
import { castTypeOf, isNullable } from '../../apps/server/src/platform/database/tables.ts'
import { describeStatement } from '../../apps/server/test/postgres/describe-statement.ts'
import { createTestDatabase, type TestDatabase } from '../../apps/server/test/postgres/test-database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = globSync('apps/server/src/**/*.ts', { cwd: root })
  .filter((file) => !/\.(test|story)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(`${root}${file}`, 'utf8') }))
const defining = sources.filter(
  ({ file, text }) => /\bdefineStatement(Variants)?\(/.test(text) && !file.endsWith('/define-statement.ts'),
)

type AnyStatement = Pick<Statement<never, never>, 'name' | 'compiled'> & {
  parameters: Readonly<Record<string, string>>
  columns: Readonly<Record<string, string>> | undefined
}

let database: TestDatabase
let client: pg.Client
let schema: Schema

before(async () => {
  database = await createTestDatabase()
  client = new pg.Client(database.connection)
  await client.connect()
  schema = await readSchema(client)
})
after(async () => {
  await client.end()
  await database.drop()
})

test('every statement can be planned against the schema, and returns the declared columns', async () => {
  const violations: string[] = []
  const names = new Map<string, string>()
  for (const { file, text } of defining) {
    const definitions = await definitionsOf(file)
    const written = text.match(/\bdefineStatement(Variants)?\(/g)?.length
    // A definition inside a function would not be planned here.
    if (definitions.length !== written) violations.push(`${file}: define statements at the top level of the file`)
    for (const definition of definitions) {
      const { name, dimensions } = definition
      const namesake = names.get(name)
      if (namesake !== undefined) violations.push(`${file}: ${namesake} also has a statement ${name}`)
      names.set(name, file)
      const statements = pairsOf(dimensions).map(definition.statementOf) as unknown as AnyStatement[]
      // The variants of a statement often share their parameters.
      if (Object.keys(dimensions).length === 0) violations.push(...statements.flatMap(unusedParametersOf))
      for (const statement of statements) violations.push(...(await violationsOf(statement)))
    }
  }
  assert.ok(names.size > 0)
  assert.deepEqual(violations, [])
})

test('finds a wrong table, column or type, and a missing null', async () => {
  const select = (text: string, columns: Readonly<Record<string, 'uuid' | 'text' | 'timestamptz' | 'uuid?'>>) =>
    violationsOf(defineStatement({ name: 'x', parameters: {}, columns, text: () => sql.raw(text) }) as never)
  assert.deepEqual(await select('select id, topic from meeting', { id: 'uuid', topic: 'text' }), [])
  assert.deepEqual(await select('select id from meetings', { id: 'uuid' }), ['x: relation "meetings" does not exist'])
  assert.deepEqual(await select('select subject from meeting', { subject: 'text' }), [
    'x: column "subject" does not exist',
  ])
  assert.deepEqual(await select('select id, topic from meeting', { id: 'uuid', subject: 'text' }), [
    'x: returns id, topic, but declares id, subject',
  ])
  assert.deepEqual(await select('select id from meeting', { id: 'text' }), ['x: id is uuid, but declared as text'])
  assert.deepEqual(await select('select cancelled_at as at from meeting', { at: 'timestamptz' }), [
    'x: at may be null, but is declared as timestamptz',
  ])
  const wrongValue = defineStatement({
    name: 'x',
    parameters: { id: 'text' },
    text: (p) => sql`delete from meeting where id = ${p.id}`,
  })
  assert.deepEqual(await violationsOf(wrongValue as never), ['x: operator does not exist: uuid = text'])
})

/** Shell commands have `$1` as well, and a restore writes the tables that its backup names. */
const otherPlaceholders = ['apps/server/src/platform/postgres/user.ts', 'apps/server/src/cli/restore.ts']

test('no statement has a hand-numbered placeholder', () => {
  const counted = sources.flatMap(({ file, text }) =>
    otherPlaceholders.includes(file)
      ? []
      : text
          .split('\n')
          .filter((line) => /\$\d/.test(line) && !/\.replace(All)?\(|render|attrSet/.test(line))
          .map((line) => `${file}: ${line.trim()}`),
  )
  assert.deepEqual(counted, [])
})

/** The export writes JSON, whose keys are part of a person's file. */
test('no statement spells a column in camelCase', () => {
  const renaming = sources.flatMap(({ file, text }) =>
    file.endsWith('/export-sections.ts')
      ? []
      : [...text.matchAll(/ as "[a-z]+[A-Z]\w*"/g)].map(([as]) => `${file}:${as}`),
  )
  assert.deepEqual(renaming, [])
})

/** The definitions of a file. A second instance of its module defines them again, after those that it imports. */
async function definitionsOf(file: string): Promise<DefinedStatement[]> {
  const { href } = pathToFileURL(`${root}${file}`)
  await import(href)
  const definitions: DefinedStatement[] = []
  const collect = (definition: unknown) => definitions.push(definition as DefinedStatement)
  definedStatements.subscribe(collect)
  await import(`${href}?statements`)
  definedStatements.unsubscribe(collect)
  return definitions
}

/** A small set of combinations in which every two values of different dimensions occur together. */
function pairsOf(dimensions: DefinedStatement['dimensions']): Readonly<Record<string, unknown>>[] {
  const names = Object.keys(dimensions)
  const pair = (one: string, a: unknown, other: string, b: unknown) => `${one}=${a} ${other}=${b}`
  const pairsIn = (row: Readonly<Record<string, unknown>>) =>
    names.flatMap((one, index) => names.slice(index + 1).map((other) => pair(one, row[one], other, row[other])))
  let all: Record<string, unknown>[] = [{}]
  for (const [name, values] of Object.entries(dimensions)) {
    all = all.flatMap((row) => values.map((value) => ({ ...row, [name]: value })))
  }
  if (names.length < 2) return all
  const met = new Set<string>()
  return all.filter((row) => {
    const pairs = pairsIn(row)
    const isNew = pairs.some((each) => !met.has(each))
    for (const each of pairs) met.add(each)
    return isNew
  })
}

const unusedParametersOf = ({ name, parameters, compiled }: AnyStatement) =>
  Object.keys(parameters)
    .filter((parameter) => !compiled.parameters.includes(parameter))
    .map((parameter) => `${name}: the text does not use ${parameter}`)

async function violationsOf(statement: AnyStatement): Promise<string[]> {
  const { name, columns } = statement
  let found: Awaited<ReturnType<typeof describeStatement>>
  try {
    const { text } = statement.compiled
    found = await describeStatement(client, text)
    await client.query(`explain (generic_plan) ${text}`)
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`]
  }
  if (columns === undefined) return []
  const returned = found.map((column) => toCamelCase(column.name)).sort()
  const declared = Object.keys(columns).sort()
  if (returned.join() !== declared.join()) {
    return [`${name}: returns ${returned.join(', ')}, but declares ${declared.join(', ')}`]
  }
  return found.flatMap((column) => {
    const type = columns[toCamelCase(column.name)] ?? ''
    if (schema.typeIdOf(castTypeOf(type as 'text')) !== column.typeId) {
      return [`${name}: ${column.name} is ${schema.typeNameOf(column.typeId)}, but declared as ${type}`]
    }
    const mayBeNull = schema.isNullable(column) && !isNullable(type as 'text')
    return mayBeNull ? [`${name}: ${column.name} may be null, but is declared as ${type}`] : []
  })
}

type Schema = {
  typeIdOf(name: string): number | undefined
  typeNameOf(id: number): string | undefined
  isNullable(column: { tableId: number; columnId: number }): boolean
}

async function readSchema(connected: pg.Client): Promise<Schema> {
  const types = await connected.query<{ id: number; name: string }>(
    'select oid as id, format_type(oid, null) as name from pg_type',
  )
  const nullable = await connected.query<{ table: number; column: number }>(
    `select attrelid as table, attnum as column from pg_attribute join pg_class on pg_class.oid = attrelid
     where relkind = 'r' and attnum > 0 and not attnotnull`,
  )
  const isoNames: Record<string, string> = { timestamptz: 'timestamp with time zone' }
  const ids = new Map(types.rows.map(({ id, name }) => [name, id]))
  const names = new Map(types.rows.map(({ id, name }) => [id, name]))
  const nullableColumns = new Set(nullable.rows.map(({ table, column }) => `${table} ${column}`))
  return {
    typeIdOf: (name) => ids.get(name.replace(/^\w+/, (base) => isoNames[base] ?? base)),
    typeNameOf: (id) => names.get(id),
    isNullable: ({ tableId, columnId }) => nullableColumns.has(`${tableId} ${columnId}`),
  }
}

test('each class of advisory locks belongs to one mechanism', () => {
  const classes = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(727_?5\d\d)\b/g)].map(([, number = '']) => `${number.replace('_', '')} ${file}`),
  )
  const byClass = Map.groupBy(new Set(classes), (place) => place.split(' ')[0])
  assert.ok(byClass.size > 5)
  assert.deepEqual(
    [...byClass.values()].filter((places) => places.length > 1),
    [],
  )
})
