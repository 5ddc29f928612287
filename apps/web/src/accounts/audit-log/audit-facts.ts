import type { AuditLogEntry } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
import { useTranslation } from 'react-i18next'

type Field = keyof Texts['apps']['field']
type ReasonCode = keyof Texts['apps']['reasons']
type Right = keyof Texts['administration']['rights']
type Change = { before?: unknown; after?: unknown }

/** Longer values are cut; the details show the whole value. */
const maxShownLength = 200

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'before' in value && 'after' in value
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/**
 * Describe the target and the changes of an entry, one line each: names of the app, meeting, token or passkey, old and
 * new values, scopes and reasons. Details have no fixed shape, so every field is checked.
 */
export function useAuditFacts(): (entry: AuditLogEntry) => string[] {
  const { t } = useTranslation(['administration', 'apps', 'app'])

  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? t('log.yes') : t('log.no')
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
    if (text === '') return t('log.empty')
    return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
  }
  const change = (what: string, { before, after }: Change) =>
    t('log.change', { what, before: shown(before), after: shown(after) })
  const nameOfRight = (right: string) =>
    right === 'disabled' ? t('accounts.disabled') : t(`rights.${right as Right}.name`, { defaultValue: right })
  const reasonOf = (reason: unknown) => {
    const { code, field, text } = Object(reason) as { code?: unknown; field?: unknown; text?: unknown }
    const words = t(`apps:reasons.${textOf(code) as ReasonCode}`, { defaultValue: textOf(code) })
    const place = textOf(field)
    return t('app:reason', { reason: [place && `${place}:`, words, textOf(text)].filter(Boolean).join(' ') })
  }

  return ({ about, detail }) => {
    const { name, guest, email, reason, sandbox, differences, reasons, scopes } = detail
    const names = [about, textOf(name), textOf(guest), textOf(email), sandbox === true ? t('app:sandbox') : '']
    const rights = Object.entries(detail).filter(([, value]) => isChange(value))
    const scopeNames = listOf(scopes)
    return [
      [...new Set(names)].filter((one) => one !== '').join(' · '),
      ...rights.map(([right, value]) => change(nameOfRight(right), value as Change)),
      ...listOf(differences).map((difference) => {
        const { field } = Object(difference) as { field?: unknown }
        return change(t(`apps:field.${textOf(field) as Field}`, { defaultValue: textOf(field) }), Object(difference))
      }),
      ...listOf(reasons).map(reasonOf),
      textOf(reason) === '' ? '' : t('app:reason', { reason: textOf(reason) }),
      scopeNames.length === 0 ? '' : t('log.scopes', { scopes: scopeNames.join(', ') }),
    ].filter((line) => line !== '')
  }
}
