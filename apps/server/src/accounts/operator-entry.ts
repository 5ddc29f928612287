/** Whether an operator's command (src/cli) wrote an entry: it has no actor account. */
export const isByOperator = ({ actorId, detail }: { actorId: string | null; detail: unknown }): boolean =>
  actorId === null && (detail as { by?: unknown }).by === 'operator'
