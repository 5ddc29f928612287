import { Text, VisuallyHidden } from '@mantine/core'
import { clientTypes } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { fieldWords, useUseCaseName } from '../apps/app-words.ts'
import { useScopeWords } from '../connected-apps/scope-words.ts'
import { Section } from '../ui/Section.tsx'
import classes from './Review.module.css'
import type { Review } from './review-queries.ts'

type DifferencesProps = { differences: Review['differences']; live: number | null; submitted: number }

/** The changes that an approval would publish, field by field. */
export function Differences({ differences, live, submitted }: DifferencesProps) {
  const { t } = useTranslation(['reviews', 'apps'])
  const { t: appWords } = useTranslation('apps')
  return (
    <Section title={t('differences.title')}>
      {differences.length === 0 && <Text>{t('apps:plan.none')}</Text>}
      <ul className={classes.rows}>
        {differences.map(({ field, before, after }) => (
          <li key={field}>
            <Text fw={600} mb={4}>
              {fieldWords(field, appWords)}
            </Text>
            <div className={classes.sides}>
              <Side
                title={appWords('beside.live', { revision: live })}
                field={field}
                items={before}
                others={after}
                side="before"
              />
              <Side
                title={t('differences.submitted', { revision: submitted })}
                field={field}
                items={after}
                others={before}
                side="after"
              />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  )
}

type SideProps = {
  title: string
  field: string
  items: readonly string[]
  others: readonly string[]
  side: 'before' | 'after'
}

function Side({ title, field, items, others, side }: SideProps) {
  const { t } = useTranslation('reviews')
  const write = useValueWords(field)
  const shown = items.filter((item) => item !== '')
  return (
    <div>
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <ul className={classes.side}>
        {shown.length === 0 && <li>{t('differences.empty')}</li>}
        {shown.map((item) => (
          <li key={item}>
            {others.includes(item) ? (
              <bdi>{write(item)}</bdi>
            ) : (
              <Changed side={side}>
                <bdi>{write(item)}</bdi>
              </Changed>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Changed({ side, children }: { side: SideProps['side']; children: React.ReactNode }) {
  const { t } = useTranslation('reviews')
  const Tag = side === 'before' ? 'del' : 'ins'
  return (
    <Tag className={side === 'before' ? classes.gone : classes.come}>
      <VisuallyHidden>{t(side === 'before' ? 'differences.removed' : 'differences.added')} </VisuallyHidden>
      {children}
    </Tag>
  )
}

/** Format a field's value for display. */
function useValueWords(field: string): (value: string) => string {
  const { t } = useTranslation('apps')
  const scopeWords = useScopeWords()
  const nameOf = useUseCaseName()
  if (field === 'scopes') return (scope) => `${scopeWords({ scope })} (${scope})`
  if (field === 'useCase') return (code) => nameOf({ code, name: code })
  if (field === 'clientType')
    return (value) => t(`clientTypes.${clientTypes.find((type) => type === value) ?? 'confidential'}.label`)
  if (field === 'requirePkce' || field === 'sendIss') return (value) => t(value === 'true' ? 'facts.on' : 'facts.off')
  return (value) => value
}
