import { Text } from '@mantine/core'
import type { CheckResult } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { fieldWords } from '../apps/overview/StatusSummary.tsx'
import { Mark } from '../ui/Mark.tsx'
import { Section } from '../ui/Section.tsx'
import classes from './Review.module.css'

const tones = { passed: 'good', noted: 'caution', failed: 'danger', not_tried: 'neutral' } as const

/** The automatic checks: findings first, passed checks collapsed. */
export function CheckResults({ checks }: { checks: readonly CheckResult[] }) {
  const { t } = useTranslation(['reviews', 'apps'])
  const by = (wanted: CheckResult['result']) => checks.filter(({ result }) => result === wanted)
  const passed = by('passed')
  const flags = [...by('failed'), ...by('noted'), ...by('not_tried')]
  return (
    <Section title={t('apps:checks.title')}>
      {flags.length === 0 && <Text>{t(checks.length === 0 ? 'checks.none' : 'checks.allPassed')}</Text>}
      <CheckList checks={flags} label={t('checks.flags')} />
      {passed.length > 0 && (
        <details className={classes.passed}>
          <summary>{t('checks.passed', { number: passed.length })}</summary>
          <CheckList checks={passed} label={t('apps:checks.title')} />
        </details>
      )}
    </Section>
  )
}

function CheckList({ checks, label }: { checks: readonly CheckResult[]; label: string }) {
  const { t } = useTranslation(['reviews', 'apps'])
  const { t: appWords } = useTranslation('apps')
  if (checks.length === 0) return null
  return (
    <ul className={classes.rows} aria-label={label}>
      {checks.map(({ check, field, result, message }) => (
        <li key={`${check} ${field} ${message}`} className={classes.check}>
          <Mark tone={tones[result]}>{t(`apps:checks.${result}`)}</Mark>
          <div>
            <Text fw={600} size="sm">
              {t(`reviews:checks.names.${check}` as 'reviews:checks.names.format', { defaultValue: check })}
              {field !== '' && ` (${fieldWords(field, appWords)})`}
            </Text>
            {/* The service writes findings in English. */}
            <Text size="sm" c="dimmed">
              <bdi lang="en">{message}</bdi>
            </Text>
          </div>
        </li>
      ))}
    </ul>
  )
}
