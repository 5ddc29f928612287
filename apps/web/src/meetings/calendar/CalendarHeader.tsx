import {
  ActionIcon,
  Button,
  Group,
  Menu,
  SegmentedControl,
  Text,
  Title,
  UnstyledButton,
  useDirection,
} from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconDotsVertical,
  IconDownload,
  IconPrinter,
  IconRss,
  IconWorld,
  IconWorldOff,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { loadTexts } from '../../texts/i18n.ts'
import { addDays, beginOf, type Day } from '../../ui/date-time/days.ts'
import { saveFile } from '../../ui/save-file.ts'
import { type CalendarSearch, type CalendarView, calendarViews } from '../search-params.ts'
import { sheetFileName } from '../sheet.ts'
import classes from './CalendarPage.module.css'
import type { CalendarDate } from './calendar-dates.ts'
import { stepFrom, writeShown } from './calendar-range.ts'
import { useCalendarSettings } from './calendar-settings.ts'
import { placeOfZone } from './zone-hours.ts'

const FeedDialog = lazy(async () => ({ default: (await import('../CalendarFeed.tsx')).FeedDialog }))

const SecondZoneDialog = lazy(async () => ({ default: (await import('./SecondZoneDialog.tsx')).SecondZoneDialog }))

type CalendarHeaderProps = {
  view: CalendarView
  day: Day
  /** What the grid shows: it follows view and day when it has been drawn. */
  shown: {
    view: CalendarView
    day: Day
    range: { from: Day; to: Day }
    occurrences: readonly CalendarDate[] | undefined
  }
  today: Day
  firstWeekday: number
  /** One line; the views are in the menu. */
  isNarrow: boolean
  onShow(change: CalendarSearch): void
}

/** The shown period, navigation, the choice of view, and the menu of the calendar. */
export function CalendarHeader(props: CalendarHeaderProps) {
  const [dialog, setDialog] = useState<'feed' | 'zone'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <HeaderLine {...props} onDialog={setDialog} />
      <Suspense fallback={null}>
        {dialog === 'feed' && <FeedDialog onClose={close} />}
        {dialog === 'zone' && <SecondZoneDialog onClose={close} />}
      </Suspense>
    </>
  )
}

type HeaderLineProps = CalendarHeaderProps & { onDialog(dialog: 'feed' | 'zone'): void }

function HeaderLine({ view, day, shown, today, firstWeekday, isNarrow, onShow, onDialog }: HeaderLineProps) {
  const { t, i18n } = useTranslation('meetings')
  const dates = useDates()
  const { dir } = useDirection()
  const [Earlier, Later] = dir === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  const title = (
    <Title order={2} size="h4" aria-live="polite" className={classes.shown}>
      {writeShown(shown.view, shown.day, firstWeekday, i18n.language, isNarrow ? 'short' : 'long')}
    </Title>
  )
  const steps = (
    <>
      <ActionIcon
        variant="subtle"
        size={isNarrow ? 44 : 'lg'}
        aria-label={t('calendar.previous')}
        onClick={() => onShow({ date: stepFrom(view, day, -1) })}
      >
        <Earlier size={20} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        size={isNarrow ? 44 : 'lg'}
        aria-label={t('calendar.next')}
        onClick={() => onShow({ date: stepFrom(view, day, 1) })}
      >
        <Later size={20} aria-hidden />
      </ActionIcon>
    </>
  )
  if (isNarrow) {
    return (
      <div className={classes.line}>
        {title}
        <UnstyledButton className={classes.today} title={t('days.today')} onClick={() => onShow({ date: today })}>
          <span className="hidden">{t('days.today')}</span>
          <span className={classes.leaf}>{new Intl.NumberFormat(i18n.language).format(beginOf(today).getDate())}</span>
        </UnstyledButton>
        {steps}
        <CalendarMenu view={view} shown={shown} onShow={onShow} onDialog={onDialog} />
      </div>
    )
  }
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <Group gap="xs">
        <Button variant="default" onClick={() => onShow({ date: today })}>
          {t('days.today')}
        </Button>
        {steps}
        <div>
          {title}
          <Text size="xs" c="dimmed">
            {t('calendar.zone', { zone: dates.zone(beginOf(day)) })}
          </Text>
        </div>
      </Group>
      <Group gap="xs">
        <SegmentedControl
          aria-label={t('calendar.view')}
          value={view}
          transitionDuration={0}
          data={calendarViews.map((value) => ({ value, label: t(`calendar.views.${value}`) }))}
          onChange={(value) => {
            const chosen = calendarViews.find((one) => one === value)
            if (chosen !== undefined) onShow({ view: chosen })
          }}
        />
        <CalendarMenu shown={shown} onShow={onShow} onDialog={onDialog} />
      </Group>
    </Group>
  )
}

