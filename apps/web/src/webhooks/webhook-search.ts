/** The filters of the log of deliveries; a test compares them with the contract's states. */
export const logStates = ['waiting', 'delivered', 'failed', 'withheld'] as const
export type LogState = (typeof logStates)[number]

/** The log's filter in the address. Without one, the log shows every state; unknown values are dropped. */
export function readWebhookSearch({ state }: Record<string, unknown>): { state?: LogState } {
  const known = logStates.find((one) => one === state)
  return known === undefined ? {} : { state: known }
}
