import { Skeleton, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Placeholder of a page while it loads, with the height of its first lines, which avoids a layout shift. */
export function PageSkeleton({ rows = 5 }: { rows?: number }) {
  const { t } = useTranslation()
  return (
    <Stack gap="md" aria-busy="true">
      <span className="hidden" role="status">
        {t('loading')}
      </span>
      <Skeleton h={36} w="40%" mb="sm" />
      <RowSkeletons rows={rows} />
    </Stack>
  )
}

/** The same for a list whose heading is already shown. */
export function RowSkeletons({ rows }: { rows: number }) {
  return Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => <Skeleton key={key} h={56} radius="md" />)
}
