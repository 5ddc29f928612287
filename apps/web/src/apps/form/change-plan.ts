import type { AppFields } from '@parley/rules/oauth-apps/app-fields'
import { planEdit } from '@parley/rules/oauth-apps/app-revision'

type Field = keyof AppFields
/** One change: of a whole field, or of one redirect URI, origin or scope. */
export type PlannedChange = { field: Field; kind: 'changed' | 'added' | 'removed'; item?: string }
type SortedChanges = { waiting: PlannedChange[]; atOnce: PlannedChange[] }

const single = [
  ...(['name', 'description', 'homepageUrl', 'policyUrl', 'logoUrl'] as const),
  ...(['useCase', 'requirePkce', 'sendIss'] as const),
]

/** Split the changes to a live app into those that need a review and those that take effect when saved. */
export function sortChanges(live: AppFields, wanted: AppFields): SortedChanges {
  const { live: after = live } = planEdit(live, wanted)
  const changes: PlannedChange[] = [
    ...single.filter((field) => live[field] !== wanted[field]).map((field) => ({ field, kind: 'changed' as const })),
    ...(['callbackUrls', 'embedOrigins', 'scopes'] as const).flatMap((field) =>
      listChanges(field, live[field], wanted[field]),
    ),
  ]
  const isAtOnce = ({ field, kind, item = '' }: PlannedChange) => {
    const value = after[field]
    if (!Array.isArray(value)) return value === wanted[field]
    return kind === 'added' ? value.includes(item) : !value.includes(item)
  }
  return { waiting: changes.filter((change) => !isAtOnce(change)), atOnce: changes.filter(isAtOnce) }
}

const listChanges = (field: Field, before: readonly string[], after: readonly string[]): PlannedChange[] => [
  ...after.filter((item) => !before.includes(item)).map((item) => ({ field, kind: 'added' as const, item })),
  ...before.filter((item) => !after.includes(item)).map((item) => ({ field, kind: 'removed' as const, item })),
]
