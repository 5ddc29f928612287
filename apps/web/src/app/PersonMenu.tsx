import { Kbd, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { isLanguage, languages } from '@parley/texts/languages'
import {
  IconChevronLeft,
  IconChevronRight,
  IconDeviceDesktop,
  IconHelp,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson, useSignOut } from '../session/session.ts'
import { setLanguage } from '../texts/i18n.ts'
import { useAllCommands } from '../ui/keyboard/commands.ts'
import { Portrait } from '../ui/Portrait.tsx'
import { entriesFor, navigationIcons, otherPlacesFor } from './navigation.ts'
import classes from './PersonMenu.module.css'

type Shown = 'account' | 'languages'

/** The menu of the signed-in person, behind the portrait. */
export function PersonMenu() {
  const { t } = useTranslation()
  const { avatar, name, lname, imageMeta } = usePerson()
  const [shown, setShown] = useState<Shown>('account')
  const dropdown = useRef<HTMLDivElement>(null)
  const show = (next: Shown) => {
    setShown(next)
    // The item that had the focus is gone.
    requestAnimationFrame(() => dropdown.current?.querySelector<HTMLElement>('[data-menu-item]')?.focus())
  }
  return (
    <Menu
      position="bottom-end"
      width="17.5rem"
      shadow="md"
      loop
      withInitialFocusPlaceholder={false}
      onOpen={() => setShown('account')}
      classNames={{ dropdown: classes.dropdown ?? '' }}
    >
      <Menu.Target>
        <UnstyledButton className={classes.target}>
          <span className="hidden">{t('account', { name: `${name} ${lname}`.trim() })}</span>
          <Portrait number={avatar} name={name} lastName={lname} photo={imageMeta.filePath} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown ref={dropdown}>
        {shown === 'account' && <AccountItems onLanguages={() => show('languages')} />}
        {shown === 'languages' && <LanguageItems onBack={() => show('account')} />}
      </Menu.Dropdown>
    </Menu>
  )
}

function AccountItems({ onLanguages }: { onLanguages(): void }) {
  const { t, i18n } = useTranslation()
  const person = usePerson()
  const signOut = useSignOut()
  const shortcuts = useAllCommands().find(({ id }) => id === 'shortcuts')
  const { avatar, name, lname, email, imageMeta } = person
  return (
    <>
      <div className={classes.person}>
        <Portrait number={avatar} name={name} lastName={lname} photo={imageMeta.filePath} />
        <div>
          <bdi className={classes.name}>
            {name} {lname}
          </bdi>
          <bdi className={classes.email}>{email}</bdi>
        </div>
      </div>
      <Menu.Divider />
      <PageItem to="/settings/profile" icon={<IconSettings size={18} aria-hidden />}>
        {t('navigation.places.settings')}
      </PageItem>
      {entriesFor(person, 'account').map(({ path, navigation }) => {
        const Icon = navigationIcons[navigation.icon]
        return (
          <PageItem key={path} to={path} icon={<Icon size={18} aria-hidden />}>
            {t(`navigation.pages.${navigation.name}`)}
          </PageItem>
        )
      })}
      <Menu.Divider />
      <SchemeItems />
      <Menu.Item
        leftSection={<IconLanguage size={18} aria-hidden />}
        rightSection={<IconChevronRight size={16} aria-hidden className={classes.forwards} />}
        closeMenuOnClick={false}
        onClick={onLanguages}
      >
        {t('appearance.language')}
        <span className={classes.value} lang={i18n.language}>
          {languages.find(({ code }) => code === i18n.language)?.name}
        </span>
      </Menu.Item>
      <Menu.Divider />
      {shortcuts && (
        <Menu.Item
          leftSection={<IconKeyboard size={18} aria-hidden />}
          rightSection={
            <Kbd size="xs" aria-hidden>
              ?
            </Kbd>
          }
          onClick={shortcuts.run}
        >
          {shortcuts.label}
        </Menu.Item>
      )}
      <Menu.Item
        renderRoot={(props) => <Link to="/help" {...props} />}
        leftSection={<IconHelp size={18} aria-hidden />}
      >
        {t('help')}
      </Menu.Item>
      {otherPlacesFor(person).map(({ place, path, Icon }) => (
        <PageItem key={place} to={path} icon={<Icon size={18} aria-hidden />}>
          {t(`navigation.places.${place}`)}
        </PageItem>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconLogout size={18} aria-hidden />}
        closeMenuOnClick={false}
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        {t('signOut')}
      </Menu.Item>
    </>
  )
}

type PageItemProps = { to: ReturnType<typeof entriesFor>[number]['path']; icon: ReactNode; children: string }

const PageItem = ({ to, icon, children }: PageItemProps) => (
  <Menu.Item renderRoot={(props) => <Link to={to} {...props} />} leftSection={icon}>
    {children}
  </Menu.Item>
)

const schemes = [
  { scheme: 'light', Icon: IconSun },
  { scheme: 'dark', Icon: IconMoon },
  { scheme: 'auto', Icon: IconDeviceDesktop },
] as const

/** The colour scheme, stored in this browser, in one row. */
function SchemeItems() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu.RadioGroup value={colorScheme}>
      <Menu.Label>{t('appearance.scheme')}</Menu.Label>
      <div className={classes.schemes}>
        {schemes.map(({ scheme, Icon }) => (
          <Menu.RadioItem
            key={scheme}
            value={scheme}
            className={classes.scheme ?? ''}
            onChange={() => setColorScheme(scheme)}
          >
            <Icon size={18} aria-hidden />
            {t(`appearance.${scheme}`)}
          </Menu.RadioItem>
        ))}
      </div>
    </Menu.RadioGroup>
  )
}

/** The languages by their own names; the choice is stored in this browser. */
function LanguageItems({ onBack }: { onBack(): void }) {
  const { t, i18n } = useTranslation()
  return (
    <>
      <Menu.Item
        leftSection={<IconChevronLeft size={16} aria-hidden className={classes.forwards} />}
        closeMenuOnClick={false}
        onClick={onBack}
      >
        {t('appearance.language')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.RadioGroup value={i18n.language} onChange={(code) => isLanguage(code) && void setLanguage(code)}>
        {languages.map(({ code, name }) => (
          <Menu.RadioItem key={code} value={code} lang={code} closeMenuOnClick>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
