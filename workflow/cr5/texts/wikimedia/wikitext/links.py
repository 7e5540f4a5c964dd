"""Links within the wiki, to other wikis and to the web; images become their captions.

A link's prefix may mean a file, a category or another language. The site's names come from the head
of the dump, which lacks their aliases. Aliases, and the options of images, are one set for all
languages, as the English words are valid everywhere and wikis copy from each other: those of
languages/messages/Messages*.php of MediaWiki 1.39, lower-cased (NS_FILE, NS_CATEGORY and their
aliases; img_*, with `_` for a space).
"""

import re
from collections.abc import Iterator, Mapping

from cr5.base.languages import THREE_LETTERS
from cr5.texts.wikimedia.wikitext.tags import ATTRIBUTES, BREAK, resolve

FILE = 6  # the number of a namespace, as the next
CATEGORY = 14
FILES = """
file image afbeelding arquivo beeld bild bilde billede datoteka figura fişier gambar grafika hình
imagem imagen imagine imago imatge imaxe imej immagine irudi kuva kép obrázok pilt resim slika
şəkil εικόνα выява зображення изображение картинка слика תמונה تصویر صورة ملف ఫైలు బొమ్మ ภาพ
სურათი រូបភាព 图像 图片 圖像 圖片 文件 档案 檔案 画像 그림
"""
CATEGORIES = """
category kategori kategorija kaurian rang категория ចំណាត់ក្រុម ចំនាត់ថ្នាក់ក្រុម 分类 分類
"""
KNOWN = dict.fromkeys(FILES.split(), FILE) | dict.fromkeys(CATEGORIES.split(), CATEGORY)
# Prefixes of links to the same article in another language, or how they begin (zh-min-nan), beside
# the codes of two letters of `base.languages`: those of languages/data/Names.php, and such as were
# once in use. Always lower case.
OTHER_CODES = """
aae abs ace acf acm ady aeb aln als alt ami ang ann anp apc arc arn arq ary arz ase ast atj avk awa
azb ban bar bat bbc bcc bci bcl bdr bew bgc bgn bh bho bjn blk bpy bqi brh btm bto bug bxr cbk ccp
cdo ceb chn cho chr chy ckb cps cpx crh csb cz dag dga din diq dk dsb dtp dty efi egl eml ext fat
fit fiu fon frc frp frr fur gaa gag gan gcf gcr gld glk gom gor got gpe grc gsw guc gur guw hak haw
hif hil hno hrx hsb hsn hyw iba ibb igl ike ilo inh isv iw jam jbo jp jut kaa kab kai kbd kbp kcg
kea kge khw kiu kjh kjp koi krc kri krj krl ksh ksw kum kus lad lbe lez lfn lij liv lki lld lmo loz
lrc ltg lus luz lzh lzz mad mag mai map mdf mhr min mnc mni mnw mo mos mrh mrj mui mus mwl myv mzn
nah nan nap nds new nia nit niu nmz nod nog nov nqo nrm nso nup nyn nyo nys ojb olo pag pam pap pcd
pcm pdc pdt pfl pih pms pnb pnt prg pwn qug rgn rif rki rmc rmy roa rsk rue rup ruq rut ryu sah sat
scn sco sdc sdh sei ses sgs shi shn shy simple sjd sje skr sli sma smn sms srn sro stq sty syl szl
szy tay tcy tdd tet tlh tly tok tpi tru trv ttj tum tyv tzm udm vec vep vls vmf vmw vot vro wal war
wls wuu xal xmf xsy yrl yue zea zgh
"""
LANGUAGES = frozenset([*THREE_LETTERS, *OTHER_CODES.split()])
LANGUAGE = re.compile(r"([a-z]{2,6})(?:-[a-z]{2,8})*", re.ASCII)

