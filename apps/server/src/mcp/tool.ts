import type { Endpoint, ReplyOf } from '@parley/contract'
import { type Static, type TObject, type TProperties, Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import type { EndpointFields } from '../access/serve.ts'
import type { Confirmation, Proposals } from './signed-values.ts'

/** How a client may treat a tool (MCP revision 2026-07-28, `ToolAnnotations`). */
type ToolAnnotations = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  /** Whether it reaches people outside: by mail. */
  openWorldHint: boolean
}

/** What a tool receives in addition to its arguments. */
export type ToolContext = {
  caller: Caller
  now: Date
  timeZoneAliases: ReadonlyMap<string, string>
  /** Call an endpoint of the API as the caller. */
  call<E extends Endpoint>(endpoint: E, sent: EndpointFields<E>): Promise<ReplyOf<E>>
  /** Proposals of this caller, through this app. */
  proposals: Proposals
  /** Whether the person has confirmed an action, which `action` names with all that it does. */
  confirmation(action: unknown): Confirmation
}

/** `sentence` is the result in words; `ask` is what the person is asked before anything is done. */
export type ToolOutcome<Result> =
  | { kind: 'done'; sentence: string; result: Result }
  | { kind: 'ask'; question: string; action: unknown }
  | { kind: 'refused'; sentence: string }

type ToolDefinition<Input extends TObject, Output extends TObject> = {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  input: Input
  output: Output
  /** The endpoints that a call uses: it takes all of their scopes. Depends on arguments where these choose. */
  uses: (sent: Partial<Static<Input>>) => readonly Endpoint[]
  run(context: ToolContext, input: Static<Input>): Promise<ToolOutcome<Static<Output>>>
}

/** A tool whose arguments are checked by its schema before `run`. */
export type Tool = Omit<ToolDefinition<TObject, TObject>, 'run' | 'uses'> & {
  uses(sent: unknown): readonly Endpoint[]
  run(context: ToolContext, input: unknown): Promise<ToolOutcome<unknown>>
}

export const defineTool = <Input extends TObject, Output extends TObject>(
  tool: ToolDefinition<Input, Output>,
): Tool => ({
  ...tool,
  uses: (sent) => tool.uses(Object(sent)),
  run: (context, input) => tool.run(context, input as Static<Input>),
})

/** Arguments, unknown ones refused: a program that invents a field must not believe that it was honoured. */
export const toolInput = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })
