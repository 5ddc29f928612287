import type { TextByLanguage } from './scope-texts.ts'

/** The texts of signing in that our pages, the OAuth pages and the emails about accounts have alike. */
export const signInTexts = {
  signIn: {
    en: 'Sign in',
    de: 'Anmelden',
    hi: 'साइन इन करें',
    ar: 'تسجيل الدخول',
  },
  email: {
    en: 'Email address',
    de: 'E-Mail-Adresse',
    hi: 'ईमेल पता',
    ar: 'عنوان البريد الإلكتروني',
  },
  password: {
    en: 'Password',
    de: 'Passwort',
    hi: 'पासवर्ड',
    ar: 'كلمة المرور',
  },
  forgotPassword: {
    en: 'Forgot your password?',
    de: 'Passwort vergessen?',
    hi: 'पासवर्ड भूल गए?',
    ar: 'هل نسيت كلمة المرور؟',
  },
  or: {
    en: 'or',
    de: 'oder',
    hi: 'या',
    ar: 'أو',
  },
  signInWithPasskey: {
    en: 'Sign in with a passkey',
    de: 'Mit Passkey anmelden',
    hi: 'पासकी से साइन इन करें',
    ar: 'سجّل الدخول بمفتاح مرور',
  },
  createAccount: {
    en: 'Create an account',
    de: 'Konto anlegen',
    hi: 'खाता बनाएँ',
    ar: 'إنشاء حساب',
  },
  chooseNewPassword: {
    en: 'Choose a new password',
    de: 'Neues Passwort wählen',
    hi: 'नया पासवर्ड चुनें',
    ar: 'اختيار كلمة مرور جديدة',
  },
} satisfies Record<string, TextByLanguage>
