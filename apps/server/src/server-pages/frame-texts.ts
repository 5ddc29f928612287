import type { Language } from '@parley/texts/languages'

/** Who can fix the error. */
export type Fixer = 'visitor' | 'developer' | 'administrator'

/** The texts that all error pages share. */
type FrameTexts = { fixers: Record<Fixer, string>; requestId: string }

const texts: Record<Language, FrameTexts> = {
  en: {
    fixers: {
      visitor: 'You can fix this',
      developer: 'The app’s developer can fix this',
      administrator: 'The administrator of this service can fix this',
    },
    requestId: 'Request ID:',
  },
  de: {
    fixers: {
      visitor: 'Das können Sie beheben',
      developer: 'Das können die Entwickler der App beheben',
      administrator: 'Das kann die Administration dieses Dienstes beheben',
    },
    requestId: 'Anfrage-ID:',
  },
  hi: {
    fixers: {
      visitor: 'इसे आप ठीक कर सकते हैं',
      developer: 'इसे ऐप के डेवलपर ठीक कर सकते हैं',
      administrator: 'इसे इस सेवा के व्यवस्थापक ठीक कर सकते हैं',
    },
    requestId: 'अनुरोध आईडी:',
  },
  ar: {
    fixers: {
      visitor: 'يمكنك إصلاح هذا',
      developer: 'يمكن لمطوّر التطبيق إصلاح هذا',
      administrator: 'يمكن لمدير هذه الخدمة إصلاح هذا',
    },
    requestId: 'معرّف الطلب:',
  },
}

export const frameTexts = (language: Language): FrameTexts => texts[language]
