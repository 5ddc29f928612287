import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../ui/CodeBlock.tsx'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { Mark } from '../ui/Mark.tsx'
import { Section } from '../ui/Section.tsx'
import type { Review } from './review-queries.ts'

type MetadataDocumentProps = { host: string; document: NonNullable<Review['document']> }

/** The document that a client publishes about itself: its host, which people rely on, its address and its text. */
export function MetadataDocument({
  host,
  document: { url, body, fetchedOn, failedOn, failure },
}: MetadataDocumentProps) {
  const { t } = useTranslation('reviews')
  const { moment } = useDateFormat()
  return (
    <Section title={t('client.document')}>
      <Text fw={700} size="xl" style={{ overflowWrap: 'anywhere' }}>
        <bdi dir="ltr">{host}</bdi>
      </Text>
      <Anchor
        href={url}
        target="_blank"
        rel="noopener noreferrer nofollow"
        size="sm"
        dir="ltr"
        style={{ overflowWrap: 'anywhere' }}
      >
        {url}
      </Anchor>
      <Text size="sm" c="dimmed" mb="sm">
        {t('client.fetched', { moment: moment(fetchedOn) })}
      </Text>
      {failedOn !== null && (
        <Text size="sm" mb="sm">
          <Mark tone="caution">{t('client.failed', { moment: moment(failedOn) })}</Mark> <bdi lang="en">{failure}</bdi>
        </Text>
      )}
      <CodeBlock label={t('client.document')} code={body} wraps />
    </Section>
  )
}
