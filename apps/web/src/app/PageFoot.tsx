import { Anchor, Group, NativeSelect, useMantineColorScheme } from '@mantine/core'
import { useClickOutside } from '@mantine/hooks'
import { isLanguage, languages } from '@parley/texts/languages'
import { IconLanguage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { setLanguage } from '../texts/i18n.ts'
import classes from './PageFoot.module.css'

/** The foot of all pages. The documentation is served by the server and is not a route. */
export function PageFoot() {
  const { t } = useTranslation()
  return (
    <Group justify="space-between" gap={0}>
      <Appearance />
      <Group gap={0}>
        <Anchor component={Link} to="/help" size="sm" underline="always" px="xs" py="xs">
          {t('help')}
        </Anchor>
        <Anchor href="/docs" size="sm" underline="always" px="xs" py="xs">
          {t('documentation')}
        </Anchor>
      </Group>
    </Group>
  )
}

const schemes = ['auto', 'light', 'dark'] as const

/** The menu of language and colour scheme; both are stored in this browser. */
function Appearance() {
  const { t, i18n } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const summary = useRef<HTMLElement>(null)
  const menu = useClickOutside<HTMLDetailsElement>(() => menu.current?.removeAttribute('open'))
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.current?.open) return
    event.stopPropagation()
    menu.current.open = false
    summary.current?.focus()
  }
  const language = languages.find(({ code }) => code === i18n.language)?.name ?? i18n.language
  return (
    <details ref={menu} className={classes.menu} onKeyDown={closeOnEscape}>
      <summary ref={summary} className={classes.summary}>
        <IconLanguage size={20} aria-hidden />
        <span>
          <span className="hidden">{t('appearance.menu')}: </span>
          {language} · {t(`appearance.${colorScheme}`)}
        </span>
      </summary>
      <div className={classes.panel}>
        <NativeSelect
          label={t('appearance.language')}
          value={i18n.language}
          onChange={({ currentTarget: { value } }) => isLanguage(value) && void setLanguage(value)}
        >
          {languages.map(({ code, name }) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </NativeSelect>
        <NativeSelect
          label={t('appearance.scheme')}
          value={colorScheme}
          onChange={({ currentTarget: { value } }) => setColorScheme(schemes.find((one) => one === value) ?? 'auto')}
        >
          {schemes.map((scheme) => (
            <option key={scheme} value={scheme}>
              {t(`appearance.${scheme}`)}
            </option>
          ))}
        </NativeSelect>
      </div>
    </details>
  )
}
