import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { PageError } from '../server-pages/error-page.ts'
import { type ProviderErrorCode, providerErrors } from './provider-error.ts'

type ErrorText = { title: string; happened: string; advice: string }

type ProviderErrorTexts = {
  errors: Record<ProviderErrorCode, ErrorText>
  /** The label of the button that leads to the sign-in page. */
  back: string
}

const signInAnotherWay: Record<Language, string> = {
  en: 'Sign in another way, or try again later.',
  de: 'Melden Sie sich auf andere Weise an, oder versuchen Sie es später noch einmal.',
  hi: 'किसी और तरीके से साइन इन करें, या बाद में फिर कोशिश करें।',
  ar: 'سجّل الدخول بطريقة أخرى، أو حاول لاحقًا.',
}

/** `{name}` is the operator's name for the provider. */
const texts: Record<Language, ProviderErrorTexts> = {
  en: {
    errors: {
      provider_away: {
        title: '{name} isn’t responding',
        happened: 'You were going to sign in with {name}, but it didn’t respond, or not correctly.',
        advice: signInAnotherWay.en,
      },
      provider_refused: {
        title: 'You are not signed in',
        happened: '{name} didn’t let you sign in here, or you cancelled.',
        advice: signInAnotherWay.en,
      },
      sign_in_unknown: {
        title: 'This sign-in can’t continue',
        happened: 'It took longer than ten minutes, started in another browser, or this browser blocks cookies.',
        advice: 'Start over.',
      },
      answer_unsound: {
        title: 'The response of {name} can’t be trusted',
        happened: 'What came back from {name} doesn’t belong to this sign-in. You are not signed in.',
        advice: 'Start over. If you see this page again, tell the administrator what it says.',
      },
      address_unverified: {
        title: 'Your address isn’t verified',
        happened: '{name} doesn’t confirm that your email address is yours, so there is no account for it here.',
        advice: 'Ask the administrator of {name} to verify your address, or sign in another way.',
      },
      set_up_code_required: {
        title: 'This service isn’t set up yet',
        happened: 'The first account is the administrator of this service and can’t be created with {name} from here.',
        advice:
          'Open the start page of this service and create the first account with the set-up code that the service printed when it started. Then sign in with {name}.',
      },
      sign_up_closed: {
        title: 'You don’t have an account yet',
        happened: '{name} knows you, but only people who are invited can have an account here.',
        advice: 'Ask an administrator of this service to invite your email address.',
      },
      account_disabled: {
        title: 'Your account is disabled',
        happened: 'An administrator of this service has disabled your account.',
        advice: 'Ask an administrator of this service.',
      },
    },
    back: 'Back to sign-in',
  },
  de: {
    errors: {
      provider_away: {
        title: '{name} antwortet nicht',
        happened: 'Sie wollten sich mit {name} anmelden, aber von dort kam keine oder keine richtige Antwort.',
        advice: signInAnotherWay.de,
      },
      provider_refused: {
        title: 'Sie sind nicht angemeldet',
        happened: '{name} hat Ihre Anmeldung hier nicht zugelassen, oder Sie haben abgebrochen.',
        advice: signInAnotherWay.de,
      },
      sign_in_unknown: {
        title: 'Diese Anmeldung kann nicht fortgesetzt werden',
        happened:
          'Sie hat länger als zehn Minuten gedauert, wurde in einem anderen Browser begonnen, oder dieser Browser blockiert Cookies.',
        advice: 'Beginnen Sie von vorn.',
      },
      answer_unsound: {
        title: 'Der Antwort von {name} ist nicht zu trauen',
        happened: 'Was von {name} zurückkam, gehört nicht zu dieser Anmeldung. Sie sind nicht angemeldet.',
        advice:
          'Beginnen Sie von vorn. Wenn diese Seite wieder erscheint, teilen Sie der Administration mit, was hier steht.',
      },
      address_unverified: {
        title: 'Ihre Adresse ist nicht bestätigt',
        happened:
          '{name} bestätigt nicht, dass die E-Mail-Adresse Ihnen gehört. Deshalb gibt es hier kein Konto dafür.',
        advice:
          'Bitten Sie die Administration von {name}, Ihre Adresse zu bestätigen, oder melden Sie sich auf andere Weise an.',
      },
      set_up_code_required: {
        title: 'Dieser Dienst ist noch nicht eingerichtet',
        happened: 'Das erste Konto verwaltet diesen Dienst und kann von hier aus nicht mit {name} angelegt werden.',
        advice:
          'Öffnen Sie die Startseite dieses Dienstes und legen Sie das erste Konto mit dem Einrichtungscode an, den der Dienst beim Start ausgegeben hat. Melden Sie sich danach mit {name} an.',
      },
      sign_up_closed: {
        title: 'Sie haben noch kein Konto',
        happened: '{name} kennt Sie, aber hier bekommt nur ein Konto, wer eingeladen ist.',
        advice: 'Bitten Sie die Administration dieses Dienstes, Ihre E-Mail-Adresse einzuladen.',
      },
      account_disabled: {
        title: 'Ihr Konto ist gesperrt',
        happened: 'Die Administration dieses Dienstes hat Ihr Konto gesperrt.',
        advice: 'Wenden Sie sich an die Administration dieses Dienstes.',
      },
    },
    back: 'Zurück zur Anmeldung',
  },
  hi: {
    errors: {
      provider_away: {
        title: '{name} उत्तर नहीं दे रहा',
        happened: 'आप {name} से साइन इन करने वाले थे, पर वहाँ से उत्तर नहीं आया, या सही उत्तर नहीं आया।',
        advice: signInAnotherWay.hi,
      },
      provider_refused: {
        title: 'आप साइन इन नहीं हैं',
        happened: '{name} ने आपको यहाँ साइन इन नहीं करने दिया, या आपने रद्द कर दिया।',
        advice: signInAnotherWay.hi,
      },
      sign_in_unknown: {
        title: 'यह साइन-इन आगे नहीं बढ़ सकता',
        happened: 'इसमें दस मिनट से ज़्यादा लगे, यह किसी दूसरे ब्राउज़र में शुरू हुआ, या यह ब्राउज़र कुकी रोकता है।',
        advice: 'फिर से शुरू करें।',
      },
      answer_unsound: {
        title: '{name} के उत्तर पर भरोसा नहीं किया जा सकता',
        happened: '{name} से जो लौटा, वह इस साइन-इन का नहीं है। आप साइन इन नहीं हैं।',
        advice: 'फिर से शुरू करें। यह पेज फिर दिखे, तो व्यवस्थापक को बताएँ कि इस पर क्या लिखा है।',
      },
      address_unverified: {
        title: 'आपके पते की पुष्टि नहीं हुई है',
        happened: '{name} पुष्टि नहीं करता कि ईमेल पता आपका है, इसलिए यहाँ उसका कोई खाता नहीं है।',
        advice: '{name} के व्यवस्थापक से अपने पते की पुष्टि करने को कहें, या किसी और तरीके से साइन इन करें।',
      },
      set_up_code_required: {
        title: 'यह सेवा अभी तैयार नहीं है',
        happened: 'पहला खाता इस सेवा का व्यवस्थापक होता है, और वह यहाँ से {name} के ज़रिए नहीं बनाया जा सकता।',
        advice:
          'इस सेवा का पहला पेज खोलें और उस सेट-अप कोड से पहला खाता बनाएँ जो सेवा ने शुरू होते समय दिखाया था। फिर {name} से साइन इन करें।',
      },
      sign_up_closed: {
        title: 'आपका अभी कोई खाता नहीं है',
        happened: '{name} आपको जानता है, पर यहाँ केवल आमंत्रित लोगों का खाता हो सकता है।',
        advice: 'इस सेवा के व्यवस्थापक से अपने ईमेल पते को आमंत्रित करने को कहें।',
      },
      account_disabled: {
        title: 'आपका खाता बंद है',
        happened: 'इस सेवा के व्यवस्थापक ने आपका खाता बंद किया है।',
        advice: 'इस सेवा के व्यवस्थापक से पूछें।',
      },
    },
    back: 'साइन-इन पर वापस',
  },
  ar: {
    errors: {
      provider_away: {
        title: '{name} لا يستجيب',
        happened: 'كنت ستسجّل الدخول عبر {name}، لكنه لم يستجب، أو لم يستجب كما ينبغي.',
        advice: signInAnotherWay.ar,
      },
      provider_refused: {
        title: 'لم تسجّل الدخول',
        happened: 'لم يسمح لك {name} بتسجيل الدخول هنا، أو ألغيت العملية.',
        advice: signInAnotherWay.ar,
      },
      sign_in_unknown: {
        title: 'لا يمكن متابعة تسجيل الدخول هذا',
        happened: 'استغرق أكثر من عشر دقائق، أو بدأ في متصفح آخر، أو أن هذا المتصفح يحظر ملفات تعريف الارتباط.',
        advice: 'ابدأ من جديد.',
      },
      answer_unsound: {
        title: 'لا يمكن الوثوق بما أجاب به {name}',
        happened: 'ما عاد من {name} لا يخص تسجيل الدخول هذا. لم تسجّل الدخول.',
        advice: 'ابدأ من جديد. إن ظهرت هذه الصفحة مجددًا فأخبر المدير بما فيها.',
      },
      address_unverified: {
        title: 'عنوانك غير مؤكَّد',
        happened: 'لا يؤكد {name} أن عنوان البريد الإلكتروني لك، لذلك لا حساب له هنا.',
        advice: 'اطلب من مدير {name} تأكيد عنوانك، أو سجّل الدخول بطريقة أخرى.',
      },
      set_up_code_required: {
        title: 'لم تُهيّأ هذه الخدمة بعد',
        happened: 'الحساب الأول هو مدير هذه الخدمة، ولا يمكن إنشاؤه عبر {name} من هنا.',
        advice:
          'افتح الصفحة الأولى لهذه الخدمة وأنشئ الحساب الأول برمز الإعداد الذي عرضته الخدمة عند بدء تشغيلها. ثم سجّل الدخول عبر {name}.',
      },
      sign_up_closed: {
        title: 'ليس لك حساب بعد',
        happened: 'يعرفك {name}، لكن الحسابات هنا للمدعوين فقط.',
        advice: 'اطلب من مدير هذه الخدمة دعوة عنوان بريدك الإلكتروني.',
      },
      account_disabled: {
        title: 'حسابك معطّل',
        happened: 'عطّل مدير هذه الخدمة حسابك.',
        advice: 'اسأل مدير هذه الخدمة.',
      },
    },
    back: 'العودة إلى تسجيل الدخول',
  },
}

export const providerErrorTexts = (language: Language): ProviderErrorTexts => texts[language]

/** The texts of an error page, with the name that the operator gave the provider. */
export function describeProviderError(code: ProviderErrorCode, providerName: string, language: Language): PageError {
  const { title, happened, advice } = providerErrorTexts(language).errors[code]
  const named = (text: string) => text.replaceAll('{name}', isolated(language, providerName))
  return { ...providerErrors[code], title: named(title), happened: named(happened), advice: named(advice) }
}
