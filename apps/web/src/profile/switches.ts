import type { Profile, ProfileSettings, SchoolData } from '@parley/contract'
import type { ProfileChanges } from './save-profile.ts'

/** Settings that no page uses have no switch and remain fields of the API. */
type ShownSetting = Exclude<
  keyof ProfileSettings,
  'safeDrivingMode' | 'autoCopyLink' | 'meetingPushNotificationEnabled' | 'videoPreview'
>

/** A switch of the profile; its label is the text `switches.{name}`. */
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

/** Grouped by when they apply; the API lists them flat. */
export const settingGroups = [
  { group: 'joining', switches: (['microphoneOff', 'videoOff'] as const).map(setting) },
  { group: 'inside', switches: (['participantName', 'showConnectedTime'] as const).map(setting) },
  { group: 'emails', switches: (['answerDigest'] as const).map(setting) },
] as const

export const schoolDeclarations = (['tnc_purpose', 'tnc_service', 'tnc_privacy', 'tnc_authorized'] as const).map(
  declaration,
)
