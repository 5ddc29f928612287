import type { MeetingDraft } from './meeting-draft.ts'

/** Unsent input. `etag` is the version of the meeting that it edits. */
type SavedDraft = { draft: MeetingDraft; etag?: string }

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
const shape = 2

export function draftKeeper(accountId: string, meetingId: string | undefined): DraftKeeper {
  const key = `parley-draft-${shape}:${accountId}:${meetingId ?? 'new'}`
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
