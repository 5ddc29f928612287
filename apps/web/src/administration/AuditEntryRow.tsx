import { ActionIcon, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type AuditLogEntry, securityActions } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
import { IconChevronDown, IconTerminal } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../reviews/Review.module.css'
import { useDates } from '../texts/dates.ts'
import tableClasses from '../ui/DataTable.module.css'
import { MainCell, QuietCell } from '../ui/DataTable.tsx'
import { useNow } from '../ui/hooks/use-now.ts'
import { PersonPortrait } from '../ui/Portrait.tsx'

/** The year is left out of this year's entries. */
const everyMs = 3_600_000

/** One line of the log; its facts, address and details are shown on request. */
export function AuditEntryRow({ entry }: { entry: AuditLogEntry }) {
  const { t } = useTranslation('administration')
  const { dateTime, rangeNear } = useDates()
  const now = useNow(everyMs)
  const [opened, { toggle }] = useDisclosure(false)
  const detailId = useId()
  const words = useActionWords()
  const { action, actor, subject, operator, happenedOn } = entry
  const facts = useAuditFacts()(entry)
  const nameOf = (person: AuditLogEntry['actor']) =>
    person === null ? t(operator ? 'log.operator' : 'log.unknown') : person.name === '' ? person.email : person.name
  const who =
    subject === null || subject._id === actor?._id
      ? nameOf(actor)
      : t('log.onto', { actor: nameOf(actor), subject: nameOf(subject) })
  return (
    <>
      <tr>
        <MainCell
          picture={actor === null ? <IconTerminal size={20} /> : <PersonPortrait name={nameOf(actor)} />}
          name={words(action)}
          below={
            <>
              <bdi>{who}</bdi> · <time dateTime={happenedOn}>{rangeNear(happenedOn, happenedOn, now)}</time>
            </>
          }
        />
        <QuietCell from="tablet" whole={who}>
          <bdi>{who}</bdi>
        </QuietCell>
        <QuietCell from="desktop" whole={facts[0]}>
          <bdi>{facts[0]}</bdi>
        </QuietCell>
        <QuietCell from="tablet">
          <time dateTime={happenedOn}>{dateTime(happenedOn)}</time>
        </QuietCell>
        <td data-menu>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('log.details', { action: words(action) })}
            aria-expanded={opened}
            aria-controls={detailId}
            onClick={toggle}
          >
            <IconChevronDown size={18} aria-hidden className={opened ? tableClasses.turned : undefined} />
          </ActionIcon>
        </td>
      </tr>
      {opened && (
        <tr data-detail id={detailId}>
          <td colSpan={5}>
            <EntryDetails entry={entry} facts={facts} />
          </td>
        </tr>
      )}
    </>
  )
}

type EntryDetailsProps = { entry: AuditLogEntry; facts: readonly string[] }

function EntryDetails({ entry: { actor, subject, address, detail }, facts }: EntryDetailsProps) {
  const addresses = [actor?.email, subject?.email, address].filter((text) => text !== undefined && text !== '')
  return (
    <>
      {[...facts, [...new Set(addresses)].join(' · ')].map((fact) => (
        <Text key={fact} size="sm" dir="auto" className={classes.fact}>
          {fact}
        </Text>
      ))}
      {Object.keys(detail).length > 0 && (
        <Text component="pre" size="sm" c="dimmed" dir="ltr" className={classes.detail}>
          {JSON.stringify(detail, null, 2)}
        </Text>
      )}
    </>
  )
}

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
function useAuditFacts(): (entry: AuditLogEntry) => string[] {
  const { t } = useTranslation(['administration', 'apps', 'app'])

  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? t('log.yes') : t('log.no')
    const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
    if (text === '') return t('log.empty')
    return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text
  }
  const change = (what: string, { before, after }: Change) =>
    t('log.change', { what, before: shown(before), after: shown(after) })
  const nameOfRight = (right: string) => {
    if (right === 'disabled') return t('accounts.disabled')
    if (right === 'name') return t('app:name')
    if (right === 'colour') return t('organisation.colour')
    return t(`rights.${right as Right}.name`, { defaultValue: right })
  }
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

type SecurityKey = keyof Texts['security']['log']['actions']
type OwnKey = keyof Texts['administration']['actions']

/** i18next separates keys by dots. */
const keyOf = (action: string) => action.replaceAll('.', '_')
const isSecurityAction = (action: string) => securityActions.some((one) => one === action)

/** Return the translated name of an action, or its identifier when no translation exists. */
export function useActionWords(): (action: string) => string {
  const { t } = useTranslation(['administration', 'security'])
  return (action) =>
    isSecurityAction(action)
      ? t(`security:log.actions.${keyOf(action) as SecurityKey}`, { defaultValue: action })
      : t(`administration:actions.${keyOf(action) as OwnKey}`, { defaultValue: action })
}
