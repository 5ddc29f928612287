import { html } from '../../../platform/http/html.ts'
import type { PageTexts } from './page-texts.ts'

const appNotNamed = 'لم يذكر التطبيق من هو'
const startAgain = 'ارجع إلى التطبيق وابدأ من جديد.'
const reportToDeveloper = 'أخبر مطوّره بما تقوله هذه الصفحة. لم يُعطَ التطبيق شيئًا يخصّك.'

const minutesInWords = (minutes: number) => {
  if (minutes === 1) return 'دقيقة'
  if (minutes === 2) return 'دقيقتين'
  return minutes <= 10 ? `${minutes} دقائق` : `${minutes} دقيقة`
}

export const arabic: PageTexts = {
  errorTitle: (title) => `خطأ: ${title}`,
  toContinueTo: (app) => html`للمتابعة إلى ${app}`,
  signedInAs: (name, email) => html`سُجّل دخولك باسم ${name} (${email}).`,
  switchAccount: 'تبديل الحساب',
  notYou: 'لست أنت؟ بدّل الحساب',
  signIn: {
    refused: 'لم يُسجَّل دخولك',
    provider: (name) => `سجّل الدخول عبر ${name}`,
    passkeyFailed: 'لم يُستخدم مفتاح المرور. حاول مرة أخرى، أو سجّل الدخول بطريقة أخرى.',
    passkeyRefused: 'لم يُقبل مفتاح المرور هذا. حاول مرة أخرى، أو سجّل الدخول بطريقة أخرى.',
    emailMissing: 'أدخل عنوان بريدك الإلكتروني.',
    passwordMissing: 'أدخل كلمة المرور.',
    wrongCredentials: 'عنوان البريد الإلكتروني أو كلمة المرور غير صحيحة.',
    emailNotVerified: 'أكّد عنوان بريدك الإلكتروني أولًا: أرسلنا إليك رابطًا.',
    tooManyTries: (minutes) => `محاولات كثيرة جدًا. انتظر ${minutesInWords(minutes)} ثم حاول مرة أخرى.`,
  },
  account: {
    title: 'اختر حسابًا',
    continueAs: (name) => html`تابع باسم ${name}`,
    useAnother: 'استخدم حسابًا آخر',
  },
  consent: {
    title: (app) => `أتسمح لـ ${app}؟`,
    heading: (app) => html`أتسمح لـ ${app} باستخدام حسابك؟`,
    by: (owner) => html`من ${owner}`,
    organisation: (name) => html`المؤسسة: ${name}`,
    willBeAble: (app) => html`سيتمكّن ${app} من:`,
    willAlsoBeAble: (app) => html`جديد: سيتمكّن ${app} أيضًا من:`,
    alreadyAllowed: 'سبق أن سمحت له بما يلي:',
    leaveOut: 'أزل علامة الاختيار عمّا لا تريد السماح به.',
    nothingSelectedTitle: 'لم تختر شيئًا',
    nothingSelected: 'اختر ما تريد السماح به، أو ارفض.',
    homePage: 'الصفحة الرئيسية',
    privacy: 'الخصوصية',
    policy: 'سياسة خصوصية هذا التطبيق',
    afterwards: 'بعد ذلك',
    goOnTo: (host) => `تنتقل إلى ${host}`,
    goOnToDevice: 'تنتقل إلى التطبيق على هذا الجهاز',
    newTab: '(تُفتح في علامة تبويب جديدة)',
    answer: 'إجابتك',
    deny: 'ارفض',
    allow: 'اسمح',
    revoke: 'يمكنك إلغاء ذلك في أي وقت من «التطبيقات المرتبطة».',
    sandboxTitle: 'هذا التطبيق قيد التجربة',
    sandbox: 'يعمل التطبيق في بيئة التجربة. ينتهي ما تسمح به بعد 7 أيام.',
    httpTitle: 'طريق العودة غير مشفّر',
    http: 'يتلقى هذا التطبيق إجابتك عبر http غير مشفّر. قد يقرؤها آخرون على الشبكة في طريقها.',
    runsHere: 'تنتقل إلى برنامج يعمل على هذا الحاسوب',
    registeredItself: 'سجّل نفسه بنفسه',
    trialTitle: 'لم يُراجَع بعد',
    trial:
      'يمكنك ربط هذا التطبيق قبل مراجعته لأنك تراجع التطبيقات هنا أو تدير هذه الخدمة. وينتهي ما تسمح به خلال سبعة أيام.',
  },
  tester: {
    title: (app) => `أتجرّب ${app}؟`,
    heading: (app) => html`أتجرّب ${app}؟`,
    asks: (owner, email) => html`يطلب منك ${owner} (${email}) تجربة هذا التطبيق. وهو لم يُراجَع بعد.
لا تقبل إلا إن كنت تعرف هذا الشخص. لا يتيح قبولك للتطبيق أي وصول بعد: ستُسأل عن ذلك بعدها.`,
    decline: 'رفض',
    accept: 'قبول',
    changeable: 'يمكنك تغيير إجابتك في أي وقت من «التطبيقات المرتبطة».',
    declinedTitle: 'لقد رفضت',
    declined: (app) => html`أنت لا تجرّب ${app}. لم يُعطَ شيئًا يخصّك ولا يُخبَر بإجابتك. يمكنك إغلاق هذه الصفحة.`,
    changeableLater: 'يمكنك تغيير إجابتك من «التطبيقات المرتبطة».',
  },
  errors: {
    client_missing: {
      title: appNotNamed,
      happened: 'الرابط الذي أتى بك إلى هنا ليس فيه client_id (أو clientId).',
      advice: reportToDeveloper,
    },
    client_ambiguous: {
      title: appNotNamed,
      happened: 'الرابط الذي أتى بك إلى هنا فيه أكثر من client_id واحد.',
      advice: reportToDeveloper,
    },
    client_unknown: {
      title: 'لا يوجد تطبيق كهذا',
      happened: 'الرابط الذي أتى بك إلى هنا فيه client_id لا يخصّ أي تطبيق. ربما حُذف التطبيق.',
      advice: reportToDeveloper,
    },
    redirect_uri_missing: {
      title: 'لم يذكر التطبيق إلى أين يعيدك',
      happened: 'يجب أن يكون في الرابط الذي أتى بك إلى هنا redirect_uri واحد.',
      advice: reportToDeveloper,
    },
    redirect_uri_unknown: {
      title: 'يريد التطبيق إرسالك إلى عنوان غير معروف',
      happened:
        'قيمة redirect_uri في الرابط الذي أتى بك إلى هنا ليست من عناوين العودة التي سجّلها هذا التطبيق. يجب أن تطابقها حرفًا بحرف.',
      advice: reportToDeveloper,
    },
    client_url_invalid: {
      title: 'لا يمكن استخدام عنوان هذا التطبيق',
      happened: 'يسمّي الرابط الذي أوصلك إلى هنا التطبيق بعنوان يخالف قواعد هذه العناوين.',
      advice: reportToDeveloper,
    },
    client_not_allowed: {
      title: 'تطبيقات كهذه غير مسموح بها هنا',
      happened: 'لم يسمح مدير هذه الخدمة بربط تطبيقات من هذا النوع أو من هذا المزوّد.',
      advice: 'اسأل المدير هل يمكن السماح به. لم يُعطَ التطبيق شيئًا يخصّك.',
    },
    client_document_invalid: {
      title: 'لا يمكن استخدام وصف هذا التطبيق',
      happened: 'يُعرف التطبيق بعنوان مستند يصفه. تعذّر جلب المستند، أو أن فيه خطأ.',
      advice: 'حاول مرة أخرى بعد بضع دقائق. إن عادت هذه الصفحة فأخبر مطوّر التطبيق بما فيها. لم يُعطَ التطبيق شيئًا يخصّك.',
    },
    client_under_review: {
      title: 'مديرك هو من يقرّر بشأن هذا التطبيق',
      happened:
        'لم تتم الموافقة على هذا التطبيق هنا بعد. أُبلغ من يراجعون التطبيقات في هذه الخدمة. لم يُعطَ التطبيق شيئًا يخصّك.',
      advice: 'عُد لاحقًا واربطه من جديد، أو اسأل المدير.',
    },
    client_rejected: {
      title: 'لم تتم الموافقة على هذا التطبيق',
      happened: 'قرّر من يراجعون التطبيقات في هذه الخدمة رفضه. لم يُعطَ التطبيق شيئًا يخصّك.',
      advice: 'اسأل المدير عن الأسباب.',
    },
    app_suspended: {
      title: 'هذا التطبيق موقوف',
      happened: 'أوقف مدير هذه الخدمة هذا التطبيق. لا يمكن ربطه الآن.',
      advice: 'اسأل المدير أو مطوّر التطبيق متى يعود.',
    },
    owner_inactive: {
      title: 'هذا التطبيق غير متاح',
      happened: 'الحساب الذي يخصّه هذا التطبيق لا يُسمح له حاليًا بتقديم تطبيقات.',
      advice: 'على مطوّر التطبيق أن يطلب من المدير تفعيل OAuth للحساب.',
    },
    sandbox_only: {
      title: 'لست من مجرّبي هذا التطبيق',
      happened: 'استخدم التطبيق بيانات اعتماده التجريبية. لا يستطيع ربطه بها إلا مطوّره ومن دعاهم من المجرّبين.',
      advice: 'اطلب من المطوّر دعوة عنوان بريدك إلى التجربة، أو سجّل الدخول بحساب آخر.',
    },
    sandbox_sign_in: {
      title: 'سجّل الدخول لتجربة هذا التطبيق',
      happened:
        'استخدم التطبيق بيانات اعتماده التجريبية وطلب ألا تُعرض لك أي صفحة. لم يُسجَّل دخولك، فلا يُعرف هل أنت من مجرّبيه.',
      advice: 'إن كنت مطوّره أو أحد مجرّبيه فسجّل الدخول.',
    },
    sandbox_request_wrong: {
      title: 'طلب التطبيق خاطئ',
      happened:
        'استخدم التطبيق بيانات اعتماده التجريبية، وفي الرابط الذي أتى بك إلى هنا خطأ. وهو مذكور في سجلّ أحداث التطبيق.',
      advice: 'أخبر مطوّره بما تقوله هذه الصفحة. يُعاد المطوّر والمجرّبون إلى التطبيق بعد تسجيل دخولهم.',
    },
    form_refused: {
      title: 'لا يمكن قبول هذا النموذج',
      happened:
        'لم يُرسَل من صفحتنا في هذا المتصفح، أو سجّل شخص الدخول أو الخروج منذ فُتحت الصفحة. لم يُعطَ التطبيق شيئًا يخصّك.',
      advice: `${startAgain} اسمح لهذا الموقع بملفات تعريف الارتباط إن كان متصفحك يحظرها.`,
    },
    form_incomplete: {
      title: 'هذا النموذج ناقص',
      happened: 'يجب أن يذكر هل تسمح أم ترفض. لم يُعطَ التطبيق شيئًا يخصّك.',
      advice: startAgain,
    },
    request_over: {
      title: 'انتهى هذا الطلب',
      happened: 'يمكن الإجابة عن طلب التطبيق مدة ساعة. هذا الطلب أقدم من ذلك، أو تغيّر التطبيق منذ ذلك الحين.',
      advice: startAgain,
    },
  },
  ours: {
    title: 'حدث خطأ ما',
    happened: 'لم تتمكّن الخدمة من فعل ذلك.',
    advice: 'حاول مرة أخرى بعد قليل. إن بقي الخطأ فأخبر المدير بمعرّف الطلب أدناه.',
  },
  theirs: {
    title: 'هذا لا ينجح',
    happened: 'ما أُرسل ليس ما تنتظره هذه الصفحة.',
    advice: startAgain,
  },
  tooMany: { happened: 'جاءت طلبات كثيرة جدًا. انتظر قليلًا.' },
}
