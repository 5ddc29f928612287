import { List, Text } from '@mantine/core'
import type { App } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { type AppValues, fieldsOfApp, fieldsOfValues } from './app-values.ts'
import { type PlannedChange, sortChanges } from './change-plan.ts'

/** For a live app: which changes need a review, and which take effect when saved. */
export function ChangePlan({ live, values }: { live: App; values: AppValues }) {
  const { t } = useTranslation('apps')
  const { waiting, atOnce } = sortChanges(fieldsOfApp(live), fieldsOfValues(values))
  const none = waiting.length === 0 && atOnce.length === 0
  return (
    <Section title={t('plan.title')}>
      <div role="status">
        {none && <Text size="sm">{t('plan.none')}</Text>}
        {waiting.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {t('plan.waiting')}
            </Text>
            <Changes changes={waiting} />
            <Text size="sm" c="dimmed" mb="sm">
              {t('plan.waitingExplanation')}
            </Text>
          </>
        )}
        {atOnce.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {t('plan.atOnce')}
            </Text>
            <Changes changes={atOnce} />
          </>
        )}
      </div>
    </Section>
  )
}

function Changes({ changes }: { changes: readonly PlannedChange[] }) {
  const { t } = useTranslation('apps')
  return (
    <List size="sm" mb="xs">
      {changes.map(({ field, kind, item = '' }) => (
        <List.Item key={`${field} ${kind} ${item}`}>
          {t(`plan.${kind}`, { field: t(`field.${field}`), item })}
        </List.Item>
      ))}
    </List>
  )
}
