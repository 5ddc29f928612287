/** Whether the operator's own command wrote an entry (src/cli): it has no account that could be its actor. */
export const isByOperator = ({ actorId, detail }: { actorId: string | null; detail: unknown }): boolean =>
  actorId === null && (detail as { by?: unknown }).by === 'operator'
