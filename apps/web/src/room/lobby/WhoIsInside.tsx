import { Text } from '@mantine/core'
import type { Entering } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { useNameOf } from '../use-name-of.ts'

/** The people inside; nothing when the service does not reveal them. */
export function WhoIsInside({ inside }: { inside: Entering['inside'] }) {
  const { t, i18n } = useTranslation('room')
  const nameOf = useNameOf()
  if (inside === undefined) return null
  const { count, people } = inside
  if (count === 0) return <Text c="dimmed">{t('lobby.inside.none')}</Text>
  const shown = people.map(({ name, guest }) => nameOf({ name, isGuest: guest }))
  const more = count - shown.length
  const all = more > 0 ? [...shown, t('lobby.inside.more', { count: more })] : shown
  return <Text>{t('lobby.inside.people', { names: new Intl.ListFormat(i18n.language).format(all) })}</Text>
}
