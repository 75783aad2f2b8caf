"""Which names become aspects: merged, ranked by users times items, and called as people write them."""

from __future__ import annotations

from collections import Counter

from counterec.extraction.vocabulary import AspectNames, NameForms, merge_names, rank_names


def uses(**counts: tuple[int, int]) -> list[tuple[str, str, str]]:
    """Uses of each name by this many users about this many items; an underscore stands for a space."""
    found = set()
    for name, (users, items) in counts.items():
        for n in range(max(users, items)):
            found.add((f"u{n % users}", f"i{n % items}", name.replace("_", " ")))
    return sorted(found)


def ranked(counts: dict[str, tuple[int, int]], forms: NameForms | None = None, least: int = 1) -> AspectNames:
    triples = uses(**counts)
    mentions = Counter(name for *_, name in triples)
    return rank_names(triples, mentions, forms or NameForms(), least)


class TestMerging:
    def test_spellings_that_differ_in_spaces_and_hyphens_are_one_name(self) -> None:
        merged = merge_names({"mini bar": 5, "minibar": 9, "mini-bar": 1})
        assert merged == {"mini bar": "minibar", "mini-bar": "minibar"}

    def test_a_spelling_of_a_phrase_counts_as_its_head_too(self) -> None:
        merged = merge_names({"check-in desk": 2, "check in desk": 3, "desk": 30})
        assert merged == {"check-in desk": "desk", "check in desk": "desk"}


class TestRanking:
    def test_names_that_many_users_use_about_many_items_come_first(self) -> None:
        found = ranked({"price": (20, 20), "bridge": (20, 2), "signature": (1, 20), "tone": (10, 10)})
        assert found.ranked == ("price", "tone", "bridge", "signature")

    def test_merged_names_count_together(self) -> None:
        found = ranked({"bed": (9, 9), "queen_bed": (8, 8), "view": (10, 10)})
        assert found.ranked == ("view", "bed")
        assert found.counted_as == {"queen bed": "bed"}

    def test_rare_names_and_words_that_are_never_aspects_are_left_out(self) -> None:
        found = ranked({"price": (9, 9), "rare": (2, 2), "thing": (9, 9), "good_thing": (9, 9), "b": (9, 9)}, least=5)
        assert found.ranked == ("price",)

    def test_what_reviewers_call_this_is_the_item_itself(self) -> None:
        forms = NameForms({name: Counter({name: 50}) for name in ("strap", "lock")}, Counter(strap=20, lock=4))
        assert ranked({"strap": (9, 9), "lock": (9, 9)}, forms).ranked == ("lock",)


class TestNames:
    def test_the_most_frequent_form_is_shown(self) -> None:
        forms = NameForms({"graphic": Counter(graphics=90, graphic=10), "front desk": Counter(desk=5)})
        found = ranked({"graphic": (9, 9), "front_desk": (8, 8)}, forms)
        assert found.ranked == ("graphics", "front desk")
        assert found.counted_as == {"graphic": "graphics"}

    def test_no_two_aspects_have_one_name(self) -> None:
        forms = NameForms({"control": Counter(controls=9), "controls": Counter(controls=5)})
        found = ranked({"control": (9, 9), "controls": (8, 8)}, forms)
        assert len(set(found.ranked)) == 2

    def test_the_most_used_are_kept_with_the_names_that_count_as_them(self) -> None:
        found = ranked({"view": (10, 10), "bed": (9, 9), "queen_bed": (8, 8), "pool": (3, 3)})
        assert found.most_used(2) == ("bed", "view")
        assert found.counted_as_kept(["bed"]) == {"queen bed": "bed"}
        assert found.counted_as_kept(["view"]) == {}


def test_given_names_are_neither_merged_nor_left_out() -> None:
    triples = uses(thing=(5, 5), mini_bar=(5, 5), minibar=(6, 6))
    found = rank_names(triples, Counter(name for *_, name in triples), NameForms(), 1, as_given=True)
    assert found.ranked == ("minibar", "mini bar", "thing")
    assert found.counted_as == {}
