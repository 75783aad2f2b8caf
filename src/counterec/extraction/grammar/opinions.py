"""Opinion words of reviews that the packaged lexicons lack, or have wrong."""

from __future__ import annotations

from counterec.extraction.grammar.listing import listed
from counterec.extraction.words import AMOUNTS

POSITIVE = listed("""
    above-average second-to-none favorite favourite ok okay plenty-of lots-of healthy diverse free well-worth
    out-of-this-world fan-of in-love-with patient moist homemade handmade handcrafted varied consistent quaint
    intimate classic classy personable informative amiable hearty lively bustling scenic secluded central breathtaking
    soothing aromatic zesty flaky buttery velvety wholesome fluffy plush airy bright sunny serene peaceful tranquil
    hassle-free easy-going obliging gracious welcoming accommodating courteous competent efficient proficient
    responsive cooperative thoughtful considerate punctual timely competitive bargain economical thrifty
    cost-effective sensible well-rounded resonant warm rich lush full-bodied articulate balanced transparent
    expressive playable in-tune stable secure tight-fitting grippy foldable adjustable washable breathable absorbent
    waterproof durable long-lived powerful potent capable robust beefy hefty fast-acting accurate reliable flawless
    foolproof hands-down legible ample generous hip chic trendy upscale swanky posh opulent lavish elegant tasteful
    ornate picturesque unforgettable noteworthy commendable admirable superlative superior exemplary legendary iconic
    stunning dazzling jaw-dropping mouth-watering mouthwatering finger-licking lip-smacking addicting scrumptious
    delectable yummy delish heavenly divine filling satisfying gigantic substantial fresher crispier safe sanitary
    odorless soundproof organic crunchy seasoned modern renovated refurbished updated upgraded spot-on on-point
    no-nonsense worthwhile worthy compatible upgradable seamless painless quick-witted attentive hospitable cordial
    affable jovial soft well-prepared more-than-enough fancy higher-quality essential edible spicy necessary sufficient
    """)
"""Words that praise and that the packaged lexicons lack."""

NEGATIVE = listed("""
    below-average sub-par nothing-special busy drafty out-of-date so-so non-existent nonexistent lumpy sketchy fatty
    flavorless unremarkable nonchalant overbearing packed crammed steep lacking missing burnt charred overdone stringy
    gristly rubbery chewy gummy doughy mealy freezer-burned rancid spoiled rotten stinky smoky mildewed moldy peeling
    frayed stained threadbare ragged tattered dilapidated run-down rundown worn tired drab dreary gloomy sterile
    impersonal indifferent aloof surly snobby snooty pushy curt brusque condescending dismissive unprofessional
    disorganized chaotic hectic understaffed overbooked overrun touristy deafening blaring shrill harsh boomy muddled
    hollow thin-sounding distorted crackling staticky scratchy tinny buzzy out-of-tune warped bent chipped dented
    scuffed mismatched misaligned crooked lopsided loose flappy slippery stubborn unresponsive sluggish lethargic
    laggy glitchy corrupted defective faulty inoperative inoperable useless worthless pointless redundant obsolete
    proprietary incompatible unsupported nonstandard restrictive confusing convoluted counterintuitive cryptic vague
    misleading deceptive dishonest shady unethical unsafe hazardous toxic corrosive itchy abrasive ill-fitting
    uncomfortable backbreaking saggy sagging squeaking creaking wobbling leaking clogged stuck jammed flimsy dinky
    chintzy cheesy gaudy garish tacky cheap-looking plasticky overdue delayed unacceptable inexcusable deplorable
    appalling atrocious horrid abysmal dreadful ghastly vile nasty gross revolting repulsive sickening nauseating
    average-at-best run-of-the-mill forgettable uneventful uninspired unimaginative repetitive monotonous skimpy
    stingy meager measly paltry sparse scant minuscule claustrophobic stuffy humid muggy freezing frigid scalding
    scorching sweltering lukewarm tepid soggy limp wilted overcooked undercooked underdone overseasoned underseasoned
    oversalted unseasoned unripe stale bummer downfall insult disservice complaint disturbing troublesome problematic
    worrisome hit-and-miss hit-or-miss out-of-order dead unfinished incomplete over-cooked narrow ordinary tarnished
    glary
    """)
"""Words that blame and that the packaged lexicons lack."""

AS_PREDICATE = listed("""
    hot cold hard late dark dry raw thin empty tight old wet off flat broken gone down crowded high-priced short slow
    plain
    """)
"""Adjectives that blame only where they are said of something: the soup was *cold*."""

NEUTRAL = listed("""
    hot cold late early green yeah special hard casual open live mere play forced known true more less much ready
    complete right left natural serious thin dark dry raw tight empty old familiar top secret latest surprising
    surprised wireless cordless stainless endless countless sleeveless strapless
    """)
"""Words that the packaged lexicons judge, and reviews do not."""

GOOD_VERBS = listed("""
    love like enjoy adore appreciate recommend admire prefer impress please delight amaze exceed excel rock rule shine
    outperform satisfy try suggest
    """)
"""Verbs that praise their object or their subject."""

BAD_VERBS = listed("""
    hate dislike loathe regret avoid lack despise disappoint fail break crash freeze suck stink annoy frustrate
    irritate overheat malfunction die bother ruin spoil leak rattle peel crack rust wobble squeak struggle suffer lag
    stall flicker drain sag break-down fall-apart jam snap
    """)
"""Verbs that blame their object or their subject."""

DISTANCES = listed("walk distance drive ride commute queue stroll")
"""Nouns of which a small amount praises: a *short* walk."""

MEASURES = frozenset(AMOUNTS) | listed("""
    hot cold warm cool hard soft thin thick dark bright light heavy loud quiet cheap simple plain basic compact strong
    weak fast slow deep shallow wide narrow dry wet tight loose fresh rich modern old empty busy late early short spicy
    """)
"""Adjectives that measure, so that the noun decides whether they praise: a *cheap* meal, *cheap* furniture."""
