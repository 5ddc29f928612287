import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './CodeBlock.module.css'

type CodeBlockProps = {
  label: string
  code: string
  /** Wrap long lines: for text to read rather than to run. */
  wraps?: boolean
}

/**
 * Code or another machine-readable text: left to right in every language, scrollable by keyboard, with a copy button.
 */
export function CodeBlock({ label, code, wraps = false }: CodeBlockProps) {
  const { t } = useTranslation()
  const { copy, copied } = useClipboard()
  return (
    <div className={classes.block} dir="ltr">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by Tab (WCAG 2.1.1) */}
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
