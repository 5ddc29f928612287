import { List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { fieldWords } from '../apps/app-words.ts'
import { useDates } from '../texts/dates.ts'
import { Section } from '../ui/Section.tsx'
import classes from './Review.module.css'
import type { Review } from './review-queries.ts'

/** Earlier decisions with their reviewers and reasons, newest first. */
export function ReviewHistory({ history }: { history: Review['history'] }) {
  const { t } = useTranslation(['reviews', 'app'])
  const { t: appWords } = useTranslation('apps')
  const { dateTime } = useDates()
  return (
    <Section title={t('app:history')}>
      <ol className={classes.rows}>
        {history.toReversed().map(({ revision, decision, reasons, answer, by, createdOn }) => (
          <li key={`${createdOn} ${decision}`}>
            <Text fw={600} size="sm">
              {t(`history.${decision}` as 'history.submitted', { defaultValue: decision })}
            </Text>
            <Text size="sm" c="dimmed">
              {t('history.by', { name: by === '' ? t('history.noOne') : by, revision, moment: dateTime(createdOn) })}
            </Text>
            {answer !== undefined && (
              <Text size="sm" className={classes.written}>
                {t('history.answer', { text: answer })}
              </Text>
            )}
            {reasons.length > 0 && (
              <List size="sm">
                {reasons.map(({ code, field = '', text = '' }) => (
                  <List.Item key={`${code} ${field} ${text}`}>
                    {appWords(`reasons.${code}`)}
                    {field !== '' && ` (${fieldWords(field, appWords)})`}
                    {text !== '' && `: ${text}`}
                  </List.Item>
                ))}
              </List>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
