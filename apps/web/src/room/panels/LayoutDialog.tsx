import { NativeSelect, Radio, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import type { View } from '../tiles/arrange-tiles.ts'
import { tileCounts, type ViewChoice } from '../tiles/view-choice.ts'

type LayoutDialogProps = { choice: ViewChoice; onChoose(changed: Partial<ViewChoice>): void; onClose(): void }

/** How the caller sees the participants; others see no difference. */
export function LayoutDialog({ choice, onChoose, onClose }: LayoutDialogProps) {
  const { t } = useTranslation(['room', 'call', 'app'])
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={t('call:layout.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <Stack gap="md">
        <Radio.Group
          label={t('call:layout.view')}
          value={choice.view}
          onChange={(view) => onChoose({ view: view as View })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="grid" label={t('tools.gridView')} />
            <Radio value="speaker" label={t('tools.speakerView')} />
          </Stack>
        </Radio.Group>
        <NativeSelect
          label={t('call:layout.maxTiles')}
          description={t('call:layout.maxTilesHint')}
          value={choice.maxTiles}
          data={tileCounts.map((count) => ({ value: String(count), label: String(count) }))}
          onChange={({ currentTarget: { value } }) => onChoose({ maxTiles: Number(value) })}
        />
        <Switch
          label={t('call:layout.hidesSelf')}
          description={t('call:layout.hidesSelfHint')}
          checked={choice.hidesSelf}
          onChange={({ currentTarget: { checked } }) => onChoose({ hidesSelf: checked })}
        />
        <Switch
          label={t('call:layout.hidesVideoless')}
          checked={choice.hidesVideoless}
          onChange={({ currentTarget: { checked } }) => onChoose({ hidesVideoless: checked })}
        />
      </Stack>
    </Modal>
  )
}
