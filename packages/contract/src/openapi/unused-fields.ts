import { type TObject, Type } from 'typebox'

/**
 * Fields that clients of the original API expect and this service does not support: present, typed, and always the
 * same. Only requests to update use `editOptions`.
 */
export const unusedFields = {
  isDynamicRoom: false,
  isForOutlook: false,
  editOptions: { singleEvent: false },
  isTvPublish: { enabled: false },
  fblivestream: { enabled: false, streaming: false },
  ytlivestream: { enabled: false, streaming: false },
  customlivestream: { enabled: false, streaming: false },
  webinar: {
    enabled: false,
    broadcasting: false,
    qnaTimeLimit: 3,
    options: {
      ticker: { enabled: false },
      thankYouMsg: { enabled: false },
      quesAns: false,
      practiceSession: false,
      allowGuests: false,
      onDemand: false,
      record: false,
      comments: false,
    },
    registration: { enabled: false, autoApprove: false, closeBeforeDays: 0 },
    webinarPortal: { enabled: false },
  },
}

const enabled = Type.Object({ enabled: Type.Boolean() })
const liveStream = Type.Object({ enabled: Type.Boolean(), streaming: Type.Boolean() })

export const unusedFieldSchemas = {
  isDynamicRoom: Type.Boolean(),
  isForOutlook: Type.Boolean(),
  editOptions: Type.Object({ singleEvent: Type.Boolean() }),
  isTvPublish: enabled,
  fblivestream: liveStream,
  ytlivestream: liveStream,
  customlivestream: liveStream,
  webinar: Type.Object({
    enabled: Type.Boolean(),
    broadcasting: Type.Boolean(),
    qnaTimeLimit: Type.Integer(),
    options: Type.Object({
      ticker: enabled,
      thankYouMsg: enabled,
      quesAns: Type.Boolean(),
      practiceSession: Type.Boolean(),
      allowGuests: Type.Boolean(),
      onDemand: Type.Boolean(),
      record: Type.Boolean(),
      comments: Type.Boolean(),
    }),
    registration: Type.Object({
      enabled: Type.Boolean(),
      autoApprove: Type.Boolean(),
      closeBeforeDays: Type.Integer(),
    }),
    webinarPortal: enabled,
  }),
} satisfies TObject['properties']
