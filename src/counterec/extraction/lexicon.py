"""Opinion words, and whether they praise or blame: VADER's lexicon, TextBlob's adjectives, lists of our own.

A word in none of them may be derived from an opinion word ("flavorless"), stretched ("greaaat"), or misspelled by one
letter. A hyphenated entry also stands for the phrase written with spaces.
"""

from __future__ import annotations

from functools import cache, lru_cache
from xml.etree import ElementTree

from counterec.extraction.words import (
    CLASS_OF,
    GENERAL_ADJECTIVES,
    INTENSIFIERS,
    PartOfSpeech,
    WordClass,
    base_adjective,
    base_noun,
    base_verb,
    deletions,
    is_english,
    likeliest_part_of_speech,
    packaged_path,
    word_set,
)

POSITIVE = word_set("""
    a-plus above-average absorbent accommodating accurate addicting addictive adjustable admirable affable affordable
    airy amiable ample appetizing aromatic articulate astonishing attentive authentic balanced bargain beefy big-plus
    blazing blown-away breathable breathtaking breeze bright bustling buttery capable central cheap cheaper chic
    classic classy cleanly clearer comfy commendable compact compatible competent competitive considerate consistent
    convenient conveniently cooperative cordial cost-effective courteous cozy crisp crisper crispier crispy crunchy
    crystal-clear dazzling decent delectable delish dependable detailed diverse divine does-the-job durable easy-going
    economical edible efficient effortless effortlessly elegant ergonomic essential exceeded exceeds exceptional
    exceptionally exemplary expressive exquisite extensive fan-of fancy fast fast-acting faster fastest favorite
    favourite filling fine finest finger-licking first-class first-rate flaky flavorful flawless flawlessly fluffy
    foldable foolproof free fresher full-bodied functional funky game-changer gem generous genuine gigantic gracious
    grippy handcrafted handmade hands-down handy hassle-free healthy hearty heavenly hefty high-quality higher-quality
    hip homemade hospitable huge-plus iconic immaculate impeccable impeccably in-love-with in-tune incredible
    inexpensive informative intimate intuitive invaluable inventive jaw-dropping jovial juicy just-right killer
    knowledgeable kudos-for last-long lasts-all-day lasts-forever lasts-long lavish legendary legible lightweight
    lip-smacking lively long-lasting long-lived lots-of luscious lush luxurious magical mellow memorable modern moist
    more-than-enough mouth-watering mouthwatering must-have necessary nimble no-nonsense noiseless noteworthy obliging
    odorless okay on-point opulent organic ornate out-of-this-world painless patient peaceful personable phenomenal
    picturesque playable pleasantly-surprised plentiful plenty-of plush polished polite portable posh potent powerful
    precise premium pristine professional proficient prompt promptly punchy punctual quaint quick quick-witted quicker
    quickest quickly quiet quieter rapid razor-sharp readable reasonable reasonably refined refreshing refurbished
    reliable renovated resonant responsive rich robust rock-solid rocks roomy rugged safe sanitary satisfying savory
    scenic scrumptious seamless seamlessly seasoned secluded second-to-none secure sensational sensible serene sharp
    sharper shine shines simple simpler sleek slick slim smooth smoother smoothly snappy snug soft solid solidly
    soothing soundproof spacious spectacular speedy spicy spot-on spotless stable state-of-the-art steady stellar
    stunning sturdier sturdy stylish sublime substantial succulent sufficient sunny superbly superior superlative
    swanky swift tasteful tastier tasty tender thoughtful thrifty thumbs-up thumbs-up-for tidy tight-fitting timely
    to-die-for top-notch top-quality tranquil transparent trendy unbeatable uncluttered unforgettable unique unlimited
    unmatched unobtrusive unsurpassed updated upgradable upgraded upscale usable user-friendly varied velvety
    versatile vivid warm washable waterproof welcoming well-balanced well-built well-designed well-made well-prepared
    well-priced well-rounded well-thought-out well-worth wholesome world-class worthwhile worthy yum yummy zesty zippy
    """)