type CalendarMenuProps = Pick<CalendarHeaderProps, 'shown'> & {
  /** The shown view, where the menu has the choice of it. */
  view?: CalendarView
  onShow(change: CalendarSearch): void
  onDialog(dialog: 'feed' | 'zone'): void
}

function CalendarMenu({ view, shown, onShow, onDialog }: CalendarMenuProps) {
  const { t } = useTranslation(['meetings', 'settings', 'app'])
  const [settings, changeSettings] = useCalendarSettings()
  const { secondZone } = settings
  const hideSecondZone = () => changeSettings({ secondZone: undefined })
  const { occurrences = [], range } = shown
  const download = async () => {
    const [{ datesSheet }] = await Promise.all([import('./dates-sheet.ts'), loadTexts('meeting', 'schedule')])
    const sheet = datesSheet(occurrences, {
      column: (name) => t(`calendar.sheet.columns.${name}`),
      role: (role) => (role === 'participant' ? '' : t(`app:roles.${role}`)),
      answer: (answer) => (answer === undefined ? '' : t(`calendar.own.${answer}`)),
    })
    const days = [range.from, addDays(range.to, -1)]
    saveFile(sheet, sheetFileName(t('app:navigation.pages.calendar'), ...new Set(days)), 'text/csv')
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={view === undefined ? 'lg' : 44} aria-label={t('calendar.menu')}>
          <IconDotsVertical size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        {view !== undefined && (
          <>
            <Menu.Label>{t('calendar.view')}</Menu.Label>
            <Menu.RadioGroup
              value={view}
              onChange={(value) => {
                const chosen = calendarViews.find((one) => one === value)
                if (chosen !== undefined) onShow({ view: chosen })
              }}
            >
              {calendarViews.map((one) => (
                <Menu.RadioItem key={one} value={one} closeMenuOnClick>
                  {t(`calendar.views.${one}`)}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Divider />
          </>
        )}
        <Menu.CheckboxItem
          checked={settings.weekNumbers === true}
          onChange={(checked) => changeSettings({ weekNumbers: checked })}
        >
          {t('calendar.weekNumbers')}
        </Menu.CheckboxItem>
        {/* Narrow screens, on which the menu has the views, have no room for the second column. */}
        {view === undefined && (
          <Menu.Item leftSection={<IconWorld size={18} aria-hidden />} onClick={() => onDialog('zone')}>
            {t('calendar.secondZone')}
          </Menu.Item>
        )}
        {view === undefined && secondZone !== undefined && (
          <Menu.Item leftSection={<IconWorldOff size={18} aria-hidden />} onClick={hideSecondZone}>
            {t('calendar.hideZone', { place: placeOfZone(secondZone) })}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconRss size={18} aria-hidden />} onClick={() => onDialog('feed')}>
          {t('settings:feed.open')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
          {t('calendar.print')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconDownload size={18} aria-hidden />}
          disabled={shown.occurrences === undefined}
          onClick={download}
        >
          {t('calendar.sheet.download')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
