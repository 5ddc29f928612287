import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './CodeBlock.module.css'

type CodeBlockProps = {
  label: string
  code: string
  /** Long lines go on in the next one: for what is read, not run. */
  wraps?: boolean
}

/** A text for machines, left to right in every language: scrolled by keys as well, copied by its button. */
export function CodeBlock({ label, code, wraps = false }: CodeBlockProps) {
  const { t } = useTranslation()
  const { copy, copied } = useClipboard()
  return (
    <div className={classes.block} dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by Tab (WCAG 2.1.1) */}
      <section className={classes.code} data-wraps={wraps || undefined} tabIndex={0} aria-label={label}>
        <pre>{code}</pre>
      </section>
      <Tooltip label={copied ? t('copied') : t('copy')}>
        <ActionIcon
          className={classes.copy}
          variant="default"
          aria-label={`${t('copy')}: ${label}`}
          onClick={() => copy(code)}
        >
          {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
