import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Page.module.css'
import { PageTitle } from './PageTitle.tsx'

type PageProps = {
  title: string
  /** Buttons next to the title. */
  actions?: ReactNode
  /** Narrow for text, wide for tables and calendars. */
  width?: 'narrow' | 'wide'
  children: ReactNode
}

/** The layout of every signed-in page: one heading, its actions, and the content. */
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
