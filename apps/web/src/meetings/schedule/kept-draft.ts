import type { MeetingDraft } from './meeting-draft.ts'

/** What somebody has typed and not sent. `etag` is the version of the meeting that it changes. */
export type KeptDraft = { draft: MeetingDraft; etag?: string }

/**
 * Where an unsent draft is kept: in this tab alone, since addresses of people are in it. It outlives a reload, a step back
 * and a page that was left by accident; it goes with the tab.
 */
export type DraftKeeper = {
  read(): KeptDraft | undefined
  keep(kept: KeptDraft): void
  forget(): void
}

/** Drafts of another shape, from before the pages were brought up to date, are not read. */
const shape = 2

export function draftKeeper(accountId: string, meetingId: string | undefined): DraftKeeper {
  const key = `parley-draft-${shape}:${accountId}:${meetingId ?? 'new'}`
  return {
    read() {
      const text = sessionStorage.getItem(key)
      return text === null ? undefined : (JSON.parse(text) as KeptDraft)
    },
    keep(kept) {
      try {
        sessionStorage.setItem(key, JSON.stringify(kept))
      } catch {
        // No room, or not allowed: then it is not kept.
      }
    },
    forget: () => sessionStorage.removeItem(key),
  }
}
