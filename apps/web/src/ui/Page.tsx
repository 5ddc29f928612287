import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Page.module.css'
import { PageTitle } from './PageTitle.tsx'

type PageProps = {
  title: string
  /** Buttons beside the title. */
  actions?: ReactNode
  /** Text to read is narrow, tables and calendars are wide. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** What every page of the house is: one heading, what can be done here, and the content. */
export function Page({ title, actions, width = 'wide', children }: PageProps) {
  return (
    <div className={classes.page} data-width={width}>
      <Group justify="space-between" align="flex-start" gap="md" mb="lg">
        <PageTitle>{title}</PageTitle>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </div>
  )
}
