import { lazy, type MouseEvent, type ReactNode, Suspense, useEffect } from 'react'
import { createStore, useStore } from '../../ui/hooks/create-store.ts'
import { type CalendarDate, dateKeyOf } from './calendar-dates.ts'

type OpenedDate = { date: CalendarDate; target: HTMLElement }

/** Outside of the calendar's state: opening a date renders none of the others. */
const opened = createStore<OpenedDate | undefined>(undefined)

export const isDateOpened = (): boolean => opened.read() !== undefined

type DateLinkProps = Omit<React.ComponentPropsWithoutRef<'a'>, 'href' | 'onClick'> & {
  date: CalendarDate
  children: ReactNode
}

/** A date of the calendar: a click opens its layer, and as a link its page can be opened in another tab. */
export function DateLink({ date, children, ...props }: DateLinkProps) {
  const { meetingId, startTime } = date
  const open = (click: MouseEvent<HTMLAnchorElement>) => {
    if (click.metaKey || click.ctrlKey || click.shiftKey) return
    click.preventDefault()
    opened.replace({ date, target: click.currentTarget })
  }
  return (
    <a
      href={`/meetings/${meetingId}?date=${encodeURIComponent(startTime)}`}
      aria-haspopup="dialog"
      onClick={open}
      {...props}
    >
      {children}
    </a>
  )
}

const DateDetails = lazy(async () => ({ default: (await import('./layers/DateDetails.tsx')).DateDetails }))

type OpenedDateProps = { onMove?: ((date: CalendarDate) => void) | undefined }

/** The layer of the date that was clicked. */
export function OpenedDateLayer({ onMove }: OpenedDateProps) {
  const shown = useStore(opened)
  useEffect(() => () => opened.replace(undefined), [])
  if (shown === undefined) return null
  const { date, target } = shown
  return (
    <Suspense fallback={null}>
      <DateDetails
        key={dateKeyOf(date)}
        date={date}
        target={target}
        onMove={onMove}
        onClose={() => opened.replace(undefined)}
      />
    </Suspense>
  )
}
