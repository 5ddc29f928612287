import { Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './Section.module.css'

type SectionProps = { title: string; actions?: ReactNode; children: ReactNode }

/** A section of a page with its own heading and background. */
export function Section({ title, actions, children }: SectionProps) {
  const headingId = useId()
  return (
    <section className={classes.section} aria-labelledby={headingId}>
      <Group justify="space-between" gap="sm" mb="sm">
        <Title order={2} size="h4" id={headingId}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </section>
  )
}
