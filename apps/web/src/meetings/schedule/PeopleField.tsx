import { Button, Pill, PillsInput } from '@mantine/core'
import { isEmailAddress } from '@parley/rules/text/email-address'
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readAddressList, withoutDoubles } from './address-list.ts'
import classes from './PeopleField.module.css'

type PeopleFieldProps = {
  label: string
  description: string
  value: readonly string[]
  onChange(value: string[]): void
  error?: string | undefined
}

/** More chips would make the page long; the rest are shown as a number. */
const shownAtFirst = 40

/**
 * Email addresses, typed one by one or pasted as a list. Each is a chip; an invalid one is red, and a click on it edits
 * it.
 */
export function PeopleField({ label, description, value, onChange, error }: PeopleFieldProps) {
  const { t } = useTranslation(['schedule', 'app'])
  const [typed, setTyped] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const entry = useRef<HTMLInputElement>(null)
  const shown = showsAll ? value : value.slice(0, shownAtFirst)
  const wrong = value.filter((address) => !isEmailAddress(address))

  const add = (text: string) => {
    const addresses = readAddressList(text)
    if (addresses.length > 0) onChange(withoutDoubles([...value, ...addresses]))
    setTyped('')
  }
  const remove = (address: string) => {
    onChange(value.filter((one) => one !== address))
    entry.current?.focus()
  }
  const mend = (address: string) => {
    remove(address)
    setTyped(address)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // During IME composition, Enter selects a candidate.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1))
    const ends = [',', ';', 'Enter'].includes(event.key) || (event.key === ' ' && isEmailAddress(typed.trim()))
    if (!ends) return
    add(typed)
    // Ctrl+Enter submits the form, including the text just typed.
    if (!(event.ctrlKey || event.metaKey)) event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    if (!/[@,;\n]/.test(text)) return
    event.preventDefault()
    add(`${typed}${text}`)
  }

  return (
    <PillsInput
      label={label}
      description={description}
      error={error ?? (wrong.length > 0 ? t('people.wrong', { count: wrong.length }) : undefined)}
    >
      <Pill.Group>
        {shown.map((address) => (
          <Pill
            key={address}
            size="md"
            className={isEmailAddress(address) ? undefined : classes.wrong}
            withRemoveButton
            onRemove={() => remove(address)}
            removeButtonProps={{
              'aria-label': t('app:removeAddress', { address }),
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {isEmailAddress(address) ? (
              <bdi>{address}</bdi>
            ) : (
              <button
                type="button"
                className={classes.edit}
                onClick={() => mend(address)}
                aria-label={t('people.mend', { address })}
              >
                <bdi>{address}</bdi>
              </button>
            )}
          </Pill>
        ))}
        {shown.length < value.length && (
          <Button size="compact-sm" variant="subtle" onClick={() => setShowsAll(true)}>
            {t('people.more', { count: value.length - shown.length })}
          </Button>
        )}
        <PillsInput.Field
          ref={entry}
          className={classes.entry}
          type="visible"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => add(typed)}
        />
      </Pill.Group>
    </PillsInput>
  )
}
