import { useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { type DeviceRole, keepChoice, keptChoice } from './device-choice.ts'

/** Use another device in the call, and keep the choice. Resolves to whether it is used; the page shows why not. */
export function useSwitchDevice(): (role: DeviceRole, id: string) => Promise<boolean> {
  const { room } = useVisited()
  const runAction = useAction()
  return async (role, id) => {
    const isUsed = await runAction(() => room.switchDevice(role, id), 'devices')
    const kept = keptChoice(localStorage)
    if (isUsed) keepChoice(localStorage, { ...kept, devices: { ...kept.devices, [role]: id } })
    return isUsed
  }
}
