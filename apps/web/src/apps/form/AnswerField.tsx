import { Textarea } from '@mantine/core'
import { maxReviewAnswerLength } from '@parley/contract'
import { useTranslation } from 'react-i18next'

type AnswerFieldProps = { value: string; error?: string | undefined; onChange(value: string): void }

/** The developer's answer to a reviewer's reasons. */
export function AnswerField({ value, error, onChange }: AnswerFieldProps) {
  const { t } = useTranslation('apps')
  return (
    <Textarea
      label={t('statusSummary.answer')}
      description={t('statusSummary.answerHint')}
      rows={3}
      mt="md"
      maxLength={maxReviewAnswerLength}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
