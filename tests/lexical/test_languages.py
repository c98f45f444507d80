"""Every document is stemmed in its own language, and a query in those of the index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tamis.lexical import TantivyIndex
from tamis.lexical.languages import detected
from tamis.types import Stamp
from tests.lexical.documents import FIRST, document, fill, found

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = {
    "english": "The keys are kept in a safe that nobody but the two of us can open, and it is checked every night.",
    "german": "Die Schlüssel werden in einem Tresor aufbewahrt, den niemand außer uns öffnen kann, und er wird jede Nacht geprüft.",
    "french": "Les clés sont gardées dans un coffre que personne ne peut ouvrir sans nous, et il est vérifié chaque nuit.",
    "spanish": "Las llaves se guardan en una caja que nadie más puede abrir, y se revisa todas las noches por si falta algo.",
    "italian": "Le chiavi sono tenute in una cassaforte che nessuno può aprire senza di noi, e viene controllata ogni notte.",
    "portuguese": "As chaves são guardadas em um cofre que ninguém mais pode abrir, e ele é verificado todas as noites por nós.",
    "dutch": "De sleutels worden bewaard in een kluis die niemand anders dan wij kan openen, en het wordt elke nacht gecontroleerd.",
    "swedish": "Nycklarna förvaras i ett skåp som ingen annan än vi kan öppna, och det är kontrollerat varje natt av någon.",
    "finnish": "Avaimet ovat kaapissa, jota ei kukaan muu voi avata kuin me, ja se on tarkastettu joka yö, mutta ei sunnuntaina.",
    "hungarian": "A kulcsok egy széfben vannak, amely csak nekünk nyílik meg, és azt minden éjjel ellenőrzik, de nem vasárnap.",
    "romanian": "Cheile sunt păstrate într-un seif pe care nimeni nu îl poate deschide, și este verificat în fiecare noapte de noi.",
    "turkish": "Anahtarlar bir kasada saklanır ve bizim dışımızda kimse onu açamaz, çünkü her gece kontrol edilir ama pazar değil.",
    "polish": "Klucze są w sejfie, którego nikt nie może otworzyć oprócz nas, i jest on sprawdzany każdej nocy przez kogoś.",
    "czech": "Klíče jsou v trezoru, který nikdo kromě nás nemůže otevřít, a je to kontrolováno každou noc, ale ne v neděli.",
    "indonesian": "Kunci itu disimpan di dalam lemari yang tidak dapat dibuka oleh siapa pun, dan akan diperiksa setiap malam.",
    "vietnamese": "Các chìa khóa được giữ trong một két sắt mà không ai có thể mở, và nó được kiểm tra mỗi đêm.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_sentence_tells_its_language(language: str) -> None:
    assert detected(TEXTS[language].split(), "english") == language
    assert detected(TEXTS[language].split(), "german") == language


@pytest.mark.parametrize(
    "text",
    [
        "",
        "foo = bar(baz, qux); return None",
        "Paris, Berlin, Madrid, Roma, Lisboa",
        "die was in an so",
        "THE KEYS ARE KEPT IN A SAFE",
    ],
)
def test_a_text_of_few_function_words_is_taken_for_the_default(text: str) -> None:
    assert detected(text.split(), "english") == "english"


def test_words_are_stemmed_as_in_the_language_of_their_document(index: TantivyIndex) -> None:
    fill(index, [TEXTS["german"] + " Mit Kindern.", TEXTS["spanish"] + " Las canciones son nuevas."])
    assert found(index, "Kinder") == [1]
    assert found(index, "canción") == [2]
    assert found(index, "cancion") == [2]


def test_function_words_are_left_out_in_the_language_of_the_query(index: TantivyIndex) -> None:
    fill(index, [TEXTS["german"], TEXTS["english"], "schlüssel"])
    assert 2 not in found(index, "wo werden die Schlüssel in der Nacht aufbewahrt")
    assert 1 not in found(index, "where are the keys kept")


def test_a_few_misjudged_documents_do_not_count(index: TantivyIndex) -> None:
    fill(index, [*[TEXTS["english"]] * 99, f"{TEXTS['german']} Kindern"])
    assert found(index, "Kinder") == []  # its German stem is not looked for
    assert found(index, "Kindern") == [100]


def test_the_languages_of_an_index_grow_with_it(index: TantivyIndex) -> None:
    fill(index, [TEXTS["english"]] * 3)
    index.apply(Stamp("corpus", 2), [document(9, f"{TEXTS['german']} Kindern")], [])
    assert found(index, "Kinder") == [9]


def test_the_language_of_the_index_is_that_of_what_tells_none(folder: Path) -> None:
    german = TantivyIndex(folder, language="german")
    german.apply(FIRST, [document(1, "mit Kindern")], [])
    assert found(german, "Kinder") == [1]
