import { Button, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './MeetingPart.module.css'

type MeetingPartProps = {
  title: string
  actions?: ReactNode
  /** One of several on a card. */
  isDivided?: boolean
  children: ReactNode
}

/** A part of a meeting's page: a heading and its content, without a frame of its own. */
export function MeetingPart({ title, actions, isDivided = false, children }: MeetingPartProps) {
  const headingId = useId()
  return (
    <section className={classes.part} data-divided={isDivided || undefined} aria-labelledby={headingId}>
      <div className={classes.heading}>
        <Title order={2} size="h5" id={headingId}>
          {title}
        </Title>
        {actions}
      </div>
      {children}
    </section>
  )
}

type FoldedPartProps = {
  title: string
  /** Shown while the rest is folded. */
  summary?: ReactNode
  /** Next to the heading while it is unfolded. */
  actions?: ReactNode
  children: ReactNode
}

/** A part of a card that is shown on request. */
export function FoldedPart({ title, summary, actions, children }: FoldedPartProps) {
  const { t } = useTranslation('meeting')
  const [shown, { toggle }] = useDisclosure(false)
  const words = shown ? t('hostFields.hide') : t('hostFields.show')
  return (
    <MeetingPart
      title={title}
      isDivided
      actions={
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={shown}
          // One of several on the page.
          aria-label={`${words}: ${title}`}
          onClick={toggle}
        >
          {words}
        </Button>
      }
    >
      {summary}
      {shown && actions}
      {shown && children}
    </MeetingPart>
  )
}
