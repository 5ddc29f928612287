import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { useMediaQuery, useMergedRef } from '@mantine/hooks'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../hooks/use-now.ts'
import { type Day, dayOf } from './days.ts'
import { MonthGrid } from './MonthGrid.tsx'
import type { TypedFieldProps } from './TypedChoice.tsx'
import { readDay, writeShortDay } from './typed-date.ts'
import { useTypedText } from './use-typed-text.ts'

type DateFieldProps = TypedFieldProps & {
  /** 2030-01-07; empty for none. */
  value: string
  onChange(day: string): void
  /** The present day where it is not that of the reader's time zone. */
  today?: Day | undefined
  /** What is typed without a year means a day from this one on; from today on without it. */
  from?: Day
  /** What is typed without a year means a day that is over. */
  isPast?: boolean
}

const tickMs = 60_000
const marginPixels = 12

/** The layer is closed, open below the text that has the focus, or has the focus itself. */
type Layer = 'closed' | 'below' | 'focused'

/** A date: typed in the reader's own way, or chosen in a month (WAI-ARIA Authoring Practices, date picker dialog). */
export function DateField(props: DateFieldProps) {
  const { value, onChange, today: givenToday, from, isPast, error, onFocus, onBlur, ref, ...others } = props
  const { t, i18n } = useTranslation('app')
  const { language } = i18n
  const here = dayOf(useNow(tickMs))
  const today = givenToday ?? here
  const write = writeShortDay(language)
  const chosen = value === '' ? undefined : value
  const typing = useTypedText({
    value: chosen,
    write,
    read: (typed) =>
      readDay(typed, { language, today, ...(from && from > today && { from }), ...(isPast && { isPast }) }),
    onChange: (day) => onChange(day ?? ''),
  })
  const [layer, setLayer] = useState<Layer>('closed')
  const [day, setDay] = useState<Day>(chosen ?? today)
  const input = useRef<HTMLInputElement>(null)
  const dropdown = useRef<HTMLDivElement>(null)
  // A finger chooses a day; a keyboard on the screen would cover it.
  const isTouched = useMediaQuery('(pointer: coarse)', undefined, { getInitialValueInEffect: false })
  const open = (as: Layer, at = chosen) => {
    setDay(at ?? from ?? today)
    setLayer(as)
  }
  const calendarName = t('typed.calendar', { label: others.label })
  const closeToText = () => {
    setLayer('closed')
    input.current?.focus()
  }
  const moveByKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      open('focused', typing.take())
    } else if (event.key === 'Enter') {
      typing.take()
      setLayer('closed')
    } else if (event.key === 'Escape') setLayer('closed')
  }
  return (
    <Popover
      opened={layer !== 'closed'}
      onChange={(isOpen) => isOpen || setLayer('closed')}
      onDismiss={() => setLayer('closed')}
      withRoles={false}
      trapFocus={layer === 'focused'}
      closeOnEscape={false}
      position="bottom-start"
      middlewares={{ flip: { padding: marginPixels }, shift: { padding: marginPixels } }}
    >
      <Popover.Target>
        <TextInput
          {...others}
          ref={useMergedRef(input, ref)}
          autoComplete="off"
          value={typing.text}
          error={typing.isUnreadable ? t('typed.noDate', { example: write(today) }) : error}
          {...(isTouched === true && { inputMode: 'none' })}
          // Keeps a dialog around the field open when Escape closes the month.
          data-mantine-stop-propagation={layer !== 'closed' || undefined}
          rightSectionPointerEvents="all"
          rightSection={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={calendarName}
              aria-haspopup="dialog"
              aria-expanded={layer !== 'closed'}
              // A click outside of the text and the layer closes the layer; one here is answered below.
              onMouseDown={(event) => event.stopPropagation()}
              onTouchStart={(event) => event.stopPropagation()}
              onClick={() => (layer === 'focused' ? closeToText() : open('focused'))}
            >
              <IconCalendar size={18} aria-hidden />
            </ActionIcon>
          }
          onChange={({ currentTarget }) => {
            typing.type(currentTarget.value)
            setLayer('closed')
          }}
          onKeyDown={moveByKey}
          onClick={() => layer === 'closed' && open('below')}
          onFocus={(event) => {
            typing.focus()
            event.currentTarget.select()
            onFocus?.(event)
          }}
          onBlur={(event) => {
            typing.take()
            typing.blur()
            if (!dropdown.current?.contains(event.relatedTarget) && layer === 'below') setLayer('closed')
            onBlur?.(event)
          }}
        />
      </Popover.Target>
      <Popover.Dropdown
        ref={dropdown}
        role="dialog"
        aria-label={calendarName}
        p="sm"
        // What the pointer presses beside a day does not take the focus from the text.
        onMouseDown={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          // A form around the field is not concerned.
          event.stopPropagation()
          if (event.key === 'Escape') closeToText()
        }}
      >
        <MonthGrid
          size="large"
          day={day}
          onDay={setDay}
          today={today}
          chosen={chosen}
          onChoose={(found) => {
            typing.choose(found)
            closeToText()
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
