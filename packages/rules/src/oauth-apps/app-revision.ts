import type { AppFields } from './app-fields.ts'

export type EditPlan<Fields> = {
  /** What users meet from now on; undefined when nothing of it changes. */
  live: Fields | undefined
  /** What waits for a review; undefined when nothing does. */
  draft: Fields | undefined
}

/**
 * What an edit does to a live app (oauth.md 4). A changed name, description, page or logo, and an added callback or scope,
 * wait for their review as a draft. What takes something away (a callback, a scope) or is the developer's own business (use
 * case, the two switches) holds at once, also when something else of the same edit waits. An app never loses its last
 * live callback or scope that way: it goes with the draft.
 */
export function planEdit<Fields extends AppFields>(live: Fields | undefined, wanted: Fields): EditPlan<Fields> {
  if (live === undefined) return { live: undefined, draft: wanted }
  if (!needsReview(live, wanted)) return { live: isEqual(live, wanted) ? undefined : wanted, draft: undefined }
  const { useCase, requirePkce, sendIss } = wanted
  const atOnce = {
    ...live,
    ...{ useCase, requirePkce, sendIss },
    callbackUrls: withoutRemoved(live.callbackUrls, wanted.callbackUrls),
    scopes: withoutRemoved(live.scopes, wanted.scopes),
  }
  return { live: isEqual(live, atOnce) ? undefined : atOnce, draft: wanted }
}

export type Difference = { field: string; before: string[]; after: string[] }

/** Field by field; of a new app every field, with nothing before. */
export function differencesBetween(before: AppFields | undefined, after: AppFields): Difference[] {
  return fieldNames
    .map((field) => ({ field, before: before === undefined ? [] : shown(before[field]), after: shown(after[field]) }))
    .filter((difference) => before === undefined || !sameList(difference.before, difference.after))
}

export const isEqual = (one: AppFields, other: AppFields): boolean => differencesBetween(one, other).length === 0

const fieldNames = [
  ...(['name', 'homepageUrl', 'policyUrl', 'logoUrl', 'useCase', 'description'] as const),
  ...(['callbackUrls', 'scopes', 'requirePkce', 'sendIss'] as const),
]

const needsReview = (live: AppFields, wanted: AppFields) =>
  (['name', 'description', 'homepageUrl', 'policyUrl', 'logoUrl'] as const).some((f) => live[f] !== wanted[f]) ||
  wanted.callbackUrls.some((url) => !live.callbackUrls.includes(url)) ||
  wanted.scopes.some((scope) => !live.scopes.includes(scope))

function withoutRemoved<Item>(live: Item[], wanted: readonly Item[]): Item[] {
  const left = live.filter((item) => wanted.includes(item))
  return left.length === 0 ? live : left
}

const shown = (value: string | boolean | readonly string[]): string[] =>
  typeof value === 'object' ? [...value] : [String(value)]

const sameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item, index) => item === other[index])