"""Words that praise."""

NEGATIVE = word_set("""
    abrasive abysmal aloof antiquated appalling atrocious average-at-best backbreaking beat below-average bent bland
    blaring bloated blurred blurry boomy breaks brittle brusque buggy bulky bummer burnt busy buzzy ca-n't-stand
    can-not-stand cannot-stand chaotic charred cheap-looking cheaply cheesy chewy chintzy chipped choppy
    claustrophobic clogged clumsy clunky cluttered complaint con condescending confusing cons convoluted corrosive
    corrupted counterintuitive cracked crackles crackling crackly cracks crammed cramped crashed crashes crashing
    creaking creaks creaky crooked crowded cryptic cumbersome curt cuts-off cuts-out dated dead deafening deal-breaker
    dealbreaker deceptive defective delayed dented deplorable dies dilapidated dim dimmer dingy dinky dishonest
    dismissive disorganized disservice distorted disturbing dodgy doughy downfall downsides drab drafty drains
    drawback drawbacks dreadful dreary dropped-calls drops-calls drops-out exorbitant expensive fades faint fall-apart
    falling-apart falls-apart falls-short fatty faulty feel-cheap feels-cheap fell-apart fell-short felt-cheap finicky
    flappy flavorless flaw flaws flickering flickers flimsy forgettable fragile frayed freezer-burned freezes freezing
    frigid froze fuzzy garbled garish gaudy get-hot gets-hot ghastly gimmicky glary glitch glitches glitchy gloomy
    got-hot grainy greasy gripe gripes gristly gross grubby gummy harsh hassle hazardous heavy hectic hideous hiss
    hit-and-miss hit-or-miss hollow horrid humid iffy ill-fitting impersonal impossible inaccurate inattentive
    incompatible incomplete inconsistent indifferent inedible inefficient inexcusable inoperable inoperative
    insufficient insult intermittent issue issues itchy jammed jerky joke junk junky keeps-dropping lacking lackluster
    laggy laughable leaking leaks leaky leave-a-lot-to-be-desired leaves-a-lot-to-be-desired leaves-much-to-be-desired
    let-down let-it-down let-me-down let-us-down let-you-down letdown lethargic lets-it-down lets-me-down
    lets-you-down limited limp look-cheap looks-cheap loose lopsided loud louder low-quality lukewarm lumpy
    malfunction malfunctioned meager mealy measly mediocre meh mildewed minuscule misaligned misleading mismatched
    miss missing moldy monotonous muddled muddy muffled muggy murky mushy musty narrow nasty nauseating nightmare
    noisy non-existent nonchalant nondescript nonexistent nonstandard nothing-special nuisance obsolete off-putting
    oily ordinary out-of-date out-of-order out-of-tune outdated over-cooked overbearing overbooked overcooked
    overcrowded overdone overdue overheat overheated overheating overheats overpowering overpriced overrated overrun
    oversalted overseasoned packed paltry peeling plasticky pointless poorly pricey problematic proprietary puny pushy
    quibble quit-working ragged rancid rattle rattles rattling redundant repetitive repulsive restrictive revolting
    rickety rip-off rotten rough rubbery rubbish run-down run-of-the-mill rundown runs-hot rushed rust rusty sagging
    saggy salty scalding scant scorching scratched scratches scratchy scuffed shabby shady shaky shallow shoddy
    short-lived shrill sickening sketchy skimpy slippery sloppy slow slower slowest slowly sluggish smelly smoky
    snobby snooty so-so soggy sounds-cheap sour sparse spoiled spotty squeaking squeaky stained stains stale static
    staticky steep sterile sticky stiff stingy stinky stopped-working stops-working stringy stubborn stuck stuffy
    sub-par subpar surly sweltering tacky takes-ages takes-forever tarnished tasteless tattered tedious temperamental
    tepid thin-sounding threadbare thumbs-down thumbs-down-for tinny tired took-ages took-forever touchy touristy
    toxic troublesome unable unacceptable unattentive unavailable unbearable uncomfortable undercooked underdone
    underpowered underseasoned understaffed underwhelming unethical uneven uneventful unfinished unhelpful
    unimaginative uninspired unnecessary unprofessional unreadable unreliable unremarkable unresponsive unripe unsafe
    unsatisfactory unseasoned unsteady unsupported unusable useless vague vile warped washed-out watery wilted wobbles
    wobbling wobbly wonky worn worn-out worrisome worthless
    """)
