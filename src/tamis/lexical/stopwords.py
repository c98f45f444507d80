"""Function words by language: left out of queries, and a sign of a text's language.

Documents keep theirs, so a query of nothing else still finds its words. The English list has no words that carry meaning in
technical text, such as ``each``, ``all``, ``same``, ``up``, ``over``, ``without``; the other lists are short, question
words first of all, because questions are what makes function words weigh.
"""

from __future__ import annotations

import functools

_WORDS = {
    "english": """
        a an the this that these those such some any
        i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
        herself it its itself they them their theirs themselves
        what which who whom whose when where why how whatever there here
        am is are was were be been being do does did doing done have has had having can could will would shall should may
        might must cannot
        of in on at by for with to from about into than as
        and but or nor so if because while until whether though although unless then
        not no only also very just too more most other again ever
        s t re ve ll d m don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn""",
    "german": """
        der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass daß ob wenn als wie
        ich du er sie es wir ihr mich mir dich dir ihn ihm uns euch sich mein dein sein seine seinen seiner ihre ihren ihrer unser
        ist sind war waren bin bist wird werden wurde wurden worden hat haben hatte hatten kann können konnte soll sollte muss
        wer wen wem wessen was wann wo woher wohin warum wieso weshalb welche welcher welches welchen welchem
        in im an am auf aus bei mit nach von vom vor zu zum zur für über unter um durch gegen bis
        nicht kein keine keinen auch nur noch schon sehr dann da hier dort so man""",
    "french": """
        le la les l un une des du de d et ou mais donc car ni que qu qui quoi dont où quand comment pourquoi combien quel
        quelle quels quelles lequel laquelle si
        je j tu il elle on nous vous ils elles me m te t se s lui leur leurs y en ce c cet cette ces mon ma mes ton ta tes son
        sa ses notre nos votre vos
        est sont était étaient être été suis es sommes êtes a ont avait avaient avoir eu fut furent peut peuvent doit fait
        à au aux dans par pour sur avec sans sous chez vers entre
        ne n pas plus aussi très n'est qu'est c'est d'un d'une est-ce""",
    "spanish": """
        el la los las lo un una unos unas y e o u pero sino porque que qué quien quién quienes quiénes cual cuál cuales cuáles
        cuando cuándo donde dónde como cómo cuanto cuánto cuanta cuánta cuantos cuántos cuantas cuántas si
        yo tú él ella ello nosotros ellos ellas usted ustedes me te se le les nos mi mis tu tus su sus este esta esto estos
        estas ese esa eso esos esas
        es son era eran ser sido fue fueron está están estaba estaban ha han había habían haber hay puede pueden debe
        de del a al en por para con sin sobre entre hasta desde
        no ni más muy también ya""",
    "italian": """
        il lo la i gli le l un uno una e ed o ma perché che chi cui quale quali quando dove come quanto quanta quanti quante se
        cosa
        io tu lui lei noi voi loro mi ti si ci vi ne suo sua suoi sue mio mia tuo tua nostro vostro questo questa questi
        queste quello quella quelli quelle
        è sono era erano essere stato stata stati state ha hanno aveva avevano avere fu furono può possono deve
        di del dello della dei degli delle d a al allo alla ai agli alle da dal dalla dai in nel nello nella nei nelle con su
        sul sulla per tra fra
        non più anche molto già dell all nell sull dall""",
    "portuguese": """
        o a os as um uma uns umas e ou mas porque que quê quem qual quais quando onde como quanto quanta quantos quantas se
        eu tu ele ela nós eles elas você vocês me te lhe lhes nos seu sua seus suas meu minha este esta isto estes estas esse
        essa isso esses essas aquele aquela
        é são era eram ser sido foi foram está estão estava estavam tem têm tinha tinham ter há pode podem deve
        de do da dos das a ao à aos às em no na nos nas num numa por pelo pela pelos pelas para com sem sobre entre até
        não mais muito também já""",
    "dutch": """
        de het een en of maar want omdat dat die deze dit wie wat waar wanneer waarom hoe hoeveel welke welk waarmee als
        ik jij je hij zij ze wij we jullie u hem haar hun hen mijn jouw zijn ons onze zich er
        is was waren ben bent wordt worden werd werden heeft hebben had hadden kan kunnen kon moet zal zou
        in op aan van met voor door bij naar uit om over tot te tegen
        niet geen ook nog al zeer dan""",
    "swedish": """
        och eller men att som om för när var vad vem vilka vilken vilket hur varför den det de en ett
        jag du han hon vi ni mig dig sig honom henne oss er dem min din sin hans hennes deras
        är var vara varit blir blev har hade kan kunde ska skulle måste
        i på av till från med vid under över mellan genom efter
        inte ej också mycket än så denna detta dessa""",
    "danish": """
        og eller men at som om for når hvor hvad hvem hvilke hvilken hvilket hvordan hvorfor hvornår den det de en et
        jeg du han hun vi i mig dig sig ham hende os jer dem min din sin hans hendes deres
        er var være været bliver blev har havde kan kunne skal skulle må
        på af til fra med ved under over mellem gennem efter
        ikke også meget end så denne dette disse""",
    "norwegian": """
        og eller men at som om for når hvor hva hvem hvilke hvilken hvilket hvordan hvorfor den det de en ei et
        jeg du han hun vi dere meg deg seg ham henne oss dem min din sin hans hennes deres
        er var være vært blir ble har hadde kan kunne skal skulle må
        i på av til fra med ved under over mellom gjennom etter
        ikke også mye enn så denne dette disse""",
    "finnish": """
        ja tai mutta koska että jos kun kuin joka jotka jonka mikä mitä mitkä missä milloin miksi miten kuka ketkä kuinka
        montako paljonko
        minä sinä hän me te he se ne tämä tuo nämä hänen sen niiden
        on ovat oli olivat olla ollut olen ole ei eivät voi voivat
        myös vain sekä""",
    "hungarian": """
        a az egy és vagy de mert hogy ha mint aki ami amely ki kik mi mit milyen melyik mikor hol hová honnan miért hogyan
        mennyi hány
        én te ő mi ti ők ez azt ezt ezek azok
        van vannak volt voltak lesz lett nem is csak már még meg""",
    "romanian": """
        și sau dar că ca dacă când unde cum cât câți câte care cine ce cui de din la în pe cu pentru prin spre fără între
        un o unei unui al ale a ai lui ei lor
        eu tu el ea noi voi ei ele îl îi se mă te
        este sunt era erau fost fi a au are avea fi poate
        nu mai și foarte această acest acestui acestei""",
    "turkish": """
        ve veya ya ama ile için gibi kadar göre daha en çok bir bu şu o ne nedir kim kimdir hangi hangisi nerede nereye nasıl
        neden niçin kaç zaman
        ben sen biz siz onlar onun bunun onu bunu her çünkü sonra önce
        mi mı mu mü da de ki değil olan olarak olduğu oldu idi ise var yok""",
    "polish": """
        i oraz lub albo ale bo że czy jeśli gdy kiedy gdzie jak dlaczego kto kogo co czego jaki jaka jakie który która które ile
        ja ty on ona ono my wy oni jego jej ich mu go się sobie
        jest są był była było byli być będzie ma mają można
        w we z ze na do od o po za przez dla przy przed pod nad między
        nie także tylko już ten ta to tego tej tym tych""",
    "czech": """
        a i nebo ale protože že zda jestli když kdy kde jak proč kdo koho co čeho jaký jaká jaké který která které kolik
        já ty on ona ono my vy oni jeho její jejich mu ho se si
        je jsou byl byla bylo byli být bude má mají může
        v ve z ze na do od o po za pro při před pod nad mezi s k
        ne také jen již ten ta to toho té tím těch""",
    "indonesian": """
        yang dan atau tetapi karena bahwa jika ketika apa apakah siapa kapan mana dimana bagaimana mengapa berapa
        saya aku kamu dia ia kami kita mereka ini itu nya
        adalah ialah merupakan ada akan telah sudah dapat bisa
        di ke dari pada untuk dengan oleh dalam sebagai antara
        tidak bukan juga lebih""",
    "vietnamese": """
        và hoặc nhưng vì rằng nếu khi là của có được bị cho với trong ngoài trên dưới từ đến ở tại về theo
        gì nào ai đâu sao mấy bao nhiêu thế
        tôi bạn anh chị nó họ chúng này đó kia ấy
        các những một đã đang sẽ không cũng rất thì mà""",
    "russian": """
        и или а но что чтобы как если когда где куда откуда почему зачем кто кого кому кем чем чего чему какой какая какое
        какие каких какую каким какому который которая которое которые которых сколько чей ли
        я ты он она оно мы вы они меня тебя его её ее нас вас их мне тебе ему ей нам вам им себя себе это этот эта эти этого
        этой этом этих тот та те того той том тех
        был была было были быть есть будет является являются может можно
        в во на с со к ко от из у о об по за для до при про через под над
        не ни же бы то только уже еще ещё так также""",
    "greek": """
        ο η το οι τα του της των τον την τους τις ένα ένας μια μία και ή αλλά γιατί ότι που πού πώς πως πότε τι ποιος ποια
        ποιο ποιοι ποιες ποιον ποιου πόσο πόσα πόσοι πόσες αν όταν
        είναι ήταν έχει έχουν είχε είχαν θα να
        σε στο στη στην στον στα στους στις από με για ως κατά προς
        δεν μην και αυτό αυτή αυτός αυτά""",
    "arabic": """
        من في على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين اين كيف لماذا كم أي اي هل
        هو هي هم هن أنا نحن أنت كان كانت كانوا يكون تكون قد لقد لا لم لن ليس ليست
        أن ان إن أو او ثم و بين عند كل بعد قبل""",
    "hindi": """
        का की के को में से पर ने और या कि जो यह वह ये वे इस उस इन उन
        क्या कौन कब कहाँ कहां कैसे क्यों कितना कितनी कितने किस किसने किसे किसका किसकी
        है हैं था थी थे हो होता होती होते गया गई गए कर किया करने
        नहीं भी ही तो लिए साथ एक द्वारा अपने""",
}


_OTHER_SCRIPTS = frozenset(("russian", "greek", "arabic", "hindi"))


@functools.cache
def query_stopwords(language: str) -> frozenset[str]:
    """What is left out of a query in ``language``: its function words, and those of languages in other scripts."""
    return frozenset(word for name in {language, *_OTHER_SCRIPTS} for word in _WORDS.get(name, "").split())


@functools.cache
def function_words(language: str | None = None) -> frozenset[str]:
    """Function words in Latin letters: of one language, or of all."""
    return frozenset(word for word, of in languages_by_word().items() if language is None or language in of)


@functools.cache
def languages_by_word() -> dict[str, tuple[str, ...]]:
    """For each function word in Latin letters the languages that have it."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in _WORDS.items():
        if language not in _OTHER_SCRIPTS:
            for word in set(words.split()):
                found[word] = (*found.get(word, ()), language)
    return found
