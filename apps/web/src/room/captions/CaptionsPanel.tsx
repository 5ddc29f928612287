import { Button, Radio, Stack, Switch, Text, Title } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PanelFrame } from '../panels/PanelFrame.tsx'
import { CaptionParagraph } from './CaptionedStage.tsx'
import { type CaptionChoice, captionPlaces, captionSizes } from './caption-choice.ts'
import { OwnSpeechFields } from './OwnSpeechFields.tsx'
import { groupCaptions } from './shown-captions.ts'
import { type CaptionTools, useCaptionLines } from './use-captions.ts'
import type { OwnSpeech } from './use-own-speech.ts'

type CaptionsPanelProps = { captions: CaptionTools; speech: OwnSpeech; onClose(): void }

/** How the caller reads captions, and everything that was said or typed since they joined. */
export function CaptionsPanel({ captions, speech, onClose }: CaptionsPanelProps) {
  const { t } = useTranslation(['room', 'call', 'app'])
  const { choice, choose } = captions
  return (
    <PanelFrame title={t('call:captions.title')} onClose={onClose}>
      <Stack gap="md">
        <Switch
          data-autofocus
          label={t('call:captions.showSpeech')}
          description={t('call:captions.showSpeechHint')}
          checked={choice.showsSpeech}
          onChange={({ currentTarget: { checked } }) => choose({ showsSpeech: checked })}
        />
        <Switch
          label={t('call:captions.readOut')}
          description={t('call:captions.readOutHint')}
          checked={choice.readsSpeechOut}
          onChange={({ currentTarget: { checked } }) => choose({ readsSpeechOut: checked })}
        />
        <Choice
          label={t('call:captions.size')}
          values={captionSizes}
          value={choice.size}
          labelOf={(size) => t(`call:captions.sizes.${size}`)}
          onChoose={(size) => choose({ size })}
        />
        <Choice
          label={t('call:captions.place')}
          values={captionPlaces}
          value={choice.place}
          labelOf={(place) => t(`call:captions.places.${place}`)}
          onChoose={(place) => choose({ place })}
        />
        <OwnSpeechFields captions={captions} speech={speech} />
        <Button
          variant="default"
          leftSection={<IconKeyboard size={20} aria-hidden />}
          onClick={() => {
            onClose()
            captions.setTyping(true)
          }}
        >
          {t('call:captions.type')}
        </Button>
        <CaptionList />
      </Stack>
    </PanelFrame>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  values: readonly Value[]
  value: Value
  labelOf(value: Value): string
  onChoose(value: Value): void
}

function Choice<Value extends CaptionChoice['size' | 'place']>(props: ChoiceProps<Value>) {
  const { label, values, value, labelOf, onChoose } = props
  return (
    <Radio.Group label={label} value={value} onChange={(chosen) => onChoose(chosen as Value)}>
      <Stack gap="xs" mt="xs">
        {values.map((one) => (
          <Radio key={one} value={one} label={labelOf(one)} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** Speech as well, whether it is shown over the stage or not. Screen readers read it when their user does. */
function CaptionList() {
  const { t } = useTranslation(['room', 'call'])
  const { lines } = useCaptionLines()
  const headingId = useId()
  const end = useRef<HTMLDivElement>(null)
  const latest = lines.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when a line begins
  useEffect(() => void end.current?.scrollIntoView({ block: 'nearest' }), [latest])
  return (
    <div>
      <Title order={3} size="h5" id={headingId}>
        {t('call:captions.list')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('call:captions.listHint')}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <div role="log" aria-labelledby={headingId} aria-live="off" tabIndex={0}>
        {groupCaptions(lines).map((group) => (
          <CaptionParagraph key={group.id} group={group} isWhole />
        ))}
        <div ref={end} />
      </div>
    </div>
  )
}
