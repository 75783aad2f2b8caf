"""Find a user, or a random one: their taste, what they reviewed, and the review sentences behind each number."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from scripts.page_server import Server

from counterec import open_run
from tests.browser.reading import explained, the_list
from tests.browser.visits import PHONE, Visits


def test_a_user_is_found_by_a_part_of_the_id(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url, PHONE)
    explained(page)
    page.get_by_label("Find another user").last.press_sequentially("u0017")
    page.get_by_role("button", name="U0017").click()
    expect(the_list(page)).to_have_attribute("aria-label", "The list of U0017")
    page.wait_for_url(re.compile("user=U0017"))
    explained(page)


def test_what_is_found_is_paged(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    page.get_by_label("Find another user").last.press_sequentially("u00")
    expect(page.get_by_text("40 fit; here are the first 8")).to_be_visible()
    page.get_by_label("Find another user").last.fill("nobody like that")
    expect(page.get_by_text("Nothing fits")).to_be_visible()


def test_a_random_user(demo: Server, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    page.get_by_role("button", name="A random user").click()
    page.wait_for_url(re.compile(r"user=U00\d\d"))
    explained(page)


def test_their_taste_and_what_they_reviewed(demo: Server, demo_run, visits: Visits) -> None:
    run = open_run(demo_run)
    page = visits.open(f"{demo.url}/?user=U0009")
    explained(page)
    card = page.get_by_role("region", name="The user")
    expect(card).to_contain_text("Speaks most of")
    user = run.space.users.number("U0009")
    most = run.space.aspects.texts[int(run.space.user_attention[user].argmax())]
    expect(card.locator(".taste").first).to_contain_text(most)
    reviewed = run.split.filter(user_id="U0009")["item_id"].to_list()
    card.get_by_text(f"Reviewed {len(reviewed)} items").click()
    shown = card.locator("details li").first.inner_text()
    assert any(run.item_name(item_id) in shown for item_id in reviewed)


def test_the_sentences_behind_a_number_are_one_click_away(demo: Server, demo_run, visits: Visits) -> None:
    page = visits.open(demo.url)
    explained(page)
    page.get_by_role("button", name=re.compile("so far on .*: read them")).first.click()
    words = page.locator(".quote-words").first
    expect(words).to_be_visible()
    said = words.inner_text()
    assert any(said in str(review) for review in open_run(demo_run).reviews["text"])


def test_an_unknown_user_is_told_what_to_do(demo: Server, visits: Visits) -> None:
    page = visits.open(f"{demo.url}/?user=Nobody")
    expect(page.get_by_role("alert")).to_contain_text("there is no user 'Nobody'")
    page.get_by_role("link", name="Start again").click()
    explained(page)


def test_without_text_nobody_is_named_and_nothing_is_quoted(serve, demo_run, visits: Visits) -> None:
    server = serve(demo_run, "--no-text")
    run = open_run(demo_run)
    page = visits.open(server.url)
    explained(page)
    page.get_by_role("button", name=re.compile("so far on .*: read them")).first.click()
    expect(page.get_by_text("Review text is not shown")).to_be_visible()
    content = page.content()
    assert re.search(r"\bU00\d\d\b", content) is None
    assert not any(str(text) in content for text in run.reviews["text"].head(200) if text)
    page.goto(f"{server.url}/model?case.aspect={run.space.aspects.texts[0]}")
    expect(page.get_by_role("link", name="Open this case").first).to_be_visible()
    assert re.search(r"\bU00\d\d\b", page.content()) is None
    page.get_by_role("link", name="Open this case").first.click()
    explained(page)
    page.wait_for_url(re.compile("user=user-"))