"""Words that blame."""

NEUTRAL = word_set("""
    hot cold late early green yeah special hard casual open live mere play forced known true more less much ready
    complete right left natural serious thin dark dry raw tight empty old familiar top secret latest surprising
    surprised wireless cordless stainless endless countless sleeveless strapless
    """)
"""Words that the packaged lexicons judge and reviews do not."""

NEUTRAL_IN_VADER = word_set("""
    ability active advantage agreed alarm attachment attack attraction attractions award blind block blocked boost
    brightness cancel cancelled cared cares certainly champ champagne champs clarity comfort comforter confidence
    created creates creating credit critical cuts damn death definite definitely delay desire desired diamond doubt
    dream drunk dynamic dynamics emergency encourage energy engage engaged ensure entertainment fight fire fitness
    flexibility forced friends gain gently giving grace grant granted greeted greeting gt guarantee harmonics heart
    helping helps hesitant hesitate hesitation holidays honestly honor honors hoped hopefully hopes hoping importantly
    increase increased interest interested isolated isolation jj jw kill l laugh laughing lies lol losing lowest
    loyalty luckily lying nuts opportunity parties played plays pressure promised protect protected protects rewards
    risk sadly safety saved screws security shared sharing shock sick smile smiles smiling solved steal strength
    stress strongly stuck support supporting surely suspect tension thankfully tops treasure treat true truly trust
    unfortunately value values vip warmth warned warning wise won worried worries worry xp
    """)
"""Words that VADER judges and reviews do not; TextBlob's judgement of them, if any, counts."""

_LARGE = "high long large huge big enormous higher longer larger bigger generous light lighter"
_SMALL = "low short small tiny lower shorter smaller heavier"
SIZES = dict.fromkeys(_LARGE.split(), 1) | dict.fromkeys(_SMALL.split(), -1)
"""Adjectives of size, and whether they praise: a *long* battery life, a *small* room."""

BAD_AS_PREDICATE = word_set("""
    hot cold hard late dark dry raw thin empty tight old wet off flat broken gone down crowded high-priced short slow
    plain
    """)
"""Adjectives that blame only as a predicate: the soup was *cold*, but *cold* cuts."""

MEASURES = frozenset(SIZES) | word_set("""
    hot cold warm cool hard soft thin thick dark bright light heavy loud quiet cheap simple plain basic compact strong
    weak fast slow deep shallow wide narrow dry wet tight loose fresh rich modern old empty busy late early short
    spicy
    """)
"""Adjectives that measure, so that the noun decides whether they praise: a *cheap* meal, *cheap* furniture."""

OPINION_NOUNS = word_set("""
    problem issue trouble complaint disappointment delight pleasure gem joke disaster nightmare mess lack hassle pain
    annoyance drawback downside flaw defect fault failure bargain steal winner treat perfection masterpiece beauty
    crap junk garbage rubbish ripoff rip-off bummer letdown let-down glitch plus minus nuisance ease improvement
    excellence shame waste shortcoming weakness bonus highlight concern gripe bug crash error must must-have
    """)
"""Nouns that judge: *problem*, *delight*."""

