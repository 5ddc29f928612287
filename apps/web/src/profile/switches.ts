import type { Profile, ProfileSettings, SchoolData } from '@parley/contract'
import type { ProfileChanges } from './save-profile.ts'

/** What no page acts on is no switch, and stays a field of the API. */
type ShownSetting = Exclude<
  keyof ProfileSettings,
  'safeDrivingMode' | 'autoCopyLink' | 'meetingPushNotificationEnabled' | 'videoPreview'
>

/** A switch of the profile; its words are the texts `switches.{name}`. */
export type ProfileSwitch = {
  name: ShownSetting | keyof SchoolData
  isOn(profile: Profile): boolean
  turned(profile: Profile, on: boolean): ProfileChanges
}

const setting = (name: ShownSetting): ProfileSwitch => ({
  name,
  isOn: (profile) => profile[name],
  turned: (_, on) => ({ [name]: on }),
})

const declaration = (name: keyof SchoolData): ProfileSwitch => ({
  name,
  isOn: ({ schoolData }) => schoolData[name],
  turned: ({ schoolData }, on) => ({ schoolData: { ...schoolData, [name]: on } }),
})

/** By when they matter; the wire has them side by side. */
export const settingGroups = [
  { group: 'joining', switches: (['microphoneOff', 'videoOff'] as const).map(setting) },
  { group: 'inside', switches: (['participantName', 'showConnectedTime'] as const).map(setting) },
] as const

export const schoolDeclarations = (['tnc_purpose', 'tnc_service', 'tnc_privacy', 'tnc_authorized'] as const).map(
  declaration,
)
