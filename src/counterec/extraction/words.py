"""The classes of words, each written as one letter, and the words of every class but nouns and opinions.

A sentence becomes a string of these letters, one a token, and what the extractor looks for becomes regular
expressions over that string. A word that is neither listed here nor an opinion counts as a noun, until a
corpus says otherwise. Words are listed in their base form, other forms only where the lemmatizer misses them;
a hyphenated entry stands for the phrase written with spaces, too ("as-well": "as well").
"""

from __future__ import annotations

NOUN = "N"
OPINION = "O"
AMOUNT = "H"
"""An adjective of size, an opinion on its own ("the room is small") but not before another ("a huge plus")."""
MANNER = "Y"
"""An adverb with a polarity: an opinion ("works badly", "badly made"), unless it strengthens ("horribly slow")."""
LIKING = "V"
"""A verb whose object is judged: *love* the sound, *lacks* bass."""
LIKE = "L"
"""The word *like*: a verb or a preposition."""
LINKING = "B"
"""A verb that ties an opinion to its subject: the sound *is* great."""
SENSE = "S"
"""A linking verb that also is a noun: it *sounds* good, the *sounds* are good."""
FUNCTION = "F"
"""A verb that judges only where negated: it does not *work*."""
DEED = "U"
"""A verb that also is a noun: it *features* a tuner, great *features*."""
VERB = "W"
MODAL = "M"
NEGATION = "G"
TOO = "E"
ADVERB = "R"
ADJECTIVE = "A"
DETERMINER = "D"
PRONOUN = "I"
RELATIVE = "K"
PREPOSITION = "P"
TOWARDS = "T"
"""A preposition that carries an opinion to its object: happy *with* the sound."""
AND = "C"
OR = "Q"
COMMA = ","
COLON = ":"
"""A colon or a dash, which may stand for *is*: "Battery: poor"."""
BREAK = "|"
"""What parts two clauses."""
OTHER = "X"
"""Words too general to be an aspect: *thing*, *day*, *friend*; numbers; whatever is no word."""

