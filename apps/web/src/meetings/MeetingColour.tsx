import { Popover, UnstyledButton } from '@mantine/core'
import { type MeetingColour, meetingColours } from '@parley/contract'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../session/problem-words.ts'
import { showToast } from '../ui/toast.ts'
import { hueOf } from './hue.ts'
import classes from './MeetingColour.module.css'
import { useChooseColour } from './meeting-mutations.ts'

type MeetingColourProps = { meetingId: string; colour: MeetingColour }

/** The colours to choose from for a meeting, as the reader alone sees it. The choice acts at once. */
export function ColourChoice({ meetingId, colour }: MeetingColourProps) {
  const { t } = useTranslation('meeting')
  const name = useId()
  const words = useProblemWords()
  // Of the component, because the next key may come before a mutation has told that it runs.
  const [asked, setAsked] = useState<MeetingColour>()
  const { mutate } = useChooseColour(meetingId, {
    onRefreshed: (_reply, saved) => setAsked((latest) => (latest === saved ? undefined : latest)),
    onError(error) {
      setAsked(undefined)
      showToast({ message: words(error), kind: 'problem', about: meetingId })
    },
  })
  const choose = (one: MeetingColour) => {
    setAsked(one)
    mutate(one)
  }
  return (
    <fieldset className={classes.colours}>
      <legend className="hidden">{t('colour.label')}</legend>
      {meetingColours.map((one) => (
        <input
          key={one}
          type="radio"
          className={classes.colour}
          style={hueOf(one)}
          name={name}
          value={one}
          checked={one === (asked ?? colour)}
          aria-label={t(`colour.${one}`)}
          title={t(`colour.${one}`)}
          onChange={() => choose(one)}
        />
      ))}
    </fieldset>
  )
}

/** The meeting's colour, as a button that opens the choice. */
export function ColourButton({ meetingId, colour }: MeetingColourProps) {
  const { t } = useTranslation('meeting')
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.open} onClick={() => setOpened(!opened)}>
          <span className={classes.dot} style={hueOf(colour)} aria-hidden />
          {t('colour.is', { colour: t(`colour.${colour}`) })}
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('colour.label')}>
        <ColourChoice meetingId={meetingId} colour={colour} />
      </Popover.Dropdown>
    </Popover>
  )
}