GOOD_NOUNS = word_set("""
    compliment delight pleasure gem bargain steal winner treat perfection masterpiece beauty plus ease improvement
    excellence bonus highlight must must-have
    """)
"""The opinion nouns that praise; the others blame."""

GOOD_VERBS = word_set("""
    love like enjoy adore appreciate recommend admire prefer impress please delight amaze exceed excel rock rule shine
    outperform satisfy try suggest
    """)
"""Verbs that praise their object or their subject."""

BAD_VERBS = word_set("""
    hate dislike loathe regret avoid lack despise disappoint fail break crash freeze suck stink annoy frustrate
    irritate overheat malfunction die bother ruin spoil leak rattle peel crack rust wobble squeak struggle suffer lag
    stall flicker drain sag break-down fall-apart jam snap
    """)
"""Verbs that blame their object or their subject."""

VERBS_OF_LIKING = word_set("""
    love like enjoy adore appreciate recommend hate dislike loathe regret avoid lack admire despise prefer suggest
    """)
"""Verbs that judge their object: I *love* the sound."""

VERBS_OF_FUNCTION = word_set("""
    work function respond charge start load hold last boot support read recognize open connect close fit stay help
    """)
"""Verbs that judge only where negated: it does not *work*."""

_REVERSED = {
    " ".join(SIZES.keys() - {"light", "lighter", "heavier"}): """
        price cost fee rate bill weight noise wait line delay latency temperature footprint profile
    """,
    " ".join(SIZES): "walk distance drive ride commute queue stroll",
    "loud louder quiet quieter": "speaker sound volume ringer ringtone alarm",
    "sharp": "edge corner",
    "cheap": "plastic feel material build",
}
REVERSED_PAIRS = frozenset(
    (opinion, noun) for opinions, nouns in _REVERSED.items() for opinion in opinions.split() for noun in nouns.split()
)
"""(opinion, noun) pairs that mean the opposite of what the opinion usually means: a *high* price, a *short* walk."""


LEAST_VALENCE = 1.0
"""VADER's mean rating, from -4 to 4, at which a word starts to count as an opinion."""
LEAST_POLARITY = 0.3
"""TextBlob's mean polarity, from -1 to 1, at which an adjective starts to count as an opinion."""
LEAST_MISSPELLED = 7
"""Shorter words are one letter away from too many others."""

_CACHED_WORDS = 200_000
_VERBS = dict.fromkeys(GOOD_VERBS, 1) | dict.fromkeys(BAD_VERBS, -1)
_VERB_FORMS = WordClass.VERB + WordClass.PAST + WordClass.ING


@lru_cache(_CACHED_WORDS)
def polarity(word: str) -> int:
    """Return +1 or -1 for an opinion word ("over-priced" and "accomodating" included), and 0 for any other."""
    known = _known()
    if word in known:
        return known[word]
    if word in CLASS_OF:
        return 0  # "as-well"
    if "-" in word:
        first, _, last = word.partition("-")
        return known.get(first + last) or (known.get(last, 0) if first not in ("not", "non") else 0)
    return known.get(base_adjective(word), 0) or _derived(word, known) or _unlisted(word, known)


def predicate_polarity(word: str) -> int:
    """Return -1 for an adjective that judges only as a predicate ("the soup was cold", but "cold cuts"), else 0."""
    return -1 if word in BAD_AS_PREDICATE else 0


@lru_cache(_CACHED_WORDS)
def verb_polarity(word: str) -> int:
    """Return +1 or -1 for a form of a verb that judges its object or its subject, and 0 for any other."""
    return _VERBS.get(word) or _VERBS.get(base_verb(word), 0)


@lru_cache(_CACHED_WORDS)
def polarity_as(word: str, word_class: str) -> int:
    """Return +1 or -1 for a word that judges as a member of this class."""
    if word_class == WordClass.OPINION_NOUN:
        return 1 if base_noun(word) in GOOD_NOUNS else -1
    if word_class in _VERB_FORMS:
        return verb_polarity(word) or polarity(word) or 1
    return polarity(word) or predicate_polarity(word) or -1


