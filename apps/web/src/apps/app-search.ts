/** The tabs of an app's page. The address names the chosen one, so that it can be bookmarked. */
export const appViews = ['overview', 'credentials', 'testers', 'log', 'webhooks', 'code'] as const
type AppView = (typeof appViews)[number]

/** Parse the search parameters; drop the first tab and unknown values. */
export function readAppSearch({ view }: Record<string, unknown>): { view?: AppView } {
  const known = appViews.find((one) => one === view)
  return known === undefined || known === 'overview' ? {} : { view: known }
}
