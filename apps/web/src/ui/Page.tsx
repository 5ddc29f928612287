import { Group, Text, Title } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { createStore } from './hooks/create-store.ts'
import classes from './Page.module.css'
import { useProductName } from './product-name.ts'

type PageProps = {
  title: string
  /** The part of the page that is open, one of several with the same heading: it is in the document's title. */
  part?: string
  /** A link above the title to the page that this one belongs to. */
  wayBack?: ReactNode
  /** A line below the title. */
  caption?: ReactNode
  /** Buttons next to the title. */
  actions?: ReactNode
  /** Narrow for text, wide for tables and calendars. */
  width?: 'narrow' | 'wide'
  /** On phones, the title is for screen readers only: the page begins with a line of its own. */
  isCompact?: boolean
  children: ReactNode
}

/** The layout of every signed-in page: one heading, its actions, and the content. */
export function Page(props: PageProps) {
  const { title, part, wayBack, caption, actions, width = 'wide', isCompact, children } = props
  return (
    <div className={classes.page} data-width={width} data-compact={isCompact || undefined}>
      {wayBack}
      <Group justify="space-between" align="flex-start" gap="md" mb="lg" className={classes.head ?? ''}>
        <div>
          <PageTitle part={part}>{title}</PageTitle>
          {caption !== undefined && <Text c="dimmed">{caption}</Text>}
        </div>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </div>
  )
}

/** The address of the first page of this load, which the browser itself announces; empty once another was shown. */
const firstAddress = createStore<string | undefined>(undefined)

/**
 * The heading of a page. It sets the document's title, and gets the focus after navigation, so that screen readers
 * announce the page.
 */
export function PageTitle({ part, children }: { part?: string | undefined; children: string }) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const product = useProductName()
  const documentTitle = t('documentTitle', { title: part === undefined ? children : `${part} – ${children}`, product })

  useEffect(() => {
    document.title = documentTitle
  }, [documentTitle])

  useEffect(() => {
    if (firstAddress.read() === undefined) firstAddress.replace(address)
    if (address === firstAddress.read()) return
    firstAddress.replace('')
    // A field with autofocus keeps the focus.
    const { activeElement } = document
    if (activeElement instanceof HTMLInputElement && activeElement.closest('main') !== null) return
    heading.current?.focus({ preventScroll: true })
  }, [address])

  return (
    <Title
      order={1}
      ref={heading}
      tabIndex={-1}
      className={classes.title}
      {...(part !== undefined && { 'aria-label': `${children}: ${part}` })}
    >
      {children}
    </Title>
  )
}
