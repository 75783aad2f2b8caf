"""The words that build a sentence rather than name or judge something, and the class of each."""

from __future__ import annotations

from counterec.extraction.grammar.word_class_patterns import WordClass

_WORDS = {
    WordClass.COPULA: """
        is are was were be been being am 're 'm isnt arent wasnt werent become becomes became remain remains remained
    """,
    WordClass.APOSTROPHE_S: "'s",
    WordClass.SENSE: """
        look looks looked feel feels felt sound sounds sounded taste tastes tasted smell smells smelled seem seems
        seemed appear appears appeared stay stays stayed get gets got gotten keep keeps kept turn turns turned come
        comes came prove proves proved run runs ran go goes went work works worked
    """,
    WordClass.LIKE: "like",
    WordClass.AUXILIARY: """
        will would can could should may might shall must 'll ca wo ai 'd 've do does did dont doesnt didnt cant
        couldnt wouldnt wont shouldnt cannot having has have had
    """,
    WordClass.NEGATION: "not n't never neither nor hardly barely scarcely seldom rarely nowhere",
    WordClass.TOO: "too overly excessively",
    WordClass.ADVERB: """
        very really so quite just also even still always most much super rather somewhat almost enough again already
        ever only here there now then as far away back up down out off over overall maybe perhaps soon often sometimes
        together else instead anyway either least anywhere everywhere somewhere forward ahead apart along around once
        twice later ago alone aside indeed tad bit kinda sorta both sure today tonight yesterday tomorrow online ultra
        upstairs downstairs nearby however as-well at-all kind-of sort-of a-lot not-only not-just no-doubt right-now
        of-course definitely certainly truly simply extremely incredibly absolutely totally completely especially
        particularly consistently pretty all way thus therefore otherwise besides basically actually exactly sooo soo
        itself himself herself themselves ourselves yourself myself
    """,
    WordClass.MORE: "more less",
    WordClass.DETERMINER: """
        the a an this these those my your his her its our their each every some any another whose no such both what
    """,
    WordClass.PRONOUN: """
        i you he she it we they me him us them mine yours hers ours theirs someone everyone somebody anybody everybody
        anyone nobody u
    """,
    WordClass.GENERAL_NOUN: "something anything everything nothing none",
    WordClass.RELATIVE: "that which who whom",
    WordClass.QUESTION_WORD: "whatever whoever when where why how",
    WordClass.PREPOSITION: """
        in on at for from into onto per than under above below between among against across behind beside beyond
        inside outside during toward towards upon within throughout via despite unlike minus versus vs thru till
        such-as out-of instead-of with by about of regarding concerning without after before through aside-from
        including
    """,
    WordClass.SENSE_ING: "looking sounding tasting performing smelling",
    WordClass.TO: "to",
    WordClass.AND: "and & + plus as-well-as or / n",
    WordClass.COMMA: ', "',
    WordClass.COLON: ": - -- – —",
    WordClass.BREAK: "but although though while whereas because except since if unless until whether ; [ ] * • yet",
    WordClass.OPEN: "(",
    WordClass.CLOSE: ")",
    WordClass.OTHER: "etc e.g. i.e. pm am yeah yes oh wow hey please thanks ok-then",
    WordClass.NOUN: "check-in check-out",
    WordClass.ADJECTIVE: """
        little new old other own same whole full single double different certain several many few various real actual
        main entire extra additional typical regular usual normal standard average basic general particular specific
        previous next final possible available ready able due first second third last ok okay favorite favourite only
        worth
    """,
}

_GENERAL = """
    one two three four five six seven eight nine ten couple dozen lot ton bunch number amount rest part side kind type
    sort thing ones time day night week month year hour minute moment morning evening afternoon weekend summer winter
    january february march april june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday dollar buck cent star percent inch foot mile pound person man woman guy girl kid
    child boy family friend husband wife son daughter mother father mom dad brother sister parent boyfriend girlfriend
    reason fact idea point example instance world end beginning opinion experience expectation review reviewer
    question answer word name sense mind hand eye job user chance luck birthday anniversary christmas gift vacation
    holiday trip god hell heck choice piece result solution difference lover condition option addition alternative bet
    advice try help need half favor impression way situation decision attempt matter truth thought gig state total
    stuff other right left high low buy duty player beginner musician group feat compliment date touch purchase
    product item change start research deal life occasion plenty combination slice bite fan advantage pair pick excuse
    level turnover standard people guest traveler traveller visitor tourist patron money unit device gadget model
    version stay visit story period request notice inspection
"""

_INTENSIFIERS = """
    pretty extremely incredibly absolutely totally completely truly really very definitely certainly simply super
    especially particularly consistently highly quite fairly rather seriously terribly awfully honestly sadly
    unfortunately sure surely well-known
"""

_NEGATING = """
    not n't no never neither nor without hardly barely scarcely seldom rarely nothing none nobody cannot cant dont
    doesnt didnt isnt wasnt arent wont couldnt wouldnt less nowhere
"""

CLASS_OF = {word: word_class for word_class, words in reversed(_WORDS.items()) for word in words.split()}
"""The class of every listed word; of a word listed twice, the first."""

GENERAL_NOUNS = frozenset(_GENERAL.split())
"""Nouns too general to be an aspect on their own: a nice *thing*, the best *part*."""

GENERAL_ADJECTIVES = frozenset(_WORDS[WordClass.ADJECTIVE].split())
"""Adjectives that are never part of a term: the *whole* experience."""

INTENSIFIERS = frozenset(_INTENSIFIERS.split())
"""Adverbs that only say how much, whatever else they may mean: *pretty* drafty, *awfully* good."""

NEGATIONS = frozenset(_NEGATING.split())
"""Words that turn the opinion after them, whatever their class."""
