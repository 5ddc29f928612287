import type { Texts } from '@parley/texts/nouns'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { focusFirstInvalid } from '../../ui/keyboard/focus-first-invalid.ts'
import { type AppValues, type Choices, isUnfinished, linesOf, violationsIn } from './app-values.ts'

export type AppForm = ReturnType<typeof useAppForm>

/** The form of an app: validated on each input. A server violation stays on its field until the field changes. */
export function useAppForm(initial: AppValues, choices: Choices) {
  const { t, i18n } = useTranslation('violations')
  const { t: appWords } = useTranslation('apps')
  const [values, setValues] = useState(initial)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState(false)
  const [refused, setRefused] = useState<Record<string, string>>({})
  const violations = violationsIn(values, choices)

  const words = (code: string) =>
    i18n.exists(code, { ns: 'violations' }) ? t(code as keyof Texts['violations']) : t('not_allowed')
  const textOf = (path: string) => {
    const [field = '', index] = path.split('.')
    if (field === 'callbackUrls' && index !== undefined) return values.callbackUrls[Number(index)]?.url
    if (field === 'embedOrigins' && index !== undefined) return linesOf(values.embedOrigins)[Number(index)]
    const value = values[field as keyof AppValues]
    return typeof value === 'string' ? value : undefined
  }
  const isEmpty = (path: string) => textOf(path) === ''

  return {
    values,
    set<Field extends keyof AppValues>(field: Field, value: AppValues[Field]) {
      setValues({ ...values, [field]: value })
      setRefused(Object.fromEntries(Object.entries(refused).filter(([path]) => path.split('.')[0] !== field)))
    },
    leave: (...paths: readonly string[]) => setLeft(new Set([...left, ...paths])),
    /** A field's violation in words; while typing, only those that further typing cannot fix. */
    errorOf(path: string): string | undefined {
      const code = violations.get(path)
      if (code === undefined) return refused[path]
      const due = all || (!isEmpty(path) && (left.has(path) || !isUnfinished(code, textOf(path))))
      if (!due) return refused[path]
      if (path === 'scopes' && code === 'too_few') return appWords('form.noScope')
      return isEmpty(path) ? t('required') : words(code)
    },
    /** Whether the form may be sent; otherwise show all violations and focus the first. */
    validateAll(): boolean {
      setAll(true)
      if (violations.size === 0) return true
      focusFirstInvalid()
      return false
    },
    /** The server's violation of the developer's name, for which the form has no field. */
    refusedOwner: refused.owner,
    refuse(errors: Record<string, string>) {
      setRefused(errors)
      focusFirstInvalid()
    },
  }
}