def opinion_words() -> frozenset[str]:
    """Return every opinion word and phrase; a phrase is written with hyphens."""
    return frozenset(_known())


def _derived(word: str, known: dict[str, int]) -> int:
    """Return the polarity that a word's parts give it: "flavorless", "unaccommodating", "overcooked"."""
    if word.endswith("less") and len(word) > 7 and word not in NEUTRAL:
        return -known.get(word[:-4] + "ful", 1)
    for prefix in ("un", "in", "im", "dis", "non"):
        root = word.removeprefix(prefix)
        if root != word and len(root) > 4 and root in known:
            return -known[root]
    if word.startswith(("over", "under")) and word.endswith("ed") and len(word) > 9:
        return -1
    return 0


def _unlisted(word: str, known: dict[str, int]) -> int:
    return 0 if is_english(word) else _stretched(word, known) or _misspelled(word)


@cache
def _known() -> dict[str, int]:
    listed = _textblob() | _vader() | SIZES | dict.fromkeys(POSITIVE, 1) | dict.fromkeys(NEGATIVE, -1)
    left_out = INTENSIFIERS | (GENERAL_ADJECTIVES - {"favorite", "favourite", "ok", "okay"}) | NEUTRAL
    return {word: sign for word, sign in listed.items() if word not in left_out and len(word) > 2}


def _textblob() -> dict[str, int]:
    """Return the adjectives of TextBlob's lexicon, by the mean polarity of their senses."""
    senses: dict[str, list[float]] = {}
    may_judge = (None, PartOfSpeech.ADJECTIVE, PartOfSpeech.VERB)
    for entry in ElementTree.parse(packaged_path("textblob", "en/en-sentiment.xml")).getroot():
        word = entry.get("form", "")
        if entry.get("pos") == "JJ" and word.islower() and likeliest_part_of_speech(word) in may_judge:
            senses.setdefault(word, []).append(float(entry.get("polarity", "0")))
    means = {word: sum(values) / len(values) for word, values in senses.items()}
    return {word: 1 if mean > 0 else -1 for word, mean in means.items() if abs(mean) >= LEAST_POLARITY}


def _vader() -> dict[str, int]:
    """Return the single words of VADER's lexicon with a clear valence."""
    lines = packaged_path("vaderSentiment", "vader_lexicon.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t")[:2] for line in lines if line)
    valences = {word: float(valence) for word, valence in rows if word.isalpha() and word not in NEUTRAL_IN_VADER}
    return {word: 1 if valence > 0 else -1 for word, valence in valences.items() if abs(valence) >= LEAST_VALENCE}


def _stretched(word: str, known: dict[str, int]) -> int:
    """Return the polarity of "greaaat" and "gooood"."""
    if not any(a == b == c for a, b, c in zip(word, word[1:], word[2:], strict=False)):
        return 0
    for most in (2, 1):
        shorter = "".join(c for at, c in enumerate(word) if word[max(0, at - most) : at] != c * most)
        if shorter in known:
            return known[shorter]
    return 0


def _misspelled(word: str) -> int:
    if len(word) < LEAST_MISSPELLED or not word.isascii():
        return 0
    signs = {sign for form in (word, *deletions(word)) for sign in _signs_by_deletion().get(form, ())}
    return signs.pop() if len(signs) == 1 else 0


@cache
def _signs_by_deletion() -> dict[str, frozenset[int]]:
    """Return, for each form, the polarities of the opinion words that become it by dropping at most one letter."""
    found: dict[str, set[int]] = {}
    for word, sign in _known().items():
        if len(word) >= LEAST_MISSPELLED and word.isalpha():
            for form in (word, *deletions(word)):
                found.setdefault(form, set()).add(sign)
    return {form: frozenset(signs) for form, signs in found.items()}
