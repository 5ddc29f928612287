import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { auditActions } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { useActionWords } from './action-words.ts'
import { type AuditSearch, readAuditSearch } from './audit-search.ts'
import { PersonField } from './PersonField.tsx'

type AuditFiltersProps = {
  search: AuditSearch
  known: ReadonlyMap<string, string>
  onChange(search: AuditSearch): void
}

/** Filter the log by action, actor, target and time. */
export function AuditFilters({ search, known, onChange }: AuditFiltersProps) {
  const { t, i18n } = useTranslation(['administration', 'app'])
  const words = useActionWords()
  const change = (part: Partial<Record<keyof AuditSearch, string | undefined>>) =>
    onChange(readAuditSearch({ ...search, ...part }))
  const actions = auditActions
    .map((value) => ({ value, label: words(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, i18n.language))
  return (
    <Group component="search" gap="sm" mb="md" align="flex-end">
      <NativeSelect
        label={t('app:what')}
        flex="1 1 10rem"
        value={search.action ?? ''}
        data={[{ value: '', label: t('app:everything') }, ...actions]}
        onChange={({ currentTarget: { value } }) => change({ action: value })}
      />
      <PersonField label={t('log.actor')} value={search.actor} known={known} onChange={(actor) => change({ actor })} />
      <PersonField
        label={t('log.subject')}
        value={search.subject}
        known={known}
        onChange={(subject) => change({ subject })}
      />
      <TextInput
        type="date"
        label={t('log.from')}
        value={search.from ?? ''}
        onChange={({ currentTarget: { value } }) => change({ from: value })}
      />
      <TextInput
        type="date"
        label={t('log.to')}
        value={search.to ?? ''}
        onChange={({ currentTarget: { value } }) => change({ to: value })}
      />
      <Button variant="subtle" disabled={Object.keys(search).length === 0} onClick={() => onChange({})}>
        {t('app:clearFilters')}
      </Button>
    </Group>
  )
}
