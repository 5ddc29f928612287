import type { AppFields } from './app-fields.ts'

export type EditPlan<Fields> = {
  /** The live fields after the edit; undefined when they do not change. */
  live: Fields | undefined
  /** The fields that wait for a review; undefined when none do. */
  draft: Fields | undefined
}

/**
 * Decide what an edit does to a live app (docs/oauth.md, "Review"). A changed name, description, page or logo, and an
 * added callback, embedding origin or scope, become a draft that waits for review. A removed callback, origin or scope,
 * and the fields that concern only the developer (use case, the two switches), take effect at once, even if other parts
 * of the same edit wait. The last live callback or scope is not removed that way; it is replaced together with the draft.
 */
export function planEdit<Fields extends AppFields>(live: Fields | undefined, wanted: Fields): EditPlan<Fields> {
  if (live === undefined) return { live: undefined, draft: wanted }
  if (!needsReview(live, wanted)) return { live: isEqual(live, wanted) ? undefined : wanted, draft: undefined }
  const { useCase, requirePkce, sendIss } = wanted
  const atOnce = {
    ...live,
    useCase,
    requirePkce,
    sendIss,
    callbackUrls: withoutRemoved(live.callbackUrls, wanted.callbackUrls),
    // An app needs none of them.
    embedOrigins: live.embedOrigins.filter((origin) => wanted.embedOrigins.includes(origin)),
    scopes: withoutRemoved(live.scopes, wanted.scopes),
  }
  return { live: isEqual(live, atOnce) ? undefined : atOnce, draft: wanted }
}

type Difference = { field: string; before: string[]; after: string[] }

/** The differences by field; for a new app every field, with nothing before. */
export function differencesBetween(before: AppFields | undefined, after: AppFields): Difference[] {
  return fieldNames
    .map((field) => ({ field, before: before === undefined ? [] : shown(before[field]), after: shown(after[field]) }))
    .filter((difference) => before === undefined || !sameList(difference.before, difference.after))
}

export const isEqual = (first: AppFields, second: AppFields): boolean => differencesBetween(first, second).length === 0

const fieldNames = [
  ...(['name', 'homepageUrl', 'policyUrl', 'logoUrl', 'useCase', 'description'] as const),
  ...(['callbackUrls', 'embedOrigins', 'scopes', 'clientType', 'requirePkce', 'sendIss'] as const),
]

const needsReview = (live: AppFields, wanted: AppFields) =>
  (['name', 'description', 'homepageUrl', 'policyUrl', 'logoUrl'] as const).some((f) => live[f] !== wanted[f]) ||
  wanted.callbackUrls.some((url) => !live.callbackUrls.includes(url)) ||
  wanted.embedOrigins.some((origin) => !live.embedOrigins.includes(origin)) ||
  wanted.scopes.some((scope) => !live.scopes.includes(scope))

function withoutRemoved<Item>(live: Item[], wanted: readonly Item[]): Item[] {
  const left = live.filter((item) => wanted.includes(item))
  return left.length === 0 ? live : left
}

const shown = (value: string | boolean | readonly string[]): string[] =>
  typeof value === 'object' ? [...value] : [String(value)]

const sameList = (first: readonly string[], second: readonly string[]) =>
  first.length === second.length && first.every((item, index) => item === second[index])
