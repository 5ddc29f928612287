import { useLocalStorage } from '@mantine/hooks'
import { useCallback } from 'react'
import { isKnownZone } from '../schedule/wall-time.ts'
import { type CalendarView, calendarViews } from '../search-params.ts'

/** How this device shows the calendar. */
type CalendarSettings = {
  /** The view that was chosen last, for the way back by the navigation. */
  view?: CalendarView
  weekNumbers?: boolean
  /** The IANA time zone whose hours stand beside the reader's own. */
  secondZone?: string | undefined
}

const keptUnder = 'parley-calendar'

/** What is kept may be of another version, or changed by hand. */
function readSettings(kept: string | undefined): CalendarSettings {
  try {
    const { view, weekNumbers, secondZone } = Object(JSON.parse(kept ?? '{}'))
    const known = calendarViews.find((one) => one === view)
    return {
      ...(known !== undefined && { view: known }),
      ...(weekNumbers === true && { weekNumbers }),
      ...(typeof secondZone === 'string' && isKnownZone(secondZone) && { secondZone }),
    }
  } catch {
    return {}
  }
}

/** The settings, and a function that changes some of them. */
export function useCalendarSettings(): [CalendarSettings, (change: Partial<CalendarSettings>) => void] {
  const [settings, setSettings] = useLocalStorage<CalendarSettings>({
    key: keptUnder,
    defaultValue: {},
    getInitialValueInEffect: false,
    deserialize: readSettings,
  })
  const change = useCallback(
    (changed: Partial<CalendarSettings>) => setSettings((before) => ({ ...before, ...changed })),
    [setSettings],
  )
  return [settings, change]
}
