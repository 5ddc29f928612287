import type { Pool } from 'pg'

type Column = {
  table: string
  name: string
  type: string
  nullable: boolean
  filling: 'default' | 'always' | null
}

/** Write the columns of the schema `public` as a module, for the row types and the statements of the service. */
export async function writeColumns(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Column>(list)
  const tables = [...Map.groupBy(rows, ({ table }) => toCamelCase(table))]
  const columns = tables.map(
    ([table, of]) =>
      `  ${table}: {\n${of.map((column) => `    ${toCamelCase(column.name)}: '${typeOf(column)}',\n`).join('')}  },\n`,
  )
  const filled = (kind: Column['filling']) =>
    tables.flatMap(([table, of]) => {
      const names = of.filter(({ filling }) => filling === kind).map(({ name }) => `'${toCamelCase(name)}'`)
      return names.length === 0 ? [] : [memberOf(table, names)]
    })
  return `// The columns of schema.sql, written with it (apps/server/migrations/schema.test.ts).

export const columns = {
${columns.join('')}} as const

/** Columns that PostgreSQL fills where an insert leaves them out. */
export type ColumnsWithDefault = {
${filled('default').join('')}}

/** Columns that PostgreSQL alone writes. */
export type GeneratedColumns = {
${filled('always').join('')}}
`
}

/** As Biome formats it. */
function memberOf(table: string, names: readonly string[]): string {
  const line = `  ${table}: ${names.join(' | ')}\n`
  return line.length <= 121 ? line : `  ${table}:\n${names.map((name) => `    | ${name}\n`).join('')}`
}

const list = `
select relname as table, attname as name, format_type(atttypid, null) as type, not attnotnull as nullable,
  case when attgenerated <> '' or attidentity = 'a' then 'always' when atthasdef or attidentity = 'd' then 'default' end as filling
from pg_attribute join pg_class on pg_class.oid = attrelid
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
order by relname collate "C", attnum`

/** The name that defineStatement gives the type. */
const typeOf = ({ type, nullable }: Column) =>
  `${type.replace('timestamp with time zone', 'timestamptz')}${nullable ? '?' : ''}`

const toCamelCase = (name: string) => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
