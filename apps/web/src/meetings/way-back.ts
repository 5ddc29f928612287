import { useEffect } from 'react'
import { createStore, useStore } from '../ui/hooks/create-store.ts'
import type { CalendarSearch, MeetingSearch } from './search-params.ts'

/** The list or the calendar as it was shown, for the way back from a meeting. */
type Place = { page: 'meetings'; search: MeetingSearch } | { page: 'calendar'; search: CalendarSearch }

const shown = createStore<Place>({ page: 'meetings', search: {} })

/** Remember this page as the one that meetings are opened from. */
export function useRememberedPlace({ page, search }: Place): void {
  useEffect(() => {
    shown.replace({ page, search } as Place)
  }, [page, search])
}

/** The page that was shown before the meeting; the list after a reload. */
export const usePlaceBefore = (): Place => useStore(shown)
