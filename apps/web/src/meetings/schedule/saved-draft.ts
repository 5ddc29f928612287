import type { MeetingDraft } from './meeting-draft.ts'

/**
 * Unsent input. `etag` is the version of the meeting that it edits; `handedOver` tells the form that the input was
 * typed a moment ago in the calendar, so that it does not greet its author with “Your draft is back”.
 */
type SavedDraft = { draft: MeetingDraft; etag?: string; handedOver?: true }

/**
 * Store an unsent draft in this tab only, because it has email addresses. It survives a reload, a step back and leaving
 * the page by accident; it ends with the tab.
 */
export type DraftKeeper = {
  read(): SavedDraft | undefined
  keep(kept: SavedDraft): void
  clear(): void
}

/** Drafts with another shape, from an earlier version of the page, are ignored. */
const shape = 3

const prefixOf = (accountId: string) => `parley-draft-${shape}:${accountId}:`

const newPrefix = 'new:'

/** The name of the draft of a new meeting: there is one for each start that is chosen in the calendar. */
export const nameOfNewDraft = (startsAt: string | undefined): string => newPrefix + (startsAt ?? '')

type OtherDraft = { startsAt: string | undefined; topic: string; delete(): void }

/** Find the drafts of new meetings, without the one that has this start. */
export function findOtherDrafts(accountId: string, startsAt: string | undefined): OtherDraft[] {
  const prefix = prefixOf(accountId) + newPrefix
  return Object.keys(sessionStorage)
    .filter((key) => key.startsWith(prefix) && key !== prefixOf(accountId) + nameOfNewDraft(startsAt))
    .sort()
    .map((key) => ({
      startsAt: key.slice(prefix.length) || undefined,
      topic: (JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<SavedDraft>).draft?.topic.trim() ?? '',
      delete: () => sessionStorage.removeItem(key),
    }))
}

/** `name`: the edited meeting or date, or `nameOfNewDraft`. */
export function draftKeeper(accountId: string, name: string): DraftKeeper {
  const key = prefixOf(accountId) + name
  return {
    read() {
      const text = sessionStorage.getItem(key)
      return text === null ? undefined : (JSON.parse(text) as SavedDraft)
    },
    keep(kept) {
      try {
        sessionStorage.setItem(key, JSON.stringify(kept))
      } catch {
        // Storage is full or blocked; the draft is not saved.
      }
    },
    clear: () => sessionStorage.removeItem(key),
  }
}
