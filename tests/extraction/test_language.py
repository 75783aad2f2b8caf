"""Which reviews are clearly not in English, and that none is lost that is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterec.extraction.language import _BEYOND_LATIN, _WORDS, _is_mostly_other, is_foreign


@pytest.mark.parametrize(
    "text",
    [
        "Das Zimmer war sehr sauber und das Personal freundlich, aber das Frühstück ist nicht gut.",
        "La habitación es muy limpia y el personal fue amable, pero el desayuno no es bueno para los niños.",
        "La chambre est très propre et le personnel sympathique, mais le petit déjeuner n'est pas bon.",
        "La camera è molto pulita e il personale gentile, ma la colazione non è buona per i bambini.",
        "O quarto é muito limpo e o pessoal simpático, mas o café da manhã não é bom para as crianças.",
        "De kamer was heel schoon en het personeel vriendelijk, maar het ontbijt is niet goed voor de kinderen.",
        "部屋はとても清潔で、スタッフも親切でしたが、朝食はあまり良くありませんでした。",
        "Номер очень чистый, персонал приветливый, но завтрак не очень хороший.",
    ],
)
def test_other_languages_are_known(text: str) -> None:
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Great!",
        "Muy bueno",  # too short to tell
        "Great strings, good price, fast shipping, fine tone, nice packaging, strong, cheap, durable.",
        "The room was clean and the staff friendly, but the breakfast was not good.",
        "We stayed at the Hotel de la Paix in Paris, near the Place des Vosges and the Rue de Rivoli, and loved it.",
        "El Cid in Las Vegas is the best: we had tapas and paella in the bar, and they were very good.",
        "The café’s crème brûlée is superb, as is the façade of the hôtel; we will be back.",
    ],
)
def test_english_is_kept(text: str) -> None:
    assert not is_foreign(text)


def test_letters_beyond_latin_are_all_looked_for():
    between = [chr(code) for code in range(0x250, 0x110000) if not _BEYOND_LATIN.match(chr(code))]
    assert not any(map(str.isalpha, between))


@given(st.lists(st.sampled_from(["the", "was", "und", "die", "le", "la", "que", "room", "é,", "it's", "(der)", "no."])))
def test_the_short_cut_for_english_changes_nothing(words):
    text = " ".join(words)
    assert is_foreign(text) == _is_mostly_other(_WORDS.findall(text))
