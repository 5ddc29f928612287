import { Group, Text } from '@mantine/core'
import type { CheckResult } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/Mark.tsx'
import { Section } from '../../ui/Section.tsx'
import classes from './Overview.module.css'
import { fieldWords } from './StatusSummary.tsx'

const tones = { passed: 'good', noted: 'caution', failed: 'danger', not_tried: 'neutral' } as const
const order = ['failed', 'noted', 'not_tried', 'passed'] as const

/** The automatic checks of the submission, as the reviewer sees them. The service writes them in English. */
export function Findings({ checks }: { checks: readonly CheckResult[] }) {
  const { t } = useTranslation('apps')
  const sorted = checks.toSorted((a, b) => order.indexOf(a.result) - order.indexOf(b.result))
  return (
    <Section title={t('checks.title')}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('checks.explanation')}
      </Text>
      <ul className={classes.rows}>
        {sorted.map(({ check, field, result, message }) => (
          <li key={`${check} ${field} ${message}`}>
            <Group gap="sm" wrap="nowrap" align="flex-start">
              <Mark tone={tones[result]}>{t(`checks.${result}`)}</Mark>
              <Text size="sm">
                {field !== '' && <strong>{fieldWords(field, t)}: </strong>}
                <bdi lang="en">{message}</bdi>
              </Text>
            </Group>
          </li>
        ))}
      </ul>
    </Section>
  )
}
