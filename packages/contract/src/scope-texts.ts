import type { Language } from '@parley/texts/languages'
import { type PersonalScope, personalScopes } from './scopes.ts'

export type TextByLanguage = Record<Language, string>

/**
 * What a scope permits, in the languages of the pages. The consent page, connected apps and the developers' pages say
 * the same.
 */
export const scopeTexts: Record<PersonalScope, TextByLanguage> = {
  'user:read': {
    en: personalScopes['user:read'],
    de: 'Ihre Profilangaben lesen',
    hi: 'आपकी प्रोफ़ाइल की जानकारी पढ़ना',
    ar: 'قراءة معلومات ملفك الشخصي',
  },
  'meeting:create': {
    en: personalScopes['meeting:create'],
    de: 'In Ihrem Namen Besprechungen anlegen',
    hi: 'आपकी ओर से बैठकें बनाना',
    ar: 'إنشاء اجتماعات نيابة عنك',
  },
  'meeting:delete': {
    en: personalScopes['meeting:delete'],
    de: 'Besprechungen löschen, die Sie angelegt haben',
    hi: 'आपकी बनाई बैठकें मिटाना',
    ar: 'حذف الاجتماعات التي أنشأتها',
  },
  'meeting:read': {
    en: personalScopes['meeting:read'],
    de: 'Ihre Besprechungen lesen, mit Einzelheiten und Teilnehmenden',
    hi: 'विवरण और प्रतिभागियों सहित आपकी बैठकें पढ़ना',
    ar: 'قراءة اجتماعاتك، بما في ذلك التفاصيل والمشاركون',
  },
  'meeting:update': {
    en: personalScopes['meeting:update'],
    de: 'Besprechungen ändern, die Sie angelegt haben; darf sie auch teilnehmen: Personen einlassen, stummschalten und entfernen, Besprechungen schließen und beenden',
    hi: 'आपकी बनाई बैठकें बदलना; शामिल होने की अनुमति भी हो तो: लोगों को आने देना, म्यूट करना और हटाना, बैठक बंद करना और समाप्त करना',
    ar: 'تعديل الاجتماعات التي أنشأتها؛ وإذا سُمح له بالانضمام أيضًا: إدخال الأشخاص وكتم أصواتهم وإخراجهم، وإقفال الاجتماعات وإنهاؤها',
  },
  'meeting:join': {
    en: personalScopes['meeting:join'],
    de: 'Als Sie an Besprechungen teilnehmen und auf Einladungen dazu antworten',
    hi: 'आपके रूप में बैठकों में शामिल होना और उनके निमंत्रणों का जवाब देना',
    ar: 'الانضمام إلى الاجتماعات باسمك والرد على الدعوات إليها',
  },
  'apps:manage': {
    en: personalScopes['apps:manage'],
    de: 'Ihre Apps als deren Entwickler registrieren, ändern und einreichen; nie deren Secrets, und nichts löschen',
    hi: 'डेवलपर के रूप में आपके ऐप पंजीकृत करना, बदलना और समीक्षा के लिए भेजना; उनके सीक्रेट कभी नहीं, और कुछ हटाना नहीं',
    ar: 'تسجيل تطبيقاتك وتعديلها وإرسالها للمراجعة بصفتك مطوّرها، دون أسرارها ودون حذف شيء',
  },
}
