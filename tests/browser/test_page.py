"""Every panel at both widths, light and dark, and one interaction with each; every attribute's control; no text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from scripts.generated_run import make_generated
from scripts.page_server import Server
from scripts.page_traffic import Traffic

from counterec import open_run, reason, sentence
from counterec.report.overview import CaseFilter, cases_of, decisive_aspects
from counterec.synthetic.world import WorldSize
from counterec.wording import audience_record
from tests.browser.axe import grave_violations
from tests.browser.reading import below, choose, chosen_item, explained, find, listed, panel, sliders, the_list
from tests.browser.runs import made_once, make_lists
from tests.browser.visits import LOOKS, PHONE, PHONE_DARK, Look, Visits, connected, scrolls_sideways

USER = "U0009"


def unfolded(page: Page) -> None:
    explained(page)
    for details in page.locator("details:visible > summary").all():
        details.click()


def answered(page: Page) -> None:
    expect(page.locator(".sentence").first).to_be_visible()


def with_cases(page: Page) -> None:
    page.locator(".bar").first.click()
    expect(page.locator("ol.cases li").first).to_be_visible()


PANELS = {
    "/": unfolded,
    "/why-not": answered,
    "/model": with_cases,
    "/seller?wanted=2": answered,
    "/nowhere": lambda _: None,
}


@pytest.mark.parametrize("look", LOOKS, ids=str)
@pytest.mark.parametrize("path", PANELS)
def test_every_panel_in_every_look(demo: Server, visits: Visits, path: str, look: Look) -> None:
    visits.forgive("404 .*/nowhere")
    page = visits.open(demo.url + path, look)
    PANELS[path](page)
    expect(page.locator(".loading")).to_have_count(0)
    assert not scrolls_sideways(page)
    assert grave_violations(page) == []


def test_the_first_screen_is_a_stored_answer(demo: Server, demo_run: Path, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    assert (len(listed(page)), len(below(page))) == (5, 2)
    item, run = chosen_item(page), open_run(demo_run)
    shown = page.locator(".sentence").first.inner_text()
    user = (the_list(page).get_attribute("aria-label") or "").removeprefix("The list of ")
    rows = run.explanations_table("minimal").filter(user_id=user).to_dicts()
    (found,) = [record for record in map(run.record, rows) if record.item == item]
    assert shown == sentence(found)
    assert page.locator(".headline").inner_text() == reason(found)
    page.locator(".mark").first.focus()
    expect(page.get_by_role("tooltip").first).to_be_visible()
    other = next(name for name in listed(page) if name != item)
    the_list(page).get_by_role("link", name=other).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(other)


def test_what_if_ranks_the_list_and_is_in_the_address(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    item, before = chosen_item(page), listed(page)
    page.get_by_role("button", name="Show the smallest change").click()
    expect(the_list(page).locator("li.below .name", has_text=item)).to_be_visible()
    expect(page.locator(".outcome")).to_contain_text("off the list of 5")
    page.wait_for_url(re.compile("set="))
    other = visits.open(page.url, PHONE_DARK)
    expect(other.locator(".outcome")).to_have_text(page.locator(".outcome").inner_text())
    assert listed(other) == listed(page)
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(the_list(page).locator("li.listed .name", has_text=item)).to_be_visible()
    assert listed(page) == before
    page.wait_for_url(lambda url: "set=" not in url)


def test_a_row_is_set_by_mouse_and_keys(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    row, said = sliders(page).first, page.locator(".outcome")
    spoken = row.get_attribute("aria-valuetext") or ""
    place = row.bounding_box()
    assert place is not None
    middle = place["y"] + place["height"] / 3
    page.mouse.move(place["x"] + place["width"] * 0.9, middle)
    page.mouse.down()
    page.mouse.move(place["x"] + place["width"] * 0.1, middle, steps=12)
    expect(said).not_to_be_empty()  # before the mouse is let go
    page.mouse.up()
    page.wait_for_url(re.compile("set="))
    expect(row).not_to_have_attribute("aria-valuetext", spoken)
    at_rest = page.url
    row.locator("[tabindex='0']").press("ArrowRight")
    page.wait_for_url(lambda url: "set=" in url and url != at_rest)
    value = (row.get_attribute("aria-valuetext") or "").split()[0]
    expect(said).to_contain_text(f" at {value} instead of ")
    few = sliders(page).count()
    page.get_by_role("combobox", name="Change another aspect").click()
    page.get_by_role("option").first.click()
    expect(sliders(page)).to_have_count(few + 1)


def test_the_search_can_be_told_what_to_keep(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    named, before = page.locator(".value-name").first.inner_text(), page.locator(".sentence").first.inner_text()
    assert f"its {named}" in before
    page.get_by_text("Advanced: how the explanation is searched for").click()
    choose(page, "Look for", "one aspect only")
    choose(page, "Keep as they are", named)
    page.keyboard.press("Escape")
    choose(page, "Limit the values of", re.compile(f"^(?!{named}$)"))
    page.keyboard.press("Escape")
    page.get_by_label("to", exact=True).fill("4")
    page.get_by_role("button", name="Explain anew").click()
    page.wait_for_url(lambda url: all(part in url for part in ("goal=single", f"keep={named}", "bound=", "%3A4")))
    explained(page)
    assert f"its {named}" not in page.locator(".sentence").first.inner_text()
    page.get_by_role("button", name="Back to the usual settings").click()
    page.wait_for_url(lambda url: "goal=" not in url and "keep=" not in url)


def test_past_reviews_are_another_answer(demo: Server, demo_run: Path, visits: Visits) -> None:
    page, run = visits.open(f"{demo.url}/?user={USER}"), open_run(demo_run)
    explained(page)
    item = chosen_item(page)
    choose(page, "Explained by", "past reviews")
    page.wait_for_url(re.compile("by=history"))
    rows = run.explain(USER, by="history").to_dicts()
    (record,) = [run.history_record(row) for row in rows if run.item_name(row["item_id"]) == item]
    expect(page.locator(".answers .sentence")).to_have_text(sentence(record))
    assert page.locator(".headline").inner_text() == reason(record)


def test_a_user_is_found_and_quoted(demo: Server, demo_run: Path, visits: Visits) -> None:
    page = visits.open(demo.url, PHONE)
    explained(page)
    find(page, "Find another user", "u0017", "U0017")
    page.wait_for_url(re.compile("user=U0017"))
    expect(the_list(page)).to_have_attribute("aria-label", "The list of U0017")
    explained(page)
    page.get_by_role("button", name=re.compile("so far on .*: read them")).first.click()
    words = page.locator(".quote-words").first
    expect(words).to_be_visible()
    assert any(words.inner_text() in str(review) for review in open_run(demo_run).reviews["text"])


def test_why_not_and_why_rather(demo: Server, demo_run: Path, visits: Visits) -> None:
    page, run = visits.open(f"{demo.url}/why-not?user={USER}"), open_run(demo_run)
    why_not, rather = (page.get_by_role("region", name=name) for name in ("Why not", "Why rather"))
    answered(page)
    row = run.recommendations.of_user(run.space.users.number(USER)).items[0]
    first, second = (run.space.items.texts[item] for item in (row[0], row[5]))
    absent = run.explain(USER, second, question="why_not").row(0, named=True)
    expect(why_not.locator(".sentence")).to_have_text(sentence(run.record(absent)))
    ahead = run.explain(USER, first, question="why_rather", versus=second).row(0, named=True)
    expect(rather.locator(".sentence").first).to_have_text(sentence(run.record(ahead)))
    page.get_by_role("button", name="Ask it the other way round").click()
    expect(rather).to_contain_text("already so")
    candidates = [run.item_name(run.space.items.texts[item]) for item in run.candidates.of(0).tolist()]
    far = next(name for name in candidates if name not in (*listed(page), *below(page)))
    find(page, "Find an item that is not in the list", far)
    expect(why_not.get_by_role("heading", level=3)).to_have_text(far)
    page.wait_for_url(re.compile("absent="))
    page.get_by_role("link", name=re.compile("Try it out")).click()
    explained(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"bring {far} into the list")


def test_the_model_counts_and_leads_to_cases(demo: Server, demo_run: Path, visits: Visits) -> None:
    cases = cases_of(open_run(demo_run), "minimal")
    page = visits.open(f"{demo.url}/model")
    bars = page.get_by_role("region", name="Aspects that decide").locator(".bar")
    expect(bars.first).to_be_visible()
    assert bars.locator(".bar-name").all_inner_texts() == decisive_aspects(cases)["aspect"].to_list()[:12]
    choose(page, "Position in the list", "2")
    some = CaseFilter(position=2).applied(cases)
    expect(page.locator(".figure").first).to_have_text(str(len(some)))
    aspect = bars.first.locator(".bar-name").inner_text()
    bars.first.click()
    behind = page.get_by_role("region", name="The cases behind a bar")
    expect(behind.get_by_role("heading", level=2)).to_have_text(f"Decided by {aspect}")
    count = len(CaseFilter(aspect=aspect).applied(some))
    expect(behind).to_contain_text(f"1–{min(6, count)} of {count} cases")
    page.reload()
    expect(behind).to_contain_text(f"of {count} cases")
    if count > 6:
        behind.get_by_role("button", name="2", exact=True).click()
        expect(behind).to_contain_text("7–")
    behind.get_by_role("link", name="Open this case").first.click()
    explained(page)


def test_a_seller_asks_for_an_audience(demo: Server, demo_run: Path, visits: Visits) -> None:
    page, run = visits.open(f"{demo.url}/seller?item=P0007", PHONE), open_run(demo_run)
    page.get_by_label("Lists it is to enter, at least").fill("3")
    page.get_by_role("button", name="Find the smallest improvement").click()
    found = run.why_not_for_all("P0007", run.space.users.texts, 3)
    record = audience_record(run.space, found, run.item_names, run.config.explain.constraints)
    expect(page.get_by_role("region", name="The answer").locator(".sentence")).to_have_text(sentence(record))
    page.wait_for_url(re.compile("wanted=3"))
    choose(page, "Audience", re.compile("who care most about"))
    page.wait_for_url(re.compile("audience=taste"))


def test_each_kind_of_attribute_has_its_control(films: Server, visits: Visits) -> None:
    page = visits.open(films.url)
    explained(page)
    add = page.get_by_role("combobox", name="Change another aspect")
    while page.locator(".value-row").count() < 3:
        rows = page.locator(".value-row").count()
        add.click()
        page.get_by_role("option").first.click()
        expect(page.locator(".value-row")).to_have_count(rows + 1)
    expect(page.get_by_role("switch")).to_have_count(1)
    genre = page.get_by_role("combobox", name=re.compile("^genre of"))
    genre.click()
    page.locator(".q-menu [role=option][aria-selected=false]").first.click()
    expect(page.locator(".outcome")).to_contain_text("genre")
    page.wait_for_url(re.compile("set=genre"))
    assert grave_violations(page) == []


@pytest.mark.parametrize("path", ["/?user=Nobody", "/?item=Nothing", "/model?position=first", "/seller?item=X"])
def test_an_address_that_leads_nowhere_says_so_and_leads_back(demo: Server, visits: Visits, path: str) -> None:
    page = visits.open(demo.url + path, PHONE)
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("link", name="Start again").click()
    explained(page)


def test_a_run_without_explanations_says_what_is_missing(serve, shared_folder: Path, visits: Visits) -> None:
    page = visits.open(serve(made_once(shared_folder / "lists", make_lists)).url)
    explained(page)  # it is found when it is asked for
    panel(page, "The model")
    expect(page.get_by_role("status").filter(has_text="no stored explanations")).to_be_visible()


def test_without_text_nobody_is_named_and_nothing_is_quoted(serve, demo_run: Path, visits: Visits) -> None:
    page, run = visits.open(serve(demo_run, "--no-text").url), open_run(demo_run)
    explained(page)
    page.get_by_role("button", name=re.compile("so far on .*: read them")).first.click()
    expect(page.get_by_text("Review text is not shown")).to_be_visible()
    content = page.content()
    assert re.search(r"\bU00\d\d\b", content) is None
    assert not any(str(text) in content for text in run.reviews["text"].head(200) if text)


def test_what_is_sent_does_not_grow_with_the_run(serve, shared_folder: Path, visits: Visits) -> None:
    sizes = {"small": WorldSize(users=40, items=60, aspects=10), "large": WorldSize(users=600, items=900, aspects=10)}
    sent = []
    for name, size in sizes.items():
        server = serve(made_once(shared_folder / name, lambda folder, size=size: make_generated(folder, size)))
        page = visits.blank()
        traffic = Traffic(page)
        page.goto(f"{server.url}/why-not")
        connected(page)
        answered(page)
        sent.append(traffic.received)
    assert sent[1] < sent[0] + 25_000
