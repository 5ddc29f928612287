import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Rows.module.css'

type RowsProps = { label: string; children: ReactNode }

/** A list of owned items, each with its actions. */
export function Rows({ label, children }: RowsProps) {
  return (
    <ul className={classes.rows} aria-label={label}>
      {children}
    </ul>
  )
}

type RowProps = {
  icon: ReactNode
  /** Text, or a link to the item's page. */
  name: ReactNode
  /** Badges next to the name. */
  marks?: ReactNode
  /** One line each. */
  details: readonly string[]
  actions?: ReactNode
}

export function Row({ icon, name, marks, details, actions }: RowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.icon} aria-hidden>
        {icon}
      </div>
      <div className={classes.facts}>
        <div className={classes.title}>
          <bdi className={classes.name}>{name}</bdi>
          {marks}
        </div>
        {details.map((line) => (
          <p key={line} className={classes.details}>
            {line}
          </p>
        ))}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </li>
  )
}

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
