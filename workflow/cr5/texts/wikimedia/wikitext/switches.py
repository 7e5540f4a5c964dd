"""Behaviour switches such as __NOTOC__, which a page has and no reader sees.

Their names in all languages of Wikimedia's wikis, as these tell them (`siteinfo`, `magicwords`), in
one set, as those for images. All else between double underscores is text.
"""

ANY_CASE = """
AABAW ABSCHNITTE_NICHT_BEARBEITEN ALAOSALINGITA ALLTIDINNEHÅLLSFÖRTECKNING ALLTIDINNHALDSLISTE
ALLTIDINNHOLDSLISTE AMARAKITAHUKCHAYCHU AMASAMIQTAHUKCHAYCHU AMASUTITAHUKCHAYCHU ATAWALMASTIRĞIZBAW
AUCUNEGALERIE AUCUNETDM AUCUNSOMMAIRE BAŞLIKDÖNÜŞÜMÜYOK BDY BEGALERIJOS BEMINDƏRİCOT BEREDAGSEKC
BETURIN BEZCC BEZEDITOVATČÁST BEZEDYCJISEKCJI BEZGALERIE BEZGALERII BEZGALERIJE BEZGALÉRIE
BEZIZMENA BEZIZMJENA BEZKN BEZKONVERZENADPISU BEZKONVERZEOBSAHU BEZKS BEZOBSAHU
BEZPRETVARANJANASLOVA BEZPRETVARANJASADRŽAJA BEZSADRŽAJA BEZSPISU BEZTC BEZUREĐIVANJAODLOMAKA
BEZ_GALERIJE BEZ_IZMENA BEZ_IZMJENA BEZ_SADRŽAJA BPN BPS BREZGALERIJE BREZKAZALAVSEBINE
BREZUREJANJARAZDELKOV BÖLİDİMÖNDEMEW BÖLİMÖNDETKİZBEW CAPDEGALARIA CAPDEGALARIÁ CAPDETAULA
CAPGALERIA CAPTAULA CUPRINS CÁ CÁGACHUAIR DAFTARISI DASI DEĞİŞTİRYOK DIMADRANGOLYGU DIMGOLYGUADRAN
DIMRHESTRGYNNWYS DIMRHG DIMTAFLENCYNNWYS DWINGIO DÜZENLEMEYOK EBDAGALLERIJA EBDAKK
EBDAKONVERTURKONTENUT EBDAKONVERTURTITLU EBDAKT EBDASEZZJONIMODIFIKA EBDAWERREJ EIOSIOMUOKKAUSTA
EISISLUETT EMSAFN ENHALLT ESTEN ESTENZARURET ESTENÇINO ETTIQ FARACONVERTIRECONTINUT
FARACONVERTIRETITLU FARACUPRINS FARAEDITSECTIUNE FARAGALERIE FCC FCT FI FORCARSUMARIO FORCARTDC
FORCEERINHOUD FORCERSOMMAIRE FORCERTDM FORCETOC FORCIÉR_LA_TRÂBLA FORCIÉR_LO_SOMÈRO
FORSEERONDERWARPEN FORSIRAJSADRŽAJ FORSIRANISADRŽAJ FORSIRANI_SADRŽAJ FORTEAZACUPRINS FORTUINDEKSON
FORZAROÍNDICE FORZARTDC FORZARTOC FORZAR_TDC FORÇARSOMARI FORÇARSUMÁRIO FORÇARTAULA FORÇARTDC
FORÇARTDM FORÇATAULA FT GALEREYAYOQ GALERIITA GALERÎTUNE GALERİYOK GALERİÇINO GANCÁ GANMHÍRATHRÚ
GANTA GANTIONTÚNADTEIDEAL GANTIONTÚNANÁBHAIR GANTT GEENGALERY GEENIC GEENINHOUD GEENINHOUDCONVERSIE
GEENIO GEENNUWEAFDELING GEENPAGINANAAMCONVERSIE GEENTC GEENTITELCONVERSIE GEEN_GALERIJ
GIENBEWARKSEKSIE GIENGALDERIEJE GIENGALLERIEJE GIENIK GIENINHOUDKONVERSIE GIENONDERWARPEN
GIENTITELKONVERSIE GIENTK ICHIDAGILAR ICHIDAGILARI ICHIDAGILARMAJBURIY ICHIDAGILARYOQ IIGALLERIIJA
IIRIEVDADITOASI IISIS IISISDOALLU INDEKSO INGABOLKENDRING INGABOLKREDIGERING INGAINNHALDSLISTE
INGENDELENDRING INGENINNEHÅLLSFÖRTECKNING INGENINNHOLDSFORTEGNELSE INGENINNHOLDSKONVERTERING
INGENINNHOLDSLISTE INGENSEKSJONSREDIGERING INGENTITTELKONVERTERING INGETGALLERI INHALTSVERZEICHNIS
INHALTSVERZEICHNIS_ERZWINGEN INHOLTVERTEKEN INHOUD INHOUD_DWINGEN INKJEGALLERI INNEHÅLLSFÖRTECKNING
INNHALDSLISTE INNHOLDSFORTEGNELSE INNHOLDSLISTE INOT INOTDWENGI INTEREDIGERASEKTION INTETGALLERI IO
JOGALERI JOREDAKTIMSEKSIONI JOTP KEENINHOLTVERTEKEN KEENÄNNERNLINK KEINEGALERIE KEINE_GALERIE
KEINE_INHALTSKONVERTIERUNG KEINE_TITELKONVERTIERUNG KEININHALTSVERZEICHNIS KEIN_INHALTSVERZEICHNIS
KEIN_JALLERIE KHÔNGALBUM KHÔNGCHUYỂNNỘIDUNG KHÔNGCHUYỂNTÊN KHÔNGMỤCLỤC KHÔNGNÚTSỬAMỤC KHÔNG_ALBUM
KHÔNG_CHUYỂN_NỘI_DUNG KHÔNG_CHUYỂN_TÊN KHÔNG_MỤC_LỤC KHÔNG_NÚT_SỬA_MỤC LAHAT LAHATRA
LEGYENTARTALOMJEGYZÉK LEGYENTJ LUÔNMỤCLỤC LUÔN_MỤC_LỤC MABAW MATJOQ MAZMUNDATQIZW MAZMUNI MAZMUNSIZ
MAĞLUMATALMASTIRĞIZBAW MAĞLUMATINTÜRLENDİRGİZBEW MINDƏRİCOT MQIZW MSIZ MZMN MÜNDƏRİCATYOX
MƏCBURİYƏ_MINDƏRİCOT MỤCLỤC MỤC_LỤC NAOEDITARSECAO NAVEROK NAVEROKTUNE NCC NEINDEKSO
NEKONVERTUENHAVON NEKONVERTUTITOLON NES NEUPRAVOVAŤSEKCIE NG NI NIETBEWERKBARESECTIE NINCSGALÉRIA
NINCSSZERK NINCSSZERKESZTÉS NINCSTARTALOMJEGYZÉK NINCSTJ NIONA_GALERIE NIONA_TRÂBLA NION_SOMÈRO
NIRDASI NIRGAL NIRKODUL NIRKOSI NIRSUBA NKH NKT NOCC NOCONTENTCONVERT NOCONVERTIRCONTENIDO
NOCONVERTIRTITULO NOCONVERTIRTÍTULO NOCT NOEDITARSECCION NOEDITARSECCIÓN NOEDITSECTION NOGALERIA
NOGALERÍA NOGALLERY NOINOT NOKENKISKAKI NOPIKTURAMA NOTAULA NOTC NOTDC NOTITLECONVERT NOTOC
NO_EDITAR_SECCIÓN NT NTC NÃOEDITARSEÇÃO OBSAH ONDERWARPEN PAGALERI PAKSADAFTARISI PAKSADASI
PAREDAKTIMPJESE PASCAPDEDEGALARIÁ PASCAPDESOMARI PASCAPDETDM PATP POGLAVJE PRIMORANISADRŽAJ
PRIMORANI_SADRŽAJ QALEREYAYOX QOÝMASIZ QSIZ RESUM RIKCHASUYUNNAQ SADRŽAJ SANSCC
SANSCONVERSIONCONTENU SANSCONVERSIONTITRE SANSCT SB SECCIONNONEDITABLA SECCIONOEDITABLE
SECCIÓNOEDITABLE SECCIÓNSNONEDITABLES SECTIONNONEDITABLE SEMCC SEMCONVERTERCONTEUDO
SEMCONVERTERCONTEÚDO SEMCONVERTERTITULO SEMCONVERTERTÍTULO SEMCT SEMEDITARSECAO SEMEDITARSEÇÃO
SEMGALERIA SEMSUMÁRIO SEMTDC SENBILDARO SENCDC SENCDT SENGALERIO SENGALERÍA SENREDAKTISEKCIOJN
SENREDAKTISEKCION SEN_CONVÈRSION_DE_CONTEGNU SEN_CONVÈRSION_DE_TITRO SENÍNDICE SERNAMEVURNAYIŞÇINO
SFORZAWERREJ SG SIN_GALERÍA SIN_TDC SIS SISDOALLU SISLUETTPAKOTUS SISUKORD SISUKORDEES SISUKORRATA
SISÄLLYSLUETTELO SOMARI SOMMAIRE SOMÈRO SPIS SRS SUMARIO SUMÁRIO SVÇ
SÈCCION_QUE_PÔT_PAS_ÉTRE_CHANGIÊ TAHRIRYOQ TANPADAFTARISI TANPAGALERI TANPAKONVERSIISI
TANPAKONVERSIJUDUL TANPASUNTINGANBAGIAN TAQIRIPATINTÜRLENDİRGİZBEW TARTALOMJEGYZÉK TARTIBLASHYOQ
TATJOQ TAULA TDC TDM TEREONYLAHATRA TJ TOC TP TRÂBLA TSYASIANAGALLERY TSYASIANALAHATRA TSYAZOOVAINA
TURINYS TVINGINNHOLDSFORTEGNELSE TİMARKERDIŞÇINO UKLJUČISADRŽAJ VSILIKAZALOVSEBINE VYNÚTIŤOBSAH
VŽDYOBSAH WERREJ WIESINHOLTVERTEKEN WYMUŚSPIS YUYARINA YUYARINANNAQ YUYARINATAATIPACHIY
ZERREVURNAYIŞÇINO ZESPISEM ZVÇ ÆНÆГАЛЕРЕЙ ÆНÆСÆР ÆНÆХАЙИВЫНÆЙ ÍNDICE İDY İÇERİKDÖNÜŞÜMÜYOK
İÇİNDEKİLER İÇİNDEKİLERYOK İÇİNDEKİLERZORUNLU ΜΕΠΙΝΑΚΑΠΕΡΙΕΧΟΜΕΝΩΝ ΜΕΠΠ ΠΙΝΑΚΑΣΠΕΡΙΕΧΟΜΕΝΩΝ ΠΠ
ΧΩΡΙΣΕΠΕΞΕΝΟΤ ΧΩΡΙΣΕΠΕΞΕΡΓΑΣΙΑΕΝΟΤΗΤΩΝ ΧΩΡΙΣΜΕΤΑΤΡΟΠΗΠΕΡΙΧΟΜΕΝΟΥ ΧΩΡΙΣΜΕΤΑΤΡΟΠΗΤΙΤΛΟΥ
ΧΩΡΙΣΠΙΝΑΚΑΠΕΡΙΕΧΟΜΕΝΩΝ ΧΩΡΙΣΠΙΝΑΚΟΘΗΚΗ ΧΩΡΙΣΠΠ ААБАУ ААТЫН_УЛАРЫППАККА АГӀО_ТА_ЦА_ЕШ АЛБАН_ЭГЕ
АТАУАЛМАСТЫРҒЫЗБАУ БАЦ_ЧУЛ БАЦ_ЧУЛАЦАМ БАШЛАСЫЗ БАШЛЫКЮК БЕ_ВИРОИШИ_ҶУЗЪӢ БЕ_НИГОРХОНА
БЕ_ТАҒЙИРИ_МАТН БЕ_ТАҒЙИРИ_САРЛАВҲА БЕ_ФЕҲРИСТ БЕЗ_ГАЛЕРЕЇ БЕЗ_ГАЛЕРЕИ БЕЗ_ГАЛЕРИЈЕ БЕЗ_ГАЛЕРЭІ
БЕЗ_ЗМІСТУ БЕЗ_ИЗМЈЕНА БЕЗ_ИЗМЕНА БЕЗ_ОГЛ БЕЗ_ОГЛАВЛЕНИЯ БЕЗ_ПЕРЕТВОРЕННЯ_ЗАГОЛОВКУ
БЕЗ_ПЕРЕТВОРЕННЯ_ТЕКСТУ БЕЗ_ПРЕОБРАЗОВАНИЯ_ЗАГОЛОВКА БЕЗ_ПРЕОБРАЗОВАНИЯ_ТЕКСТА БЕЗ_РЕДАГУВ_РОЗДІЛУ
БЕЗ_РЕДАКТИРАНЕ_НА_РАЗДЕЛИ БЕЗ_РЕДАКТИРОВАНИЯ_РАЗДЕЛА БЕЗ_РЭДАГАВАНЬНЯ_СЭКЦЫІ БЕЗ_САДРЖАЈА
БЕЗ_УРЕДУВАЊЕ_НА_ПОДНАСЛОВИ БЕЗГАЛЕРИЈА БЕЗГАЛЕРИЈЕ БЕЗГАЛЕРИЯ БЕЗИЗМЈЕНА БЕЗИЗМЕНА БЕЗКН БЕЗКС
БЕЗПРЕТВОРАЊЕНАСЛОВ БЕЗПРЕТВОРАЊЕСОДРЖИНА БЕЗСАДРЖАЈА БЕЗСОДРЖИНА БЕЗСЪДЪРЖАНИЕ БЕЗЦЦ БЛГ_ИҺН
БО_ФЕҲРИСТ БУЛГУЧЧУ_ИҺИНЭЭҔИЛЭЭХ БЯЗЬ_ЗЬМЕСТУ БҮЛЕКҮЗГӘРТҮЮК БӨЛІДІМӨНДЕМЕУ БӨЛІМӨНДЕТКІЗБЕУ
ГАЛЕРЕЯ_ЧОК ГАЛЕРЕЯТА_СУОХ ГАЛЛЕРЕЯСЫЗ ДОПЧУ ЗМІСТ ЗЬМЕСТ ЗЬМЕСТ_ПРЫМУСАМ ИҺИНЭЭҔИТЭ
ИҺИНЭЭҔИТЭ_СУОХ ИҺН ИҺН_СУОХ ЙАЦ_УЧЕ ЙОЗА_ХИЙЦАР_ДОЦУШ МАБАУ МАЗМҰНДАТҚЫЗУ МАЗМҰНСЫЗ МАЗМҰНЫ МАТЖОҚ
МАҒЛҰМАТАЛМАСТЫРҒЫЗБАУ МАҒЛҰМАТЫНТҮРЛЕНДІРГІЗБЕУ МЗМН МСЫЗ МҚЫЗУ НЕ_КАНВЭРТАВАЦЬ_НАЗВУ
НЕ_КАНВЭРТАВАЦЬ_ТЭКСТ ОБОВ_ЗМІСТ ОБЯЗ_ОГЛ ОБЯЗАТЕЛЬНОЕ_ОГЛАВЛЕНИЕ ОГЛ ОГЛАВЛЕНИЕ ПРИМОРАНИ_САДРЖАЈ
ПРИМОРАНИСАДРЖАЈ СÆРТÆ СÆРТИМÆ САДРЖАЈ САЛААНЫ_УЛАРЫППАККА СОДРЖИНА СОСОДРЖИНА СЪДЪРЖАНИЕ
СЪССЪДЪРЖАНИЕ ТLЕДУЬЛ_ЧУЛ ТLЕДУЬЛЛУ_ЧУЛАЦАМБАР ТАТЖОҚ ТАҚЫРЫПАТЫНТҮРЛЕНДІРГІЗБЕУ
ТИЭКИҺИН_УЛАРЫППАККА ФЕҲРИСТ ФОРСИРАЈСАДРЖАЈ ФОРСИРАНИ_САДРЖАЈ ФОРСИРАНИСАДРЖАЈ ХИЙЦАР_ДОЦУШ_КОЬРТЕ
ЧУЛ ЧУЛАЦАМ ЭГЕ_ЧОК ЭЧТЕЛЕК ҚОЙМАСЫЗ ҚСЫЗ ҮЛЕГ_ЭДИЛГЕЗИ_ЧОК ԱՌԱՆՑ_ԲԱԺՆԻ_ԽՄԲԱԳՐՄԱՆ ԱՌԱՆՑ_ԲՈՎ
ԱՌԱՆՑ_ՊԱՐՈՒՆԱԿՈՒԹՅԱՆ_ՓՈՓՈԽՄԱՆ ԱՌԱՆՑ_ՍՐԱՀԻ ԱՌԱՆՑ_ՎԵՐՆԱԳՐԻ_ՓՈՓՈԽՄԱՆ ԲՈՎ ՍՏԻՊԵԼ_ԲՈՎ אינהאלט חייב_תוכן
חייב_תוכן_עניינים ללא_גלריה ללא_המרת_כותרת ללא_המרת_תוכן ללא_עריכה ללא_תוכן ללא_תוכן_עניינים
נישט_רעדאקטירן קיין_אינהאלט_טאבעלע קיין_גאלעריע תוכן תוכן_עניינים بافهرست بافہرست بی‌بخش بی‌برخې
بی‌فهرست بی‌نندارتونه بی‌نيولک بی‌نگارخانه بی‌نگارخنه عنوان‌تبدیل‌نشده فهرس فهرست فہرست فہرست_نہیں
لاتحريرقسم لاتحويل_عنوان لاتحويل_محتوى لاتع لاتم لافهرس لامعرض لصق_فهرس محتواتبدیل‌نشده
من_غير_تحريرقسم من_غير_تحويل_محتوى من_غير_فهرس من_غير_معرض من_غيرتحويل_عنوان منتقلی_عنوان_نہیں
منتقلی_مواد_نہیں ناترمیم_قطعہ نافہرست نيوليک نيوليکداره نگارخانہ_نہیں अनुक्रम अनुक्रम_दिखाएँ
अनुक्रम_देखाउने अनुक्रमणिका अनुक्रमणिकानको अनुक्रमणिकाहवीच अनुक्रमणी अनुक्रमणी_दर्श्यताम्
अनुक्रमणीसचते अनुभाग_सम्पादन_छैन अनुभाग_सम्पादन_नहीं अनुभागसम्पादनं_नास्ति गैलरी_नहीं
चित्रदीर्घा_छैन न_लेखपरिवर्तनम् न_शीर्षकपरिवर्तितम् नैलेप नैवअनुक्रमणी नैवलेखपरिवर्त
नैवशिर्षकपरिवर्त नैवसंक्रमणका नैवसम्पादनविभाग नैवानुक्रमणी नैशिप प्रदर्शननको बिना_अनुक्रम
विनामजकुरबदल विनामब विनाशीब विनाशीर्षकबदल विभागअसंपादनक्षम विषय_सूची विषय_सूची_दिखाएँ
विषय_सूची_दिखायें विषय_सूची_देखाउने विषय_सूची_हीन विषयसूची विषयसूचीहीनः वीथिकाहीनः কোন_গ্যালারি_নয়
কোন_গ্যালারী_নয় কোন_বিষয়বস্তু_রূপান্তরকারী_নয় কোন_বিষয়বস্তুর_ছক_নয় কোন_বিষয়বস্তুর_টেবিল_নয়
কোন_শিরোনাম_রূপান্তরকারী_নয় কোন_সম্পাদনা_অনুচ্ছেদ_নয় কোনগ্যালারিনয় কোনগ্যালারীনয়
কোনবিষয়বস্তুরছকনয় কোনবিষয়বস্তুরটেবিলনয় কোনবিষয়বস্তুরূপান্তরকারীনয় কোনশিরোনামরূপান্তরকারীনয়
কোনসম্পাদনাঅনুচ্ছেদনয় বিষয়বস্তুর_ছক বিষয়বস্তুর_টেবিল বিষয়বস্তুরছক বিষয়বস্তুরটেবিল
ବଦଳା_ନହେବାଶ୍ରେଣୀ విషయసూచిక విషయసూచికవద్దు ഉള്ളടക്കം ഉള്ളടക്കംഇടുക ഉള്ളടക്കംമാറ്റേണ്ട ഉള്ളടക്കംവേണ്ട
ചിത്രസഞ്ചയംവേണ്ട തലക്കെട്ട്മാറ്റേണ്ട സംശോധിക്കേണ്ട ไม่มีสารบัญ ไม่มีแกลเลอรี่ ไม่มีแก้เฉพาะส่วน
កុំបង្ហាញមាតិកា គ្មានបញ្ជីអត្ថបទ គ្មានមាតិកា បង្ខំបញ្ជីអត្ថបទ បង្ខំមាតិកា បង្ខំអោយបង្ហាញមាតិកា
បញ្ជីអត្ថបទ ផ្នែកមិនត្រូវកែប្រែ មាតិកា មិនមានផ្នែកកែប្រែ លាក់បញ្ជីអត្ថបទ លាក់ផ្នែកកែប្រែ លាក់មាតិកា
លាក់វិចិត្រសាល ᲣᲒᲐᲚᲔᲠᲔᲝ ギャラリー非表示 セクション編集非表示 タイトルコンバート拒否
タイトル変換無効 タイトル非表示 不轉換內容 不轉換標題 不转换内容 不转换标题 内容変換抑制
内容変換無効 強制目錄 强显目录 无图库 无段落编辑 无目录 无编辑段落 無圖庫 無段落編輯 無目錄 目录
目次 目次強制 目次非表示 目錄 節編集非表示 갤러리숨김 내변안함 내변없음 내용변환안함 내용변환없음
단락편집숨김 목차 목차보임 목차숨김 목차표시 문단편집숨김 부분편집숨김 제목변환안함 제목변환없음
제변안함 제변없음 화랑숨김
"""
AS_WRITTEN = """
AMAUNANCHAYCHU ANCAMINARSTATICO ARCHIVEDTALK ARCHIWALNADYSKUSJA ARKIVERTDISKUSJON
ARKIVERT_DISKUSJON ARXİVLƏŞDİRİLMİŞMÜZAKİRƏ ASCUNDECAT AUCUNINDEX AUCUNLIENNOUVELLESECTION
BEZINDEKSA BEZINDEKSIRANJA BEZKAZALA BEZLINKAZANOVIODELJAK BEZLINKAZANOVIODJELJAK
BEZLINKUPŘIDATKOMENTÁŘ BEZNOVEVEZEODELJKA BEZNOVEVEZEODJELJKA BEZSADRZAJA BEZVEZEZANOVIODELJAK
BEZVEZEZANOVIODJELJAK BEZ_INDEKSA BEZ_NOVE_VEZE_ODELJKA BEZ_NOVE_VEZE_ODJELJKA BREZKAZALA CAPINDEX
CATAMAGADA CATCACHEE CATCUDD CATEGORIAOCULTA CATEGORÍAOCULTA CATOCULTA CATÈGORIE_CACHIÊ CHỈMỤC
CHỈ_MỤC CYSWLLTADRANNEWYDD DISAMBIG DISAMBIGUACION DOLDKAT DİZİN DİZİNYOK EBDAINDIĊI
EBDAĦOLQASEZZJONIĠDIDA ENDEKS ENDEKSYOK ENDÈXE ENLACECREARSECCIÓN EXPECTED_UNCONNECTED_PAGE
EXPECTUNUSEDCATEGORY EXPECTUNUSEDTEMPLATE EXPECTWITHOUTSCANS FARAINDEX FARALEGATURASECTIUNENOUA
GEENINDEKS GEENINDEX GEENNIEUWESECTIELINK GEENNIEUWKOPJEKOPPELING GEENNIEUWKOPJEVERWIJZING
GIENINDEX GIENNIEJKOPJENVERWIEZING GREYÉSERNAMEDÉNEWİ GREYÉSERNAMEDÉNEWİÇINO GØYMDKAT GİZLİKAT
GİZLİKATEGORİ HAKUKONEKIELTO HEBMENEGVA HIDDENCAT HOMONIMOS INDEKS INDEKSER INDEKSI INDEKSIGA
INDEKSIRAJ INDEKSIRANJE INDEKSITA INDEKSU INDEKSUJ INDEKSYOQ INDEX INDEXAR INDEXERA INDEXIEREN
INDEXOVAT INDICE INDICIZZARE INDIZIEREN INDIĊI INGENDISKUSJON INGENINDEKSERING INGENNYSEKSJONSLENKE
INTEINDEXERA JASIRINSANAT JAÑABÖLİMSİLTEMESİ KASXITAKATEGORIO KATEGORIAUKRYTA KATEGORIEFSHEHUR
KATEGORITERSEMBUNYI KATEGORİYANIMITİ KATMOĦBIJA KATSEM KAZALO KAŜITAKATEGORIO KEIN_INDEX
KEIN_NEUER_ABSCHNITTSLINK KEIN_PLUS_LINK KHÔNGCHỈMỤC KHÔNGLIÊNKẾTMỤCMỚI KHÔNG_CHỈ_MỤC
KHÔNG_LIÊN_KẾT_MỤC_MỚI KK KLASSKUDHYS LANS LEGATURASECTIUNENOUA LIENNOUVELLESECTION
LIGACAODENOVASECAO LIGAMSECCIONNOVÈLA LIGAZÓNDANOVASECCIÓN LIGAÇÃODENOVASEÇÃO LIGILOALNOVASEKCIO
LIM_DE_NOVÈLA_SÈCCION LINKDENOVASECAO LINKDENOVASEÇÃO LINKNOVESEKCIJE LINKNOVOGODLOMKA
LINKNOWEJSEKCJI LINKPŘIDATKOMENTÁŘ LINKZANOVIODELJAK LINKZANOVIODJELJAK LIÊNKẾTMỤCMỚI
LIÊN_KẾT_MỤC_MỚI LNS LØYNDKAT MENEGVA MÜZAKİRƏDEYİL NAKATAGONGKAT NAOINDEXAR NEINDEKSIRAJ NEINDEKSU
NEINDEXOVAT NEPOMIČNOPREUSMJERAVANJE NEUER_ABSCHNITTSLINK NEWSECTIONLINK NICHT_INDEXIEREN
NICHT_INDIZIEREN NIEDYSKUSJA NIEINDEKSUJ NIEJESEKSIEVERWIEZING NIEUWESECTIEKOPPELING
NIEUWESECTIELINK NINCSINDEX NINCSÚJSZAKASZHIV NINCSÚJSZAKASZLINK NION_ENDÈXE
NION_LIM_DE_NOVÈLA_SÈCCION NIRDEKS NIRPRABABA NIU NNSL NOGLOBAL NOINDEX NOINDEXAR NOINDICE
NONEWSECTIONLINK NONINDEXAR NONINDICIZZARE NOTALK NOVAVEZAODELJKA NOVAVEZAODJELJKA
NOVA_VEZA_ODELJKA NOVA_VEZA_ODJELJKA NOVINCULARANUEVASECCION NOVIODLOMAKPOVEZNICA NSL
NYSEKSJONSLENKE NYTTAVSNITTLÄNK NÃOINDEXAR PAKASQAKATIGURIYA PASCAPDELIGAMSECCIONNOVÈLA
PASCAPDINDÈX PEIDETUDKAT PEKER PENGALIHANSTATIK PENGALIHANSTATIS PERMANENTE_WEITERLEITUNG PETIK
PETIS PIILOLUOKKA PLUS_LINK POZIOMZABEZPIECZEŃ PRABABA PRANALABAGIANBARU REDIRECCIOESTATICA
REDIRECCIONESTATICA REDIRECCIÓESTATICA REDIRECCIÓNESTÁTICA REDIRECIONAMENTOESTATICO
REDIRECIONAMENTOESTÁTICO REDIRECTIONARESTATICA REDIRECTIONSTATIQUE REDIRÈCCION_IMOBILA REJTETTKAT
REJTETTKATEGÓRIA RIINDIRIZZSTATIKU SABİTYÖNLENDİRME SADRZAJ SAKRIVENAKAT SAKRIVENAKATEGORIJA
SEMLIGACAODENOVASECAO SEMLIGAÇÃODENOVASEÇÃO SEMLINKDENOVASECAO SEMLINKDENOVASEÇÃO
SENLIGILOALNOVASEKCIO SERSIQ SERSIQÇINYO SINENLACECREARSECCIÓN SKJULTKATEGORI SKRITAKATEGORIJA
SKRIVENAKAT SKRIVENAKATEGORIJA SKRYTÁKAT SKRYTÁKATEGÓRIA SKRÝTKAT SLANS SLNS
STAOTIESEDEURVERWIEZING STATICHETENAYIŞ STATICKÉPŘESMĚROVÁNÍ STATICNAPREUSMERITEV STATICREDIRECT
STATIKAALIDIREKTO STATIKUSÁTIRÁNYÍTÁS STATISCHEDOORVERWIJZING STATISCHEREDIRECT STATISKOMDIRIGERING
STATISTICNOPREUSMJERENJE STATISTOMDIRIGERING STATIČKOPREUSMERENJE STATIČKOPREUSMJERENJE
STATIČNOPREUSMERENJE STATIČNOPREUSMJERENJE STATİKHETENAYIŞ STATİKYÖNLENDİRME TANPAINDEKS
TANPAPRANALABAGIANBARU THỂLOẠIẨN THỂ_LOẠI_ẨN TIYAQLLAPUSAPUNA UNANCHAY UUEALAOSALINGITA
UUEALAOSALINK VERBORGENCAT VERBÖRGENKAT VERSHTOCHE_SAACHJRUPP VERSTECKTE_KATEGORIE
VERSTOPPT_KATEGORIE VEZAZANOVIODELJAK VEZAZANOVIODJELJAK VINCULARANUEVASECCION WARTUNGSKATEGORIE
YASHIRINTURKUM YENİBAŞLIKBAĞLANTISI YENİBAŞLIKBAĞLANTISIYOK ÁLLANDÓÁTIRÁNYÍTÁS ÚJSZAKASZHIV
ÚJSZAKASZLINK ĐỊNHHƯỚNG ĐỔIHƯỚNGNHẤTĐỊNH ĐỔI_HƯỚNG_NHẤT_ĐỊNH ĦOLQASEZZJONIĠDIDA ΔΕΣΜΟΣΝΕΑΣΕΝΟΤΗΤΑΣ
ΕΥΡΕΤΗΡΙΟ ΚΡΥΦΗΚΑΤΗΓΟΡΙΑ ΣΤΑΤΙΚΗΑΝΑΚΑΤΕΥΘΥΝΣΗ ΧΩΡΙΣΕΥΡΕΤΗΡΙΟ ІНДЕКС АИНДЕКС АМГЫ_АЙ_1 АМГЫ_АЙ_2
АҢГЫЛАЛ_АРЫННАРЫ БЕ_ИНДЕКС БЕ_ПАЙВАНД_БА_ҚИСМАТИ_НАВ БЕЗ_ІНДЕКСУ БЕЗ_ИНДЕКСА БЕЗ_НОВЕ_ВЕЗЕ_ОДЈЕЉКА
БЕЗ_НОВЕ_ВЕЗЕ_ОДЕЉКА БЕЗ_ПОСИЛАННЯ_НА_НОВИЙ_РОЗДІЛ БЕЗ_ССЫЛКИ_НА_НОВЫЙ_РАЗДЕЛ БЕЗВЕЗЕЗАНОВИОДЈЕЉАК
БЕЗВЕЗЕЗАНОВИОДЕЉАК БЕЗВРСКАНОВПОДНАСЛОВ БЕЗИНДЕКС БЕЗИНДЕКСА БЕЗИНДЕКСИРАЊА БЕЗИНДЕКСИРАНЕ
БЕЗЛИНКАЗАНОВИОДЈЕЉАК БЕЗЛИНКАЗАНОВИОДЕЉАК БЕЗНОВЕВЕЗЕОДЈЕЉКА БЕЗНОВЕВЕЗЕОДЕЉКА ВЕЗАЗАНОВИОДЈЕЉАК
ВЕЗАЗАНОВИОДЕЉАК ВРСКАНОВПОДНАСЛОВ ВРЪЗКА_ЗА_НОВ_РАЗДЕЛ ГУРӮҲИ_ПИНҲОН ЖАСЫРЫНСАНАТ
ЖАҢАБӨЛІМСІЛТЕМЕСІ ИНДЕКС ИНДЕКСИРАЈ ИНДЕКСИРАЊЕ ИНДЕКСИРАНЕ ИНДЕКССЫЗ ИНДЕКСТЭЭМЭ
ЙОЦАШ_ХЬАЖОРГ_ОЦ_КЕРЛАЧУ_ДЕКЪАН КИСТЭММИТ_КАТЕГОРИЯ КЪАЙЛАХА_ЙОЛУ_КАТЕГОРИ ЛИНКЗАНОВИОДЈЕЉАК
ЛИНКЗАНОВИОДЕЉАК МЕТТИГТЕРАХЬ МЕТТИГТЕРАХЬ_ЙОЦАШ НЕИНДЕКСИРАЈ НОВА_ВЕЗА_ОДЈЕЉКА НОВА_ВЕЗА_ОДЕЉКА
НОВАВЕЗАОДЈЕЉКА НОВАВЕЗАОДЕЉКА ПАЙВАНД_БА_ҚИСМАТИ_НАВ ПОСИЛАННЯ_НА_НОВИЙ_РОЗДІЛ ПРИХОВ_КАТ
ПРИХОВАНА_КАТЕГОРІЯ РАВОНАИ_СТАТИСТИКӢ САКРИВЕНАКАТ САКРИВЕНАКАТЕГОРИЈА САҤА_САЛААҔА_СИГЭ
САҤА_САЛААҔА_СИГЭТЭ_СУОХ СКРИВЕНАКАТ СКРИВЕНАКАТЕГОРИЈА СКРИЕНАКАТ СКРИЕНАКАТЕГОРИЈА
СКРИТАКАТЕГОРИЯ СКРЫТАЯ_КАТЕГОРИЯ СПАСЫЛКА_НА_НОВУЮ_СЭКЦЫЮ ССЫЛКА_НА_НОВЫЙ_РАЗДЕЛ
СТАТИСТИКИН_ДӀАСХЬАЖОРГ СТАТИЧЕСКОЕ_ПЕРЕНАПРАВЛЕНИЕ СТАТИЧКОПРЕУСМЈЕРЕЊЕ СТАТИЧКОПРЕУСМЕРЕЊЕ
СТАТИЧНЕ_ПЕРЕНАПРАВЛЕННЯ СТАТИЧНОПРЕНАСОЧУВАЊЕ СТАТИЧНОПРЕУСМЈЕРЕЊЕ СТАТИЧНОПРЕУСМЕРЕЊЕ
СТАТЫЧНАЕ_ПЕРАНАКІРАВАНЬНЕ СХАВАЦЬ_КАТЭГОРЫЮ ХАЛБАҤНААБАТ_УТААРЫЫ ХЬАЖОРГ_ОЦ_КЕРЛАЧУ_ДЕКЪАН
ЧАЖЫТ_АҢГЫЛАЛ ՀՂՈՒՄ_ՆՈՐ_ԲԱԺՆԻ_ՎՐԱ באהאלטענע_קאט באהאלטענע_קאטעגאריע הפניה_קבועה יצירת_הערה
לא_לחיפוש לחיפוש ללא_יצירת_הערה פירושונים קטגוריה_מוסתרת اتوقع_تصنيف_مش_مستخدم اتوقع_قالب_مش_مستخدم
اشاریہ اشاریہ_نہیں بخش‌جدید بی‌نمایه بی‌پیوندبخش بی‌پیوند‌بخش‌جدید بې_ليکلړ تحويلة_إستاتيكية
تحويلة_ساكنة تحويله_إستاتيكيه تحويله_ساكنه تصنيف_مخفي تغییرمسیرثابت توقع_تصنيف_غير_مستخدم
توقع_قالب_غير_مستخدم ربط_نیا_قطعہ ربط_نیا_قطعہ_نہیں رده‌پنهان ساکن_رجوع_مکرر فهرسة لا_وصلة_قسم_جديد
لافهرسة ليکلړ من_غير_وصلة_قسم_جديد نمایه وصلة_قسم_جديد پوشیدہ_زمرہ پټه_وېشنيزه अननुक्रमणी
अनित्यपुनर्निदेशन अनित्यपुनर्निर्देशनम् अनुक्रमीत अविचलपुर्ननिर्देश असूचीबद्ध क्रमीत छिपी_श्रेणी
छुपी_श्रेणी नयाँ_खण्ड_कडी नवविभागदुवा नवीनविभागपरिसन्धिः निगूहितवर्गः नूतनविभागसम्बद्धं
नैवअनुक्रमणिका लुकाइएको_श्रेणी लुप्तवर्ग वर्गलपवा विनाअनुक्रमीत विनाक्रमीत विनानवविभागदुवा
विषय_जोड़े_कड़ी_रहित विषय_जोड़ें_कड़ी विषय_जोड्ने_कडी_रहित सूचीबद्ध स्थिर_अनुप्रेषण
स्थिर_पुनर्प्रेषण আলাপ_পাতার_সংগ্ৰহশালা কোন_আলোচনা_নয় কোন_নতুন_অনুচ্ছেদের_লিঙ্ক_নয়
কোন_নতুন_অনুচ্ছেদের_সংযোগ_নয় কোন_নির্ঘণ্ট_নয় কোননতুনঅনুচ্ছেদেরলিঙ্কনয় কোননতুনঅনুচ্ছেদেরসংযোগনয়
কোননির্ঘণ্টনয় গোপন_শ্ৰেণী নতুন_অনুচ্ছেদের_লিঙ্ক নতুন_অনুচ্ছেদের_সংযোগ নতুনঅনুচ্ছেদেরলিঙ্ক
নতুনঅনুচ্ছেদেরসংযোগ নির্ঘণ্ট নির্ঘণ্টনয় প্রত্যাশিত_অসংযুক্ত_পাতা লুকানো_বিষয়শ্রেণী
লুকানোবিষয়শ্রেণী লুকায়িতবিষয়শ্রেণী লুক্কায়িত_বিষয়শ্রেণী লুক্কায়িতবিষয়শ্রেণী সূচী
স্থির_পুনর্নির্দেশ স্থিরপুনর্নির্দেশ ନୂଆ_ବିଭାଗ_ନକରିବା_ଲିଙ୍କ ନୂଆବିଭାଗଲିଙ୍କ ଲୁଚିଥିବାବିଭାଗ
പുതിയഖണ്ഡിക്കണ്ണി പുതിയഖണ്ഡിക്കണ്ണിവേണ്ട പുതിയവിഭാഗംകണ്ണി പുതിയവിഭാഗംകണ്ണിവേണ്ട മറഞ്ഞിരിക്കുംവർഗ്ഗം
സൂചിക സൂചികവേണ്ട സ്ഥിരസ്ഥിതതിരിച്ചുവിടൽ ចំណាត់ថ្នាក់ក្រុមមិនបានបង្ហាញ តំណភ្ជាប់ផ្នែកថ្មី
តំនភ្ជាប់ផ្នែកថ្មី មិនមានលិបិក្រម លិបិក្រម ស្ថិតិទំព័របញ្ជូនបន្ត インデックス インデックス拒否
カテゴリ非表示 カテ非表示 二重転送修正無効 二重転送解消無効 已存档讨论 新しいセクションリンク
新しいセクションリンク非表示 新しい節リンク 新しい節リンク非表示 新セクションリンク
新セクションリンク非表示 新段落链接 无新段落链接 无索引 消除歧义 禁用全域用户页 禁用讨论 索引
隐藏分类 隠しカテゴリ 隱藏分類 静态重定向 静的転送 靜態重新導向 非表示カテ 넘겨주기고정 새글쓰기
새글쓰기숨기기 새문단쓰기 새문단쓰기숨기기 색인 색인거부 색인안함 숨은분류
"""
NAMES_IN_ANY_CASE = frozenset(ANY_CASE.split())
NAMES = NAMES_IN_ANY_CASE | frozenset(AS_WRITTEN.split())
LONGEST = max(map(len, NAMES))


def without_switches(text: str) -> str:
    """Drop the switches of a page, also within words, as MediaWiki does."""
    parts = text.split("__")
    done = [parts[0]]
    number = 1
    while number < len(parts):
        is_closed = number + 1 < len(parts)
        if is_closed and _is_name(parts[number]):
            done.append(parts[number + 1])
            number += 2
        else:
            done.append(f"__{parts[number]}")
            number += 1
    return "".join(done)


def _is_name(text: str) -> bool:
    return len(text) <= LONGEST and (text in NAMES or text.upper() in NAMES_IN_ANY_CASE)