_WORDS = {
    LIKING: """
        love hate enjoy recommend appreciate dislike adore liked likes regret lack avoid loathe admire miss
        beat complain loving enjoying fan-of thumbs-up-for thumbs-down-for kudos-for ca-n't-stand cannot-stand
        can-not-stand
    """,
    LIKE: "like",
    LINKING: "is are was were be been am 's 're 'm seem become remain stay appear prove get keep turn",
    SENSE: "look feel sound taste smell",
    FUNCTION: "work function connect respond charge start load hold last boot pair",
    DEED: """
        play cost cover record order drink build drive fit handle feature grip mount clip hook stand press
        test sleep visit plan watch talk wait call switch upgrade update cut drop slide park ride shop finish
        control display design check release lock break set cause bend note rock bother pick
    """,
    VERB: """
        have has do does did make take come go give think say know see want find found put let run tell ask
        show bring leave left pay spend spent sit live eat serve expect believe guess suppose mean hear heard
        read write add plug open close happen change move replace return receive arrive ship install allow
        include provide offer compare produce carry wear adjust tune learn begin stop continue decide fall
        travel book grab notice mention consider remember forget wish hope care hang wonder suggest choose
        speak listen meet greet rate require share shut sell send throw figure attach remove push pull hit
        save prefer stick lay lie create reach win lose thank please join promise accept agree depend browse
        prepare locate base decorate furnish equip maintain stock realize understand explain imagine assume
        describe contain appoint follow perform operate survive react recognize register deliver convert admit
        deserve pack supposed made having being getting looking sounding feeling going doing making lasting
        staying using coming considering
    """,
    MODAL: "will would can could should may might shall 'll ca wo ai 'd 've",
    NEGATION: """
        not n't no never neither without nowhere hardly barely scarcely seldom rarely nothing none nobody
        cannot cant dont doesnt didnt isnt wasnt arent wont couldnt wouldnt less less-than far-from
        anything-but
    """,
    TOO: "too overly excessively",
    ADVERB: """
        very really so quite just also even still always more most much pretty super rather somewhat almost
        enough again already ever only here there now then as far away back up down out off over overall maybe
        perhaps yet soon often sometimes together else instead anyway either least how when where why anywhere
        everywhere somewhere forward ahead apart along around through once twice later ago before after alone
        aside indeed tad bit kinda sorta both sure wow oh yes yeah today tonight yesterday tomorrow online
        home first second third ultra upstairs downstairs nearby however as-well at-all kind-of sort-of a-lot
        not-only not-just not-to no-doubt not-forget no-matter as-long so-long as-far so-far right-now
        of-course
    """,
    ADJECTIVE: """
        little new old other own same whole full single double different certain several many few various real
        actual main entire extra additional typical regular usual normal standard average basic general
        particular specific previous next final possible available ready able due black white red blue green
        brown silver gold gray grey pink yellow dark plain hot cold dry wet thick thin wide narrow deep flat
        round square tight hard soft top bottom rear right inner outer upper middle digital electric
        electronic acoustic wireless automatic manual local private public central common current recent
        modern traditional classic original natural major minor serious important aware familiar used built-in
        newer older medium mid american italian french chinese japanese indian thai mexican spanish asian
        european british english such multiple similar complete proper correct wooden metal international
        grand busy daily initial personal external internal outdoor indoor late early near special latest
        minimal overnight free curious significant straight excited loyal passive exposed alive
    """,
    DETERMINER: """
        the a an this these those my your his her its our their each every some any all another whose
    """,
    PRONOUN: """
        i you he she it we they me him us them myself yourself himself herself itself ourselves themselves
        mine yours hers ours theirs someone everyone somebody anybody everybody something anything everything
        what whatever whoever u
    """,
    RELATIVE: "that which who whom",
    PREPOSITION: """
        to in on at for from into onto per than under above below between among against across behind beside
        besides beyond inside outside during toward towards upon within throughout via despite unlike minus
        versus vs thru till such-as out-of instead-of
    """,
    TOWARDS: "with by about of regarding concerning",
    AND: "and & + plus as-well-as",
    OR: "or nor /",
    COMMA: ', "',
    COLON: ": - -- – —",
    BREAK: "but although though while whereas because except since if unless until whether ; ( ) [ ] * •",
    OTHER: """
        one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand
        couple dozen lot ton plenty bunch number amount rest part side kind type sort thing stuff item product
        purchase brand model version ones unit device time day night week month year hour minute moment
        morning evening afternoon weekend summer winter january february march april june july august
        september october november december monday tuesday wednesday thursday friday saturday sunday dollar
        buck cent star percent inch foot mile pound people person man woman guy girl kid child boy family
        friend husband wife son daughter mother father mom dad brother sister parent boyfriend girlfriend
        reason fact idea point example instance world end beginning opinion experience expectation review
        reviewer question answer word name sense mind hand eye job user amazon ebay etc e.g. i.e. pm chance
        course luck thanks birthday anniversary christmas gift vacation holiday trip party god hell heck
        choice piece result place solution money difference lover condition option addition alternative bet
        must advice joy use buy try help need half pc company business research honest favor impression way
        anyone situation decision attempt matter truth fan thought gig deal walk surprise state duty shape
        sleeper lady gentleman folk group sum total
    """,
}

_LARGE = "high long large huge big enormous higher longer larger bigger generous light lighter"
_SMALL = "low short small tiny lower shorter smaller heavier"
AMOUNTS = dict.fromkeys(_LARGE.split(), 1) | dict.fromkeys(_SMALL.split(), -1)
"""Adjectives of size, and whether they praise: a *long* battery life, a *small* room."""

CLASS_OF = {word: letter for letter, words in _WORDS.items() for word in words.split()}
"""The letter of every listed word."""
CLASS_OF |= dict.fromkeys(AMOUNTS, AMOUNT)