# Possessive quantifiers: no backtracking.
# A link without others in it, whose prefix means nothing; what it shows is the group.
PLAIN = re.compile(r"\[\[(?<!\[\[\[)(?:[^\[\]|:\n]*+\|)?([^\[\]|:\s][^\[\]|:\n]*+)\]\]")
BRACKETED = re.compile(
    r"\[(?:[A-Za-z]{3,9}+:)?(?://|(?<=mailto:))[^\s\[\]<>\"]*+(?:[^\S\n]*+([^\[\]\n]*+)\])?"
)
URL = re.compile(
    r"(?:https?|ftps?|ircs?|news|nntp|svn|git|ssh)://[^\s\[\]<>\"|{}]*+", re.IGNORECASE
)
WORDS = """
abaixo abajo acima ai al alaindeksi alapvonal alas alhaalla alsóindex alt altdekstre alte
alternatif alternative alternativtext altçizgi arriba arribaádereita asnjë atas atas-teks atek baix
baix-text bal balra bas bas-texte bas-txt base baseline baslinje batas batek bawah bawah-teks bawd
bağlantı beneden bez bez_okvira bez_rama bez_ramki bezokvira bezrama bezramki bezrámu bhs bing
bingkai bo borda borde border bordo bordure botten bottom boven brak brez brezokvirja brig bunn
bélyeg bélyegkép cadre cadru canol cap centar center centra centrada centrado centrar centre
centrerad centro centru centruj centré chenar chwith chân-chữ chỉ-số-dưới chỉ-số-trên clase class
classe clé comborda commoldura conbordo conmarco dalt dalt-text dcha de deas dekstra dekstre der
derecha dereita desno destra dešinėje dikey dim direita djathtas dno dno-besedila dreapta
dreaptasus dreta droite dugme duimnael dół dưới dưới-chữ efst eks encadre encadré enframed engin
enkadrita enkadrite enlace enllaç enmarcada enmarcado erdian eskuinera esquerda esquerra eta
ewin_bawd exp exponent exposant ezkerrera faic faqja faracadru felsőindex fenn fennjobbra fent fi
frame framed frameless fráma frámaithe fund gada garis_dasar gauche gecentreerd geen gerahmt giữa
godre granica grondlijn grundlinie grunnlinje gwaelod góra hal halaman haut haut-texte haut-txt
hoch hochgestellt hochkant hægri höger høgre høyre i_kornizuar idioma incorniciato ind indice ingen
ingenramme inramad is ivica izda izq izquierda jazyk jempol jezik jmpl jobb jobbra jos ka kaderloos
kadra kadrigita kadrigite kadrita kadrite kadro kairėje kanan kantlinje keel kehyksetön kehys
kehystetty keret keretben keretes keretezett keretnélküli kerettel keskel keskellä keski keskitetty
khung không không_khung ki kiri klaso klasse koppeling kornizë kufi közép középre küçük küçükresim
lang langue lartdjathtas left legătură lehekülg lenke lenkje lenn lent levo lewo lidhja lidhje lien
ligazón ligação ligilo ligne-de-base lijevo linhadebase linia_de_bază linjabazë link linkki links
liên_kết liñadebase llengua lurus lár länk línia_de_base lớp majtas malalte maldekstra maldekstre
malsube malsupre marc marco mały medio meio merkez mes metin-taban metin-tavan metin-tepe metà meza
meze middel midden middle midt midtstilt mijloc milieu min mini miniatiūra miniatur miniatura
miniaturadaimagem miniaturadaimaxe miniaturadeimagen miniatuur miniatyr miniatűr minijatura mion
mionsamhail mitjà mitte mitten miðja mân-lun na_gore nad nada nadpisano natpis neant ned nenhum
nenio neniu nessuno neðst ngôn_ngữ nhỏ ninguna ninguno ningún nir nirbing ništa no non_encadre
non_encadré none nu náhled náhľad náhľadobrázka néant nën nửa-chiều-cao oben obroba obrub odjeljak
odkaz ohne oikea okraj okvir okvirjeno oldal omkaderd omraam onder originale orta osnova
osnovnacrta pa_kornizë page pagina pagxo pamje parapamje paremal paĝo pedice perustaso phải pienois
pienoiskuva pisi pisipilt pocetna_linija pod podpisano pola portrett potpis poveznica
početna_linija pra pranala prawo pus pusat pysty pàgina página páxina püsti qendrore qendër raam
raamita raamloos rahmenlos ram ramka ramlös ramma ramme rammelaus rammeløs rand rechtop rechts
redresse redreçat regs reunus right riquadrato rám s'ka sans_cadre sayfa sağ seite semborda semmi
semmoldura senbordo senkadra senmarco sense_marc senter sentrer sentrum senza_cornice sida side
sin_enmarcar sinenmarcar sinistra sinmarco sivu skakel sličica sol sopra sotto sprache språk
sredina sredina_teksta sredinateksta sredinsko središte stanga stran strana stranica stred strona
stående střed sub suba-teksto sube sup super superiordireito supre sus szöveg-fenn szöveg-fent
szöveg-lenn szöveg-lent sınıf sınır taal taban tabançizgisi tanpa tanpabingkai tavan tegak teks-bo
teks-onder tekst-alte tekst-beneden tekst-boven tekst-bunn tekst-dno tekst-dugme tekst-fund
tekst-majë tekst-top tekst-vrh tekst_vrh tengah tepe tepi testo-sopra testo-sotto text-botten
text-bottom text-jos text-oben text-sus text-top text-topp text-unten texti-neðst texto-abaixo
texto-arriba thay_thế thumb thumbnail thế tiada tief tiefgestellt tiếng top topp trang trái trên
trên-chữ tudalen tyhjä tühi tło třída umanjeno undir unionsyth unten upa upp upright uspravno uwch
vasakul vasen venstre verticale vertikale verweis verwijzing veza vignette vinculo vinstri viền
vközépen vközépre vlevo vora vpravo vrh vrh-besedila vrh_teksta vrhteksta vänster vínculo vľavo
yfir ylhäällä yläindeksi yläoikea ylös yok zentriert zgorajdesno ääris çerçeve çerçeveli çerçevesiz
üs üst þumall đứng środek žiadny žádné άνω αριστερά γραμμήβάσης δείκτης δεξιά εκθέτης εναλλ. κάτω
κάτω-από-το-κείμενο κέντρο καθόλου κατακόρυφα μέσο με-πλαίσιο μικρογραφία μινιατούρα
πάνω-από-το-κείμενο πλαίσιο σελίδα σύνδεσμος χωρίς-πλαίσιο алт альт без без_оквира без_рама
безоквира безрама безрамка безрамки безрамкі вдясно веза вляво ворамка врамка врв врска врх
врх_текста врхтекста гор горениндекс граница границя граничник десно дно дол долениндекс дясно
зверху зверхуправоруч злева знизу ивица исправено класа контур лево ляво ліворуч межа мини
мини-слика миниатюра міні мініатюра мініяцюра над најгоре најдолу нема няма обрамити обрамить
оивичено оквир основа основание основналинија под посередине посередині посилання праворуч під рам
рамка ръб сверху сверхусправа слева снизу справа средина средина_текста срединатекста ссылка
сторінка страна страница супер текст-врв текст-дно текст-зверху текст-знизу текст-најгоре
текст-најдолу текст-сверху текст-снизу умањено усправно центар центр център цэнтр јаз աջից առանց
էջը կենտրոն ձախից մինի շրջափակել באמצע בראש_הטקסט בתחתית_הטקסט גבול גבולות דף טקסט ימין ימין_למעלה
לא_ממוסגר ללא ללא_מסגרת למטה למעלה ממוזער ממוסגר מסגרת מרכז עילי קישור שורת_הבסיס שמאל תחתי أسفل
أعلى إطار انگشتدان انگشتی ایستاده ایستادہ بإطار بائیں بالا بدون بدون_چوکھٹا بديل بغیر بلا بندانگشتی
بی_قاب بیقاب بی‌قاب تصغير تصغیر جایگزین حاشیه حدود خط_أساسي خط_اساسی دائیں درجہ درمیان رابط راست
ربط رتبة زبان زبر زیر زیریں سب سوبر صفحة صفحه صفحہ فرعي قاب لاإطار لغة لنک متبادل متن-بالا
متن-زیریں متن-پایین مركز مصغر معدول میانه نص_أسفل نص_أعلى همکف هیچ وسط وصلة يسار يمين پایین پیوند
چوکھٹا چپ کلاس अंगूठा अंगूठाकार आधार_रेखा कड़ी किनारा केंद्र केंद्रित केन्द्र केन्द्रित कोई_नहीं
खड़ी तल दाएँ दाएं दायें पद पाठ पाठ-तल पाठ-शीर्ष पृष्ठ फ़्रेम फ़्रेमहीन फ्रेम फ्रेमहीन बाएँ बाएं
बायें बॉर्डर भाषा मध्य मूर्ध वर्ग शीर्ष উপর উপরে কিছুই_না কিছুইনা কেন্দ্র কেন্দ্রে কোনটি_না কোনটিনা
ক্লাস ডান ডানদিকে_উপরে ডানে ডানে_উপরে ডানেউপরে তলদেশ থাম্ব থাম্বনেইল নিচ নিচে নিম্নে নীচ নীচে
পাঠ্য-উপর পাঠ্য-উপরে পাঠ্য-নীচে পাতা পৃষ্ঠা ফ্রেম ফ্রেমবিহীন ফ্রেমসহ ফ্রেমহীন বাম বামে ভাষা মধ্য
মধ্যে লিঙ্ক লেখা-উপর লেখা-উপরে লেখা-নীচ শীর্ষ শীর্ষে সংযোগ সীমানা সীমান্ত இடது ஒன்றுமில்லை கீழ்
மத்தியில் மேல் மையம் வலது ఎడమ కుడి ალტ არა ბმული გვერდი ზედა მარცხნივ მარჯვნივ მინი მინიასლი
მინიატიურა საზღვარი ქვედა შუა ცენტრი ცენტრში ცეროდენა កណ្តាល ខាងធ្វេង ខាងស្តាំ គ្មាន គ្មានស៊ុម
ឃ្លានៅផ្នែកខាងលើ ឃ្លានៅផ្នែកបាត ឃ្លាផ្នែកខាងលើ ឃ្លាផ្នែកបាត តំណភ្ជាប់ តំនភ្ជាប់ ទទេ ទំព័រ ធ្វេង បាត
ផ្នែកកណ្តាល ផ្នែកខាងលើ ផ្នែកបាត ផ្នែកលើ រូបតូច រូបភាពតូច ស៊ុម ស្តាំ なし サムネイル フレーム
フレームなし ベースライン ページ ボーダー リンク 上付き 上標 上端 下付き 下標 下端 下線 中央 中心
中间 代替文 代替画像 右上 垂直置中 垂直置底 垂直置頂 基线 境界 居中 底部 文上端 文下端 文字底部
文字置底 文字置頂 文字顶部 无框 替代 替代文字 替代文本 有框 無し 無框 縮圖 缩略图 置中 語言 语言
边框 連結 邊框 链接 類別 页数 顶部 가운데 글자아래 글자위 대체글 링크 문서 밑줄 섬네일 썸네일 아래
아래첨자 언어 없음 오른쪽 왼쪽 위오른쪽 위첨자 중간 축소판 클래스 테두리 텍스트아래 텍스트위 프레임
프레임없음
"""
OPTIONS = frozenset(WORDS.split())
SIZE = re.compile(r"[0-9]*+x?[0-9]*+ ?px(?:px)?|[0-9]++x[0-9]++")

