import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

/** A pause in typing after which the text takes effect: "1" on the way to "12" does not. */
const pauseMs = 400

type TypedTextOptions<Value> = {
  /** Undefined while nothing is chosen. */
  value: Value | undefined
  write(value: Value): string
  read(typed: string): Value | undefined
  onChange(value: Value | undefined): void
}

/**
 * The text of a field whose value is read from what is typed: it takes effect after a pause and on leaving the field,
 * which then shows its value as it is usually written. A text that cannot be read stays, and the field has no value.
 */
export function useTypedText<Value extends string | number>(options: TypedTextOptions<Value>) {
  const { value, write, read, onChange } = options
  const [typed, setTyped] = useState<string>()
  const [isFocused, setFocused] = useState(false)
  const give = (found: Value | undefined) => {
    if (found !== value) onChange(found)
  }
  const readSoon = useDebouncedCallback((text: string) => {
    const found = read(text)
    if (found !== undefined) give(found)
  }, pauseMs)
  // A value that came from elsewhere replaces a text that was left unread.
  const isShown = typed !== undefined && (isFocused || value === undefined)
  return {
    text: isShown ? typed : value === undefined ? '' : write(value),
    /** What is being typed now. */
    typed: isFocused ? typed : undefined,
    isUnreadable: isShown && !isFocused && typed.trim() !== '',
    type(text: string) {
      setTyped(text)
      readSoon(text)
    },
    /** Take the typed text at once; return the value that the field has then. */
    take() {
      readSoon.cancel()
      if (typed === undefined) return value
      const found = read(typed)
      give(found)
      if (found !== undefined) setTyped(undefined)
      return found
    },
    /** Take a value that was chosen elsewhere than in the text. */
    choose(found: Value) {
      readSoon.cancel()
      setTyped(undefined)
      give(found)
    },
    focus() {
      setFocused(true)
      if (!isShown) setTyped(undefined)
    },
    blur: () => setFocused(false),
  }
}
