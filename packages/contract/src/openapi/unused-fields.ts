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

/** Fields that clients of the original API expect. */
const off = Type.Boolean({ description: 'Not supported: always false' })
const enabled = Type.Object({ enabled: off })
const liveStream = Type.Object({ enabled: off, streaming: off })

export const unusedFieldSchemas = {
  isDynamicRoom: off,
  isForOutlook: off,
  editOptions: Type.Object({ singleEvent: off }, { description: 'Only requests to update use it' }),
  isTvPublish: enabled,
  fblivestream: liveStream,
  ytlivestream: liveStream,
  customlivestream: liveStream,
  webinar: Type.Object({
    enabled: off,
    broadcasting: off,
    qnaTimeLimit: Type.Integer({ description: 'Not supported: always 3' }),
    options: Type.Object(
      {
        ticker: enabled,
        thankYouMsg: enabled,
        quesAns: off,
        practiceSession: off,
        allowGuests: off,
        onDemand: off,
        record: off,
        comments: off,
      },
      { description: 'Not supported: everything is off' },
    ),
    registration: Type.Object(
      {
        enabled: off,
        autoApprove: off,
        closeBeforeDays: Type.Integer({ description: 'Not supported: always 0' }),
      },
      { description: 'Not supported: everything is off' },
    ),
    webinarPortal: enabled,
  }),
} satisfies TObject['properties']
