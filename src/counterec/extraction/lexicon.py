"""Opinion words and their polarity: VADER's lexicon, read as data, and words of reviews that it lacks.

As in ``words``, a hyphenated entry stands for the phrase written with spaces, too.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from counterec.extraction.words import AMOUNTS

LEAST_VALENCE = 1.0
"""VADER's mean rating, on -4 to 4, from which a word counts as an opinion."""

_POSITIVE = """
    a-plus accommodating accurate addictive affordable ample appetizing astonishing attentive authentic big-plus blazing
    blown-away breeze cheap cheaper cleanly clearer comfy compact convenient conveniently cozy crisp crisper
    crispy crystal-clear decent dependable detailed does-the-job durable effortless effortlessly ergonomic
    exceeded exceeds exceptional exceptionally exquisite extensive fan-of fast faster fastest fine finest
    first-class first-rate flavorful flawlessly functional funky game-changer gem genuine handy high-quality huge-plus
    immaculate impeccable impeccably incredible inexpensive intuitive invaluable inventive juicy just-right
    killer knowledgeable kudos-for last-long lasts-all-day lasts-forever lasts-long lightweight long-lasting
    luscious luxurious magical mellow memorable must-have nimble noiseless out-of-this-world phenomenal
    pleasantly-surprised plentiful polished polite portable precise premium pristine professional prompt
    promptly punchy quick quicker quickest quickly quiet quieter rapid razor-sharp readable reasonable
    reasonably refined refreshing reliable rock-solid rocks roomy rugged savory seamless seamlessly
    second-to-none sensational sharp sharper shine shines simple simpler sleek slick slim smooth smoother
    smoothly snappy snug solid solidly spacious spectacular speedy spot-on spotless state-of-the-art steady
    stellar sturdier sturdy stylish sublime succulent superbly swift tasteful tastier tasty tender thumbs-up
    thumbs-up-for tidy timely to-die-for top-notch top-quality trendy unbeatable uncluttered unique unlimited
    unmatched unobtrusive unsurpassed upscale usable user-friendly versatile vivid warm well-balanced
    well-built well-designed well-made well-priced well-thought-out world-class worth yum zippy
"""

_NEGATIVE = """
    abysmal antiquated atrocious beat bland bloated blurred blurry breaks brittle buggy bulky ca-n't-stand
    can-not-stand cannot-stand cheaply choppy clumsy clunky cluttered con confusing cons cracked crackles
    crackly cracks cramped crashed crashes crashing creaks creaky crowded cumbersome cuts-off cuts-out dated
    deal-breaker dealbreaker dies dim dimmer dingy dodgy downfall downsides drains drawback drawbacks
    dropped-calls drops-calls drops-out exorbitant expensive fades faint fall-apart falling-apart falls-apart
    falls-short feel-cheap feels-cheap fell-apart fell-short felt-cheap finicky flaky flaw flaws flickering
    flickers flimsy fragile freezes froze fuzzy garbled get-hot gets-hot gimmicky glitch glitches glitchy
    got-hot grainy greasy gripe gripes grubby hassle heavy hideous hiss hit-or-miss iffy impossible inaccurate
    inattentive inconsistent inedible inefficient insufficient intermittent issue issues jerky joke junk junky
    keeps-dropping lackluster laggy laughable leaks leaky leave-a-lot-to-be-desired leaves-a-lot-to-be-desired
    leaves-much-to-be-desired let-down let-it-down let-me-down let-us-down let-you-down letdown lets-it-down
    lets-me-down lets-you-down limited look-cheap looks-cheap loud louder low-quality lukewarm malfunction
    malfunctioned mediocre meh miss moldy muddy muffled murky mushy musty nightmare noisy nondescript
    nothing-special nuisance off-putting oily outdated overcooked overcrowded overheat overheated overheating
    overheats overpowering overpriced overrated pointless poorly pricey puny quibble quit-working rattle
    rattles rattling rickety rip-off rough rubbish runs-hot rushed rust rusty salty scratched scratches
    scratchy shabby shaky shallow shoddy short-lived skimpy sloppy slow slower slowest slowly smelly soggy
    sounds-cheap sour spotty squeaky stained stains stale static sticky stiff stopped-working stops-working
    subpar tacky takes-ages takes-forever tasteless tedious temperamental thumbs-down thumbs-down-for tinny
    took-ages took-forever touchy unable unattentive unavailable unbearable undercooked underpowered
    underwhelming uneven unhelpful uninspired unnecessary unreadable unreliable unresponsive unsatisfactory
    unsteady unusable washed-out watery wobbles wobbly wonky worn-out
"""

_NOT_OPINIONS = """
    ability active advantage agreed alarm attachment attack attraction attractions award blind block blocked
    boost brightness cancel cancelled cared cares certainly champ champagne champs clarity comfort comforter
    confidence created creates creating credit critical cuts damn death definite definitely delay desire
    desired diamond doubt dream drunk dynamic dynamics emergency encourage energy engage engaged ensure
    entertainment fight fire fitness flexibility forced friends gain gently giving grace grant granted greeted
    greeting gt guarantee harmonics heart helping helps hesitant hesitate hesitation holidays honestly honor
    honors hoped hopefully hopes hoping importantly increase increased interest interested isolated isolation
    jj jw kill l laugh laughing lies lol losing lowest loyalty luckily lying nuts opportunity parties played
    plays pressure promised protect protected protects rewards risk sadly safety saved screws security shared
    sharing shock sick smile smiles smiling solved steal strength stress strongly stuck support supporting
    surely suspect tension thankfully tops treasure treat true truly trust unfortunately value values vip
    warmth warned warning wise won worried worries worry xp
"""

_REVERSED = {
    " ".join(AMOUNTS.keys() - {"light", "lighter", "heavier"}): """
        price cost fee rate bill weight noise wait line delay latency temperature footprint profile
    """,
    "loud louder quiet quieter": "speaker sound volume ringer ringtone alarm",
    "sharp": "edge corner",
    "cheap": "plastic feel material build",
}
"""Opinions, and the aspects of which they say the opposite: a *high* price, a *quiet* speaker."""


@cache
def polarities() -> dict[str, int]:
    """Return +1 or -1 for every opinion word."""
    words = {word: 1 if valence > 0 else -1 for word, valence in _vader().items()}
    for word in _NOT_OPINIONS.split():
        words.pop(word, None)
    return words | AMOUNTS | dict.fromkeys(_POSITIVE.split(), 1) | dict.fromkeys(_NEGATIVE.split(), -1)


@cache
def reversed_pairs() -> frozenset[tuple[str, str]]:
    """Return the (opinion, aspect) pairs that mean the opposite of what the opinion means elsewhere."""
    return frozenset(
        (opinion, aspect)
        for opinions, aspects in _REVERSED.items()
        for opinion in opinions.split()
        for aspect in aspects.split()
    )


def _vader() -> dict[str, float]:
    """Return VADER's single words of clear valence, from the file inside its package."""
    lines = (files("vaderSentiment") / "vader_lexicon.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t")[:2] for line in lines if line)
    valences = {word: float(valence) for word, valence in rows if word.isalpha()}
    return {word: valence for word, valence in valences.items() if abs(valence) >= LEAST_VALENCE}
