import type { Words } from './words.ts'

/** Two has its own form, three to ten take the plural, more take the singular. */
const counted = (count: number, two: string, few: string, many: string) => {
  if (count === 2) return two
  return count <= 10 ? `${count} ${few}` : `${count} ${many}`
}

export const arabic: Words = {
  locale: 'ar',
  subjects: {
    invitation: (topic) => `دعوة: ${topic}`,
    update: (topic) => `تغيير: ${topic}`,
    cancellation: (topic) => `أُلغي: ${topic}`,
    removal: (topic) => `لم تعد مدعوًا: ${topic}`,
    'occurrence-cancellation': (topic, date) => `أُلغي يوم ${date}: ${topic}`,
    'occurrence-update': (topic, date) => `تغيّر موعد ${date}: ${topic}`,
    'series-end': (topic, date) => `أُلغي ابتداءً من ${date}: ${topic}`,
    'series-continued': (topic, date) => `تغيّر ابتداءً من ${date}: ${topic}`,
    reminder: (topic) => `تذكير: ${topic}`,
  },
  leads: {
    invitation: (host) => `يدعوك ${host} إلى اجتماع.`,
    update: () => 'تغيّر اجتماع أنت مدعو إليه.',
    cancellation: () => 'أُلغي هذا الاجتماع.',
    removal: () => 'لم تعد مدعوًا إلى هذا الاجتماع.',
    'occurrence-cancellation': (_host, date) => `أُلغي موعد واحد من هذا الاجتماع: ${date}. تبقى المواعيد الأخرى كما هي.`,
    'occurrence-update': (_host, date) => `تغيّر موعد واحد من هذا الاجتماع: ${date}. تبقى المواعيد الأخرى كما هي.`,
    'series-end': (_host, date) => `أُلغي هذا الاجتماع ابتداءً من ${date}.`,
    'series-continued': (_host, date) => `ابتداءً من ${date} يحلّ اجتماع آخر محلّ هذا الاجتماع. ستصلك دعوة إليه.`,
    reminder: (_host, date) => `يبدأ هذا الاجتماع قريبًا: ${date}.`,
  },
  fields: {
    topic: 'الموضوع',
    time: 'الموعد',
    rule: 'التكرار',
    description: 'الوصف',
    link: 'رقم الاجتماع',
    pin: 'الرمز السري',
  },
  changed: 'ما الذي تغيّر',
  before: 'سابقًا',
  after: 'الآن',
  nothing: 'لا شيء',
  restored: 'سيُعقد من جديد',
  changedDates: 'مواعيد تغيّرت',
  removed: 'لن يُعقد بعد الآن',
  andMore: 'وغيرها',
  yourTime: 'بتوقيتك',
  // Isolated, so that a Latin city name does not reorder the line.
  zone: (zone) => `(\u2066${zone}\u2069)`,
  wasToBe: 'كان مقررًا',
  once: 'مرة واحدة',
  host: 'المضيف',
  via: (host, service) => `${host} عبر ${service}`,
  join: 'الانضمام إلى الاجتماع',
  add: 'إضافة إلى اجتماعاتي',
  question: 'هل ستحضر؟',
  answers: { accepted: 'نعم', tentative: 'ربما', declined: 'لا' },
  footer: (host, address, recipient) => `وصلتك هذه الرسالة لأن ${host} دعا ${recipient} إلى اجتماع على ${address}.`,
  keep: 'الرابط والرمز السري يُدخلان إلى الاجتماع: لا تعطهما إلا لمن سيحضر.',
  feedIsCut: (limit) => `لا يظهر هنا سوى ${limit} من اجتماعاتك: القادمة أولاً، ثم أحدث ما انتهى منها.`,
  feedIsShortened: 'بعض النصوص الطويلة والمواعيد المفردة غير موجودة هنا: تجدها في صفحة كل اجتماع.',
  exportIsLimited: (maxMeetings, maxMegabytes) =>
    `يحتوي هذا الملف على ${maxMeetings} اجتماع و${maxMegabytes} ميغابايت على الأكثر؛ أما التصدير بصيغة JSON فيحتوي على كل شيء.`,
  textIsCut: (link) => `هذا النص أطول مما يتسع له التقويم. تجد بقيته في صفحة الاجتماع: ${link}`,
  calendarIsShortened: (link) =>
    `في هذه السلسلة مواعيد مختلفة أكثر مما تتسع له رسالة واحدة. يصل إلى تقويمك أقربها؛ وتجدها كلها في صفحة الاجتماع: ${link}`,
  cancellationIsShortened:
    'في هذه السلسلة مواعيد مختلفة أكثر مما تتسع له رسالة واحدة. إذا بقي بعضها في تقويمك فاحذفه هناك.',
  everyDay: (interval) => (interval === 1 ? 'كل يوم' : `كل ${counted(interval, 'يومين', 'أيام', 'يومًا')}`),
  everyWeek: (interval, days) =>
    `${interval === 1 ? 'كل أسبوع' : `كل ${counted(interval, 'أسبوعين', 'أسابيع', 'أسبوعًا')}`}: ${days}`,
  everyMonth: (interval, on) =>
    `${interval === 1 ? 'كل شهر' : `كل ${counted(interval, 'شهرين', 'أشهر', 'شهرًا')}`} ${on}`,
  onDate: (day) => `في اليوم ${day}`,
  onLastDay: 'في اليوم الأخير',
  onWeekdays: (ordinals, days) => `في ${days} ${ordinals}`,
  ordinals: ['الأول', 'الثاني', 'الثالث', 'الرابع', 'الأخير'],
  until: (rhythm, date) => `${rhythm}، حتى ${date}`,
  times: (rhythm, count) => `${rhythm}، ${count === 1 ? 'مرة واحدة' : counted(count, 'مرتين', 'مرات', 'مرة')}`,
  reminders: {
    link: 'إيقاف التذكير بهذا الاجتماع',
    title: 'التذكيرات',
    ask: (address) => `هل تريد إيقاف إرسال التذكير بهذا الاجتماع إلى ${address}؟`,
    stop: 'إيقاف التذكير',
    stopped: (address) => `لن يصل التذكير بهذا الاجتماع إلى ${address} بعد الآن. تظل الدعوات والتغييرات تصل.`,
    resume: 'استئناف التذكير',
  },
  digest: {
    title: 'إجابات جديدة على اجتماعاتك',
    subject: (count) => `إجابات جديدة على اجتماعاتك: ${count}`,
    proposes: (person, times) => `يقترح ${person} موعدًا آخر: ${times}`,
    open: 'فتح اجتماعاتك',
    link: 'إيقاف هذه الرسالة اليومية',
    footer: (service) => `تصلك هذه الرسالة لأن الملخص اليومي للإجابات مفعّل في ملفك الشخصي على ${service}.`,
    ask: (address) => `هل تريد إيقاف إرسال الملخص اليومي للإجابات إلى ${address}؟`,
    stop: 'إيقاف الملخص',
    stopped: (address) => `لن يصل الملخص اليومي للإجابات إلى ${address} بعد الآن. تظل اجتماعاتك تعرضها.`,
    resume: 'إرسال الملخص من جديد',
  },
  page: {
    from: (host) => `يدعوك ${host}.`,
    press: 'اختر إجابتك. يمكنك تغييرها لاحقًا.',
    recorded: {
      accepted: 'لقد وافقت على الحضور. يرى المضيف إجابتك.',
      tentative: 'لقد أجبت بربما. يرى المضيف إجابتك.',
      declined: 'لقد اعتذرت عن الحضور. يرى المضيف إجابتك.',
    },
    changeable: 'ما زال بإمكانك تغيير إجابتك:',
    oneDate: 'إجابتك تخص هذا الموعد فقط.',
    unknownTitle: 'هذا الرابط لا يعمل',
    unknown: 'الرابط ناقص أو لم يعد صالحًا، أو لم تعد مدعوًا إلى الاجتماع.',
    overTitle: 'لم يبقَ ما تجيب عنه',
    over: 'انتهى الاجتماع أو أُلغي.',
    advice: 'استخدم أحدث رسالة عن الاجتماع، أو اسأل من دعاك.',
  },
}
