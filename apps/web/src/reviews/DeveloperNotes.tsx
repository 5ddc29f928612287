import { List, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useScopeWords } from '../connected-apps/scope-words.ts'
import { Section } from '../ui/Section.tsx'
import classes from './Review.module.css'
import type { Review } from './review-queries.ts'

type DeveloperNotesProps = { app: Pick<Review['app'], 'scopes' | 'scopeReasons' | 'reviewNotes'> }

/** The developer's notes for reviewers: how to test the app, and why it needs each scope. */
export function DeveloperNotes({ app: { scopes, scopeReasons, reviewNotes } }: DeveloperNotesProps) {
  const { t } = useTranslation('reviews')
  const { t: appWords } = useTranslation('apps')
  const scopeWords = useScopeWords()
  const reasonByScope: Partial<Record<string, string>> = scopeReasons
  const reasons = scopes.flatMap((scope) => {
    const text = reasonByScope[scope]
    return text === undefined ? [] : [{ scope, text }]
  })
  return (
    <Section title={t('notes.title')}>
      {reasons.length === 0 && reviewNotes === '' && <Text c="dimmed">{t('notes.none')}</Text>}
      {reviewNotes !== '' && (
        <>
          <Text fw={600}>{appWords('field.reviewNotes')}</Text>
          <Text dir="auto" mb="sm" className={classes.written}>
            {reviewNotes}
          </Text>
        </>
      )}
      {reasons.length > 0 && (
        <>
          <Text fw={600}>{appWords('field.scopeReasons')}</Text>
          <List>
            {reasons.map(({ scope, text }) => (
              <List.Item key={scope}>
                {scopeWords({ scope })}: <bdi className={classes.written}>{text}</bdi>
              </List.Item>
            ))}
          </List>
        </>
      )}
    </Section>
  )
}
