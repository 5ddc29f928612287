import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

type EmptyStateProps = { icon: ReactNode; title: string; explanation: string; action?: ReactNode }

/** Shown in place of an empty list: why it is empty, and what to do next. */
export function EmptyState({ icon, title, explanation, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" className={classes.empty}>
      <div className={classes.emptyIcon} aria-hidden>
        {icon}
      </div>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" ta="center">
        {explanation}
      </Text>
      {action}
    </Stack>
  )
}
