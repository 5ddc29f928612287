import { channel } from 'node:diagnostics_channel'
import { CompiledQuery, createQueryId, PostgresQueryCompiler, type RawBuilder } from 'kysely'
import type { Executor } from './database.ts'
import { queryRows, type SqlClient } from './rows.ts'
import { type ColumnType, castTypeOf, type ValueOf } from './tables.ts'

type ColumnTypes = Readonly<Record<string, ColumnType>>
type NoColumns = Readonly<Record<never, ColumnType>>
type ParametersOf<Types> = { readonly [Name in keyof Types]: Parameter }
type Readable<Value> = Value extends readonly (infer Element)[] ? readonly Element[] : Value
type ValuesOf<Types> = { readonly [Name in keyof Types]: Readable<ValueOf<Types[Name]>> }

/** The rows of a statement's columns. */
export type RowOf<Columns> = { -readonly [Name in keyof Columns]: ValueOf<Columns[Name]> }

/** A part of a statement's text. The text may contain parameters of the statement. */
export type Fragment = RawBuilder<unknown>

/** What the text of a statement may depend on: all values of each dimension. */
type Dimensions = Readonly<Record<string, readonly (string | boolean | undefined)[]>>
type VariantOf<D> = {
  readonly [Name in keyof D]: D[Name] extends readonly (infer Value)[] ? Value : never
}

type Definition<Parameters, Columns> = {
  /** Appears in pg_stat_activity and in traces, so that an operator finds the statement in the code. */
  name: string
  /** The values that the statement needs, by the name under which `text` uses them: `${p.hostId}`. */
  parameters: Parameters
  /** The columns of the result, in camelCase. Absent where the result is not read. */
  columns?: Columns
}

/** What is published of each definition. */
export type DefinedStatement = {
  name: string
  dimensions: Dimensions
  statementOf(variant: Readonly<Record<string, unknown>>): Statement<ColumnTypes, ColumnTypes>
}

/** Every definition is published here when its file is loaded, so that test/source/statements.test.ts finds and plans it. */
export const definedStatements = channel('parley:statement')

/**
 * Define a statement that Kysely's builder cannot express, or that runs too often for it. Its text is written with
 * Kysely's `sql` and compiled once, at the first use; PostgreSQL plans it once per connection (docs/decisions/0120).
 * Write constants as `sql.lit(…)`, so that the plan knows them.
 */
export function defineStatement<const Parameters extends ColumnTypes, const Columns extends ColumnTypes = NoColumns>(
  definition: Definition<Parameters, Columns> & { text: (p: ParametersOf<Parameters>) => Fragment },
): Statement<Parameters, Columns> {
  return defineStatementVariants({ ...definition, dimensions: {} })({})
}

/**
 * Define a statement whose text depends on more than values. Each variant, a combination of the dimensions' values, is
 * a statement of its own that is compiled once.
 * @returns a function that finds the statement of a variant
 */
export function defineStatementVariants<
  const Parameters extends ColumnTypes,
  const D extends Dimensions,
  const Columns extends ColumnTypes = NoColumns,
>({
  dimensions,
  text,
  ...definition
}: Definition<Parameters, Columns> & {
  dimensions: D
  text: (p: ParametersOf<Parameters>, variant: VariantOf<D>) => Fragment
}): (variant: VariantOf<D>) => Statement<Parameters, Columns> {
  const names: readonly (keyof D)[] = Object.keys(dimensions)
  const statements = new Map<string, Statement<Parameters, Columns>>()
  const statementOf = (variant: VariantOf<D>) => {
    const key = names.map((name) => variant[name]).join()
    const known = statements.get(key)
    if (known !== undefined) return known
    const statement = new Statement({ ...definition, text: (p: ParametersOf<Parameters>) => text(p, variant) })
    statements.set(key, statement)
    return statement
  }
  definedStatements.publish({ name: definition.name, dimensions, statementOf })
  return statementOf
}

/** A statement with named parameters. A column `starts_at` of the text is `startsAt` in its rows. */
export class Statement<Parameters extends ColumnTypes, Columns extends ColumnTypes> {
  readonly name: string
  readonly parameters: Parameters
  readonly columns: Columns | undefined
  readonly #text: (p: ParametersOf<Parameters>) => Fragment
  #compiled: CompiledStatement | undefined

  constructor({
    name,
    parameters,
    columns,
    text,
  }: Definition<Parameters, Columns> & { text: (p: ParametersOf<Parameters>) => Fragment }) {
    this.name = name
    this.parameters = parameters
    this.columns = columns
    this.#text = text
  }

  /** Run the statement with Kysely's pool or in a transaction. */
  async execute(executor: Executor, values: ValuesOf<Parameters>): Promise<RowOf<Columns>[]> {
    const query = CompiledQuery.raw(this.compiled.text, this.#inOrder(values))
    const result = await executor
      .getExecutor()
      .provideConnection((connection) => connection.executeQuery<RowOf<Columns>>(query))
    return result.rows
  }

  /** Run the statement with pg's pool or one of its clients. */
  async executeOn(client: SqlClient, values: ValuesOf<Parameters>): Promise<RowOf<Columns>[]> {
    const { rows } = await queryRows<RowOf<Columns>>(client, {
      text: this.compiled.text,
      values: this.#inOrder(values),
    })
    return rows
  }

  get compiled(): CompiledStatement {
    this.#compiled ??= compile(this.name, this.parameters, this.#text)
    return this.#compiled
  }

  #inOrder(values: ValuesOf<Parameters>): unknown[] {
    return this.compiled.parameters.map((name) => values[name])
  }
}

/** `parameters`: the parameters behind the placeholders, in their order. */
type CompiledStatement = { text: string; parameters: readonly string[] }

/** A value that a statement gets when it runs. */
export class Parameter {
  readonly name: string
  readonly type: ColumnType

  constructor(name: string, type: ColumnType) {
    this.name = name
    this.type = type
  }
}

function compile<Parameters extends ColumnTypes>(
  name: string,
  types: Parameters,
  text: (p: ParametersOf<Parameters>) => Fragment,
): CompiledStatement {
  const named = Object.entries(types).map(([key, type]) => [key, new Parameter(key, type)])
  const parameters = Object.fromEntries(named) as ParametersOf<Parameters>
  const compiler = new StatementCompiler()
  const { sql } = compiler.compileQuery(text(parameters).toOperationNode(), createQueryId())
  return { text: `/* ${name} */ ${sql}`, parameters: compiler.parameterNames }
}

/** Compiler that gives each parameter one placeholder, however often the text uses the parameter. */
class StatementCompiler extends PostgresQueryCompiler {
  readonly parameterNames: string[] = []

  protected override appendValue(value: unknown): void {
    if (!(value instanceof Parameter)) {
      throw new TypeError('A statement takes its values as parameters; write a constant as sql.lit(…)')
    }
    const known = this.parameterNames.indexOf(value.name)
    const number = known === -1 ? this.parameterNames.push(value.name) : known + 1
    this.append(`$${number}::${castTypeOf(value.type)}`)
  }
}
