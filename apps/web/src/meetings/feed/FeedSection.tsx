import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { FeedFields } from './FeedFields.tsx'

/** The calendar subscription as a section of a page. */
export function FeedSection() {
  const { t } = useTranslation('profile')
  const [url, setUrl] = useState<string>()
  return (
    <Section title={t('feed.title')}>
      <FeedFields url={url} onUrl={setUrl} />
    </Section>
  )
}
