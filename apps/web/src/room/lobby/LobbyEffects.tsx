import { Alert, Button, Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconSparkles } from '@tabler/icons-react'
import { lazy, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LobbyEffectChoice } from './use-lobby-devices.ts'

const EffectFields = lazy(async () => ({ default: (await import('../effects/EffectFields.tsx')).EffectFields }))

const fieldsHeight = 280

/** The choice of background and noise reduction, whose code is loaded when it is opened. */
export function LobbyEffects({ effects }: { effects: LobbyEffectChoice }) {
  const { t } = useTranslation('room')
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { background, busy, ended, chooseBackground, reducesNoise, reduceNoise } = effects
  return (
    <>
      <div role="status">
        {ended !== undefined && (
          <Alert color="gray" variant="light" icon={<IconAlertTriangle aria-hidden />} role="presentation">
            {t(`effects.endedInLobby.${ended}`)}
          </Alert>
        )}
      </div>
      <Button
        variant="default"
        leftSection={<IconSparkles size={18} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {t('effects.open')}
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={fieldsHeight} />}>
            <EffectFields
              background={background}
              busy={busy}
              onBackground={chooseBackground}
              reducesNoise={reducesNoise}
              onNoise={reduceNoise}
            />
          </Suspense>
        )}
      </div>
    </>
  )
}
