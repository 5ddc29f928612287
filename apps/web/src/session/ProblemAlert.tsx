import { Alert, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from './problem-words.ts'

/** Show above a form why the last request failed; nothing without an error. */
export function ProblemAlert({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const words = useProblemWords()
  return (
    // Scrolled to, it must not be covered by the header of the page or of a dialog.
    <div role="alert" style={{ scrollMarginTop: '6rem' }}>
      {error === null || error === undefined ? null : (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} mb="md" role="presentation">
          {words(error)}
          {error instanceof ProblemError && error.problem.status >= 500 && error.problem.requestId !== '' && (
            <Text size="sm" mt="xs">
              {t('failed.requestId', { id: error.problem.requestId })}
            </Text>
          )}
        </Alert>
      )}
    </div>
  )
}
