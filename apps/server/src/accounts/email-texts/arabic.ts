import { signInTexts } from '@parley/contract'
import type { AccountEmailTexts } from './email-texts.ts'

export const arabic: AccountEmailTexts = {
  confirmAddress: (service) => ({
    subject: 'أكّد عنوان بريدك الإلكتروني',
    lead: `سجّل أحدهم، وأنت على الأرجح، في ${service} بهذا العنوان. أكّده خلال 24 ساعة:`,
    action: 'تأكيد عنواني',
    rest: [
      'ثم سجّل الدخول بكلمة المرور التي اخترتها.',
      'إن لم تكن أنت فتجاهل هذه الرسالة: لا يستطيع أحد استخدام الحساب من دون الرابط.',
    ],
  }),
  alreadyHaveAccount: (service) => ({
    subject: 'لديك حساب بالفعل',
    lead: `حاول أحدهم، وأنت على الأرجح، التسجيل في ${service} بهذا العنوان. يوجد حساب به بالفعل: سجّل الدخول إليه. إن نسيت كلمة مروره فاختر كلمة جديدة:`,
    action: signInTexts.chooseNewPassword.ar,
    rest: ['إن لم تكن أنت فتجاهل هذه الرسالة: لم يتغيّر شيء، ولم يُخبَر أحد بوجود الحساب.'],
  }),
  resetPassword: (service) => ({
    subject: 'اختر كلمة مرور جديدة',
    lead: `طلب أحدهم كلمة مرور جديدة لحسابك في ${service}. اخترها خلال ساعة:`,
    action: signInTexts.chooseNewPassword.ar,
    rest: [
      'سيُسجَّل خروجك من كل مكان، وتنتهي رموز الوصول الشخصية ومفاتيح المرور الخاصة بك.',
      'إن لم تطلب ذلك فتجاهل هذه الرسالة: لن يتغيّر شيء.',
    ],
  }),
  passwordChanged: (service) => ({
    subject: 'تغيّرت كلمة مرورك',
    lead: `تغيّرت كلمة مرور حسابك في ${service}.`,
    action: signInTexts.chooseNewPassword.ar,
    rest: ['إن لم تكن أنت فاختر كلمة مرور جديدة فورًا: يُسجَّل بذلك خروج الجميع.'],
  }),
  passkeyAdded: (service) => ({
    subject: 'أُضيف مفتاح مرور إلى حسابك',
    lead: `أُضيف مفتاح مرور إلى حسابك في ${service}. من يملكه يستطيع تسجيل الدخول.`,
    action: signInTexts.chooseNewPassword.ar,
    rest: ['إن لم تكن أنت فاختر كلمة مرور جديدة فورًا: يُسجَّل بذلك خروج الجميع وتُزال كل مفاتيح المرور.'],
  }),
  invitation: (service) => ({
    subject: 'دعوة إلى Parley',
    lead: `تدعوك إدارة ${service} إلى إنشاء حساب فيه بهذا العنوان. يعمل الرابط مرة واحدة، خلال 7 أيام:`,
    action: signInTexts.createAccount.ar,
    rest: ['إن لم تكن تتوقع هذه الرسالة فتجاهلها.'],
  }),
  accountDeleted: (service) => ({
    subject: 'تم حذف حسابك',
    lead: `حُذف حسابك في ${service}، حذفته أنت أو أحد المديرين. سُجّل خروجك من كل مكان.`,
    action: 'فتح الخدمة',
    rest: [
      'أُلغيت الاجتماعات التي جدولتها، أو عُرضت على مضيفيها المشاركين سبعة أيام إن اختير ذلك. وتُمحى بياناتك فور إبلاغ المدعوين، خلال يومين على الأكثر، أو خلال يومين من انتهاء العروض.',
      'إن لم تكن أنت من فعل ذلك، فراسل مديري الخدمة فورًا.',
    ],
  }),
  handOverOffered: (service, person, day) => ({
    subject: 'عُرض عليك أن تستضيف اجتماعات',
    lead: `غادر ${person} الخدمة ${service}، ويعرض عليك أن تستضيف الاجتماعات التي أنت مضيف مشارك فيها.`,
    action: 'عرض العروض',
    rest: [
      `تبقى الاجتماعات كما هي إلى أن تقبل، ولا يُرسَل شيء باسمك. والاجتماع الذي لا يقبله أي مضيف مشارك يُلغى في ${day}.`,
      'إن كنت لا تعرف صاحب العرض فارفضه، أو تجاهل هذه الرسالة.',
    ],
  }),
  oauthRequested: (service, person) => ({
    subject: 'طلب OAuth (تجريبي)',
    lead: `يطلب ${person} تفعيل OAuth (تجريبي) في ${service} لتسجيل التطبيقات.`,
    action: 'عرض الطلب',
    rest: ['السبب مذكور في الصفحة، ويمكنك قبول الطلب أو رفضه هناك.'],
  }),
  oauthEnabled: (service) => ({
    subject: 'فُعِّل OAuth (تجريبي) لحسابك',
    lead: `قبلت الإدارة طلبك: يمكنك الآن تسجيل التطبيقات في ${service}.`,
    action: 'تسجيل تطبيق',
    rest: ['تعمل بيئة التجربة فور إرسال التطبيق، وأثناء مراجعته.'],
  }),
  oauthDeclined: (service) => ({
    subject: 'رُفض طلبك لتفعيل OAuth (تجريبي)',
    lead: `رفضت الإدارة طلبك لتفعيل OAuth (تجريبي) في ${service}.`,
    action: 'عرض طلبك',
    rest: ['يمكنك تقديم الطلب مجددًا هناك.'],
  }),
  declineReason: (reason) => `السبب: ${reason}`,
  fromProgram: (request, body) => `من برنامج: ${request} مع ${body}؛ الرمز هو ما يلي علامة = في الرابط.`,
  besideSignUp: 'إلى جانب email وpassword وname',
}
