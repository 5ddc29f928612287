import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import classes from './TypedChoice.module.css'
import { useTypedText } from './use-typed-text.ts'

/** What the fields of dates and times have in common with a field of text. */
export type TypedFieldProps = Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'label'> & {
  label: string
}

type TypedChoiceProps<Value> = TypedFieldProps & {
  /** Undefined while nothing is chosen. */
  value: Value | undefined
  write(value: Value): string
  read(typed: string): Value | undefined
  /** What the list offers: what a typed text can mean, the nearest first, or everything. */
  choices(typed: string | undefined): readonly Value[]
  onChange(value: Value | undefined): void
  /** Said of a text that cannot be read. */
  unreadable: string
}

/** A field with a list of choices that also takes what is typed (WAI-ARIA Authoring Practices, editable combobox). */
export function TypedChoice<Value extends string | number>(props: TypedChoiceProps<Value>) {
  const { value, write, read, choices, onChange, unreadable, error, onFocus, onBlur, ...others } = props
  const typing = useTypedText({ value, write, read, onChange })
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.updateSelectedOptionIndex('active', { scrollIntoView: true }),
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const offered = combobox.dropdownOpened ? choices(typing.typed) : []
  const isChosen = (choice: Value) =>
    choice === (typing.typed === undefined ? value : offered.length > 0 ? offered[0] : undefined)
  const takeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const hasOption = combobox.dropdownOpened && combobox.getSelectedOptionIndex() !== -1
    if (hasOption) return
    // The first Enter takes the text, the second one sends the form.
    if (combobox.dropdownOpened && !event.ctrlKey && !event.metaKey) event.preventDefault()
    typing.take()
    combobox.closeDropdown()
  }
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(chosen) => {
        const found = offered.find((choice) => String(choice) === chosen)
        if (found !== undefined) typing.choose(found)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...others}
          autoComplete="off"
          classNames={{ input: classes.input ?? '' }}
          value={typing.text}
          error={typing.isUnreadable ? unreadable : error}
          onChange={({ currentTarget }) => {
            typing.type(currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onKeyDown={takeByKey}
          onClick={() => combobox.openDropdown()}
          onFocus={(event) => {
            typing.focus()
            event.currentTarget.select()
            onFocus?.(event)
          }}
          onBlur={(event) => {
            typing.take()
            typing.blur()
            combobox.closeDropdown()
            onBlur?.(event)
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={offered.length === 0}>
        <Combobox.Options className={classes.options} aria-label={combobox.dropdownOpened ? others.label : undefined}>
          {offered.map((choice) => (
            <Combobox.Option
              key={choice}
              value={String(choice)}
              active={isChosen(choice)}
              aria-selected={isChosen(choice)}
              className={classes.option}
            >
              {write(choice)}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
