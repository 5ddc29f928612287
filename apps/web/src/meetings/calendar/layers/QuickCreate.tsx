import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { meetingTexts } from '@parley/contract/meeting-fields'
import { IconClock } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZoneName } from '../../../session/own-time-zone.ts'
import { ProblemAlert } from '../../../session/ProblemAlert.tsx'
import { usePerson } from '../../../session/session.ts'
import { useDates } from '../../../texts/dates.ts'
import { readClockMs } from '../../../ui/hooks/use-now.ts'
import { randomKey } from '../../../ui/random-key.ts'
import { showToast } from '../../../ui/toast.ts'
import { useCreateMeeting } from '../../meeting-mutations.ts'
import { NotifyCheckbox } from '../../NotifyCheckbox.tsx'
import { validateDraft } from '../../schedule/draft-validation.ts'
import { isSameDraft, newDraft, toMeetingRequest } from '../../schedule/meeting-draft.ts'
import { PeopleField } from '../../schedule/PeopleField.tsx'
import { draftKeeper, nameOfNewDraft } from '../../schedule/saved-draft.ts'
import type { Times } from '../moving/moves.ts'
import { AnchoredLayer } from './AnchoredLayer.tsx'
import classes from './QuickCreate.module.css'

type QuickCreateProps = {
  times: Times
  /** The span or the day in the calendar. */
  target: HTMLElement
  onClose(): void
}

/**
 * Schedule a meeting at the chosen time by its topic and guests. The form has all else, and takes over what was typed.
 * What is left unsent waits as the draft of this start.
 */
export function QuickCreate({ times, target, onClose }: QuickCreateProps) {
  const { t } = useTranslation(['meetings', 'schedule', 'app'])
  const dates = useDates()
  const navigate = useNavigate()
  const person = usePerson()
  const { startTime, endTime } = times
  const keeper = useMemo(() => draftKeeper(person._id, nameOfNewDraft(startTime)), [person._id, startTime])
  const zone = ownTimeZoneName()
  const [empty] = useState(() => ({
    ...newDraft(new Date(readClockMs()), {
      timeZone: zone,
      zoneId: zone,
      defaults: person.meetingDefaults,
      chosenStart: startTime,
    }),
    durationMs: Date.parse(endTime) - Date.parse(startTime),
  }))
  const [draft, setDraft] = useState(() => {
    const kept = keeper.read()?.draft
    return kept === undefined ? empty : { ...kept, durationMs: empty.durationMs }
  })
  const [isTried, setTried] = useState(false)
  useEffect(() => {
    if (isSameDraft(draft, empty)) keeper.clear()
    else keeper.keep({ draft })
  }, [draft, empty, keeper])
  const violations = validateDraft(draft, zone)
  const wordsOf = (field: 'topic' | 'participants') => {
    const violation = violations[field]
    return isTried && violation !== undefined ? t(`schedule:violations.${violation}`) : undefined
  }
  // A retry has the same key, so that it schedules one meeting.
  const sent = useRef({ text: '', key: '' })
  const creating = useCreateMeeting({
    onSaved({ topic }) {
      keeper.clear()
      showToast({ message: t('schedule:created', { topic }) })
      onClose()
    },
  })
  const field = useRef<HTMLInputElement>(null)
  const create = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(violations).length > 0) return field.current?.focus()
    const body = toMeetingRequest(draft, zone)
    const sendUpdates = draft.tellsParticipants ? 'all' : 'none'
    const text = JSON.stringify([body, sendUpdates])
    if (sent.current.text !== text) sent.current = { text, key: randomKey() }
    creating.mutate({ body, sendUpdates, idempotencyKey: sent.current.key })
  }
  return (
    <AnchoredLayer target={target} title={t('calendar.new.title')} onClose={onClose}>
      <form noValidate onSubmit={create}>
        <ProblemAlert error={creating.error} />
        <Stack gap="sm">
          <TextInput
            ref={field}
            label={t('schedule:topic')}
            maxLength={meetingTexts.topic.maxLength}
            required
            dir="auto"
            data-autofocus
            value={draft.topic}
            onChange={({ currentTarget }) => setDraft({ ...draft, topic: currentTarget.value })}
            error={wordsOf('topic')}
          />
          <Group gap="xs" wrap="nowrap">
            <IconClock size={18} aria-hidden className={classes.icon} />
            <Text className={classes.when}>{dates.range(startTime, endTime)}</Text>
          </Group>
          <PeopleField
            label={t('app:participants')}
            description={t('schedule:people.explanation')}
            value={draft.participants}
            onChange={(participants) => setDraft({ ...draft, participants })}
            error={wordsOf('participants')}
          />
          {draft.participants.length > 0 && (
            <NotifyCheckbox
              about="new"
              checked={draft.tellsParticipants}
              onChange={({ currentTarget }) => setDraft({ ...draft, tellsParticipants: currentTarget.checked })}
            />
          )}
          <Group justify="flex-end" gap="xs" mt="xs">
            <Button
              variant="subtle"
              onClick={() => {
                keeper.keep({ draft, handedOver: true })
                void navigate({ to: '/meetings/new', search: { start: startTime } })
              }}
            >
              {t('calendar.new.more')}
            </Button>
            <Button type="submit" loading={creating.isPending}>
              {t('calendar.new.schedule')}
            </Button>
          </Group>
        </Stack>
      </form>
    </AnchoredLayer>
  )
}
