/** The parts of an app's page; the chosen one stands in the address, so that it can be kept and sent. */
export const appViews = ['overview', 'credentials', 'testers', 'log', 'code'] as const
export type AppView = (typeof appViews)[number]

/** Reads the address; the first part, and what is not known, are left out. */
export function readAppSearch({ view }: Record<string, unknown>): { view?: AppView } {
  const known = appViews.find((one) => one === view)
  return known === undefined || known === 'overview' ? {} : { view: known }
}
