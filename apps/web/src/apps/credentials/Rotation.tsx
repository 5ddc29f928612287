import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import classes from './Rotation.module.css'

const steps = ['make', 'deploy', 'wait', 'retire'] as const

/** Explain how to rotate a secret without downtime, and which step is next. */
export function Rotation({ active }: { active: number }) {
  const { t } = useTranslation('apps')
  const next = active > 1 ? 'deploy' : 'make'
  return (
    <Section title={t('rotation.title')}>
      <Text c="dimmed" size="sm" mb="sm">
        {t('rotation.explanation')}
      </Text>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <li key={step} aria-current={step === next ? 'step' : undefined}>
            <Text component="span" fw={600}>
              {t(`rotation.${step}`)}
            </Text>
            {step === next && (
              <Text component="span" size="sm" c="var(--parley-accent)">
                {' '}
                {t('rotation.next')}
              </Text>
            )}
            <Text size="sm">{t(`rotation.${step}Explanation`)}</Text>
          </li>
        ))}
      </ol>
    </Section>
  )
}