# Several images, or one with links on it, between tags of their own.
IMAGES = re.compile(rf"<(gallery|imagemap)(?=[\s/>])({ATTRIBUTES})>", re.IGNORECASE)
IMAGES_END = {
    "gallery": re.compile(r"</gallery\s*+>", re.IGNORECASE),
    "imagemap": re.compile(r"</imagemap\s*+>", re.IGNORECASE),
}
CAPTION = re.compile(r"""\bcaption\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)


Namespaces = Mapping[str, int]
"""Numbers by name or alias, lower-cased, with spaces between words."""


def namespaces_of(of_dump: Mapping[str, int]) -> Namespaces:
    """Merge the names in a dump, which take precedence, with those known of all languages."""
    return KNOWN | {_normal(name): number for name, number in of_dump.items() if name}


def resolved(text: str, namespaces: Namespaces) -> str:
    """Replace links by what they show; plain ones, at any depth, without a call for each."""
    text = "".join(PLAIN.split(text))
    return resolve(text, "[[", "]]", lambda pieces: internal("".join(pieces), namespaces))


def internal(content: str, namespaces: Namespaces) -> str:
    """Return what a link shows: its label, else its target.

    Categories and links to the same article in another language show nothing; a leading colon
    makes both ordinary links.
    """
    target, bar, label = content.partition("|")
    prefix, colon, page = target.partition(":")
    if colon and prefix.strip():
        number = namespaces.get(_normal(prefix))
        if number == FILE:
            return f"{BREAK}{caption(label.split('|'))}{BREAK}"
        if number == CATEGORY or _is_language(prefix.strip()):
            return ""
    elif colon:
        target = page
    if bar and label.strip():
        return label
    return target


def without_urls(text: str) -> str:
    """Keep the labels of links to the web, and drop their addresses."""
    if "[" in text:
        text = BRACKETED.sub(lambda match: match[1] or "", text)
    if "://" in text:  # few are left here
        text = URL.sub("", text)
    return text


def caption(options: list[str]) -> str:
    """Return the last part of a file link that is not an option; empty if there is none."""
    for part in reversed(options):
        text = part.strip()
        if text and not _is_option(text.lower()):
            return text
    return ""


def captions(text: str) -> str:
    """Replace galleries and image maps by their captions, a line each.

    Links must already be resolved, as their bars would look like those of options. What is unclosed
    stays.
    """
    done = []
    at = 0
    for opening in IMAGES.finditer(text):
        if opening.start() < at:
            continue
        kind, attributes = opening.groups()
        end = IMAGES_END[kind.lower()].search(text, opening.end())
        if end is None:
            break
        done.append(text[at : opening.start()])
        of_kind = _of_gallery if kind.lower() == "gallery" else _of_map
        for words in of_kind(attributes, text[opening.end() : end.start()].split("\n")):
            done.append(BREAK + words)
        done.append(BREAK)
        at = end.end()
    done.append(text[at:])
    return "".join(done)


def _of_gallery(attributes: str, lines: list[str]) -> Iterator[str]:
    """Yield the caption of a gallery, and of each of its images; bare words are no options here."""
    of_all = CAPTION.search(attributes)
    if of_all:
        yield of_all[1] or of_all[2] or of_all[3] or ""
    for line in lines:
        for part in reversed(line.split("|")[1:]):
            words = part.strip()
            if words and not ("=" in words and _is_option(words.lower())):
                yield words
                break


def _of_map(_: str, lines: list[str]) -> Iterator[str]:
    """Yield the caption of an image map; its other lines say where links are."""
    for line in lines:
        if line.strip() and not line.startswith("#"):
            yield caption(line.split("|")[1:])
            return


def _is_option(text: str) -> bool:
    name = text.partition("=")[0].strip()  # of `alt=` and others
    return name.replace(" ", "_") in OPTIONS or SIZE.fullmatch(text) is not None


def _is_language(prefix: str) -> bool:
    code = LANGUAGE.fullmatch(prefix)
    return code is not None and code[1] in LANGUAGES


def _normal(name: str) -> str:
    return name.replace("_", " ").strip().lower()
