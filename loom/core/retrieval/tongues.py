"""The small words of seven languages: those that ask, those that point back, and those that any topic might be asked with."""

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language. `marks` tell it from the others; `small` are words that name nothing; `light` are words that could be asked
    about anything (its parts, its cost); `points` point at something said before; `opens` go on from what was said; `about`
    are the beginnings of "what about …"; `empty` are the neighbours beside which a pointing word points at nothing."""

    name: str
    marks: frozenset[str]
    small: frozenset[str]
    light: frozenset[str]
    points: frozenset[str]
    opens: frozenset[str]
    about: tuple[tuple[str, ...], ...]
    empty: frozenset[tuple[str, str]] = frozenset()


def _tongue(name: str, *, marks: str, small: str, light: str, points: str, opens: str, about: str, empty: str = "") -> Tongue:
    pairs = frozenset((first, second) for first, second in (pair.split() for pair in empty.split("|") if pair))
    return Tongue(
        name,
        frozenset(marks.split()),
        frozenset(f"{marks} {small} {opens}".split()),
        frozenset(light.split()),
        frozenset(points.split()),
        frozenset(opens.split()),
        tuple(tuple(phrase.split()) for phrase in about.split("|")),
        pairs,
    )


ENGLISH = _tongue(
    "en",
    marks="the of is are what how does why which who and to in for with it that do can from",
    small="""a about above after again against ago all almost already also although always am an another any anybody anyone anything
    anyway anymore as at away be because been before behind being below between beyond both but by cannot can't could couldn't did didn't do doesn't
    don't doing done down during each either else enough especially etc even ever every everyone everything exactly few generally
    had has hasn't have haven't having he hence her here hers him his i i'd i'll i'm i've if inside instead into isn't aren't wasn't its itself just
    least less let let's like likely made many may maybe me might mine more most mostly much must my myself near neither never no nobody none
    nor not nothing now off often on once one ones only onto or other others otherwise our ours out outside over own per perhaps please
    pretty probably quite rather really same shall she should shouldn't since so some somebody someone something sometimes soon still such than
    thank thanks that's their theirs them themselves then there these they this those though through thus till today together too
    toward towards typically under underneath unless unlike until up upon us usually very versus via vs was we well were what's whats
    whatever when whenever where where's whereas wherever whether whichever while whom who's whose why's within without won't would
    wouldn't yet you you're your yours actually right yes yeah ok okay two three four five ten hi hello hey eg ie hows how's thats theres there's""",
    light="""work works working worked use uses used using need needs needed require requires required depend depends rely relies mean
    means meant help helps make makes making happen happens happened exist exists start starts started begin begins go goes going went come comes came get
    gets getting got take takes took put puts run runs running think say says said explain elaborate expand continue clarify describe define
    compare compared compares differ differs relate relates related apply applies matter matters cost costs look looks looking call called know
    understand learn sit sits fit fits belong belongs enable enables contain contains include includes included consist consists tell show
    list give gives add read see find want wants try keep become becomes became seem seems involve involves
    part parts piece pieces component components element elements alternative alternatives option options example examples instance
    instances sample samples drawback drawbacks downside downsides upside upsides benefit benefits advantage advantages disadvantage
    disadvantages pro pros con cons risk risks problem problems issue issues limitation limitations limit limits weakness weaknesses
    strength strengths case cases application applications requirement requirements prerequisite prerequisites dependency dependencies
    type types kind kinds sort sorts category categories class classes parent parents child children detail details info information
    stuff thing things point purpose idea reason reasons way ways step steps difference differences similarity similarities
    relation relations relationship property properties feature features price prices history origin origins future meaning definition
    summary overview comparison version versions variant variants implication implications consequence consequences effect effects
    impact goal goals role place name names tradeoff tradeoffs trade-off trade-offs question answer catch bit lot rest deal use-case use-cases
    good bad better best worse worst big bigger main key important common typical popular different similar first second third next
    previous last former latter new newer newest old older oldest fast faster fastest slow slower cheap cheaper safe safer hard harder easy easier
    simple simpler large larger small smaller strong stronger weak weaker further deeper short long longer possible specific practical real
    basic free wrong true necessary expensive actual certain latest recent current""",
    points="it its itself they them their theirs themselves he him his she her hers that this these those one ones such there both either "
    "neither same former latter first second third fourth last other others older newer earlier later previous two three rest",
    opens="and so but also then or plus",
    about="what about|how about",
)  # fmt: skip

TONGUES = (
    _tongue(
        "de",
        marks="der die das und ist sind was wie warum welche welcher welches nicht ein eine für mit von zu den dem wird werden auf gibt wer sie",
        small="""aber alle alles als am an andere anderen auch aus bei beim bin bis bitte da dann denn des doch du durch einem einen einer eines
        er es etwa haben hat hast hier ich ihm ihn ihnen ihr im in ja kann kannst können könnte man mehr mein mich mir muss nach nein noch nur ob oder
        ohne schon sein sehr sich sie sind so soll über um uns unter vom vor wann war wäre weil wem wen wenn wer wessen wir wird wo wofür
        womit woraus worin wurde zum zur zwischen weshalb wieso sowie""",
        light="""funktioniert funktionieren braucht brauchen benötigt nutzt nutzen benutzt verwendet verwenden gehört gehören bedeutet heißt
        macht machen geht tun teile teil bestandteile alternativen beispiele beispiel vorteile nachteile risiken probleme arten art unterschied
        unterschiede kosten kostet preis zweck grund gründe details erkläre erklären vergleich besser schlechter schneller langsamer sicherer
        erste zweite genau eigentlich voraussetzungen weitere sicher gut darunter""",
        points="""er sie es ihn ihm ihnen sein seine seinen seiner ihre ihren ihrer deren dessen das dies diese dieser dieses diesen diesem jene jener jenes
        damit dafür davon darin dabei dazu daran darauf daraus darüber dagegen dadurch darunter beide beiden erstere ersteres letztere letzteres
        letzterer""",
        opens="und aber also auch dann oder",
        about="was ist mit|wie ist es mit|wie steht es mit|wie sieht es mit",
        empty="gibt es|es gibt|ist es|wäre es|es ist|ist das|wie sie",
    ),
    _tongue(
        "fr",
        marks="le la les des est et que qui quoi comment pourquoi quelle quel quels quelles une un pour dans avec sont ce du c d l qu",
        small="""à au aux avec car chez comme de depuis donc elle elles en entre être fait il ils je la leur lui mais me même moi mon ne nous on ont
        ou où par pas peut peux plus pouvez quand quelque sa sans se ses si son sont sous sur ta te toi tu très va vous y a ai as avez j n s t m m'
        alors aussi ça cela combien cet cette ces""",
        light="""marche fonctionne fonctionnent sert besoin faut utilise utilisent utiliser veut dire faire parties partie composants
        alternatives exemples exemple avantages inconvénients risques problèmes types type différence différences coût coûte prix but raison
        raisons détails explique expliquer compare meilleur mieux pire rapide lent premier première second seconde autres autre existe dépend nécessite""",
        points="il elle ils elles lui leur leurs ça cela ceci cette cet ces celui celle ceux celles son sa ses ce",
        opens="et mais donc aussi alors ou",
        about="et si|qu en est il de|quid de|et pour",
        empty="il y|il faut|il est|est il|y il|faut il|existe il|t il|il s|est ce|ce que|ce qui|ce qu|c est",
    ),
    _tongue(
        "es",
        marks="el los las es qué que cómo por para con una un del está son cuál cuáles quién y de se hay",
        small="""a al algo alguna algún ante antes así aún cada como cuando cuándo cuánto desde donde dónde e él ella ello ellos en entre era es
        eso esa ese esta este esto estos estas esos esas fue ha hace hacen hay la le les lo más me mi mientras mucho muy ni no nos o otra otro
        para pero porque pues puede puedes quien se ser si sí sin sobre su sus también tan te tiene tienen todo tu tus u un unos ya yo""",
        light="""funciona funcionan sirve necesita necesitan usa usan usar significa quiere decir partes parte componentes alternativas
        ejemplos ejemplo ventajas desventajas riesgos problemas tipos tipo diferencia diferencias coste costo cuesta precio razón razones
        detalles explica explicar compara mejor peor rápido lento primero primera segundo segunda depende requiere hacer existe existen""",
        points="él ella ellos ellas ello lo su sus eso esto ese esa esos esas este esta estos estas aquel aquella ambos ambas",
        opens="y pero entonces también o",
        about="y qué tal|qué hay de|qué tal|y si",
        empty="lo que|lo más|lo mejor|lo de|esta semana|este año|este mes",
    ),
    _tongue(
        "it",
        marks="il gli di è che cosa come perché per con una un del della sono quale quali chi cos",
        small="""a ad ai al alla alle allo anche ancora anzi c ci cui da dal dalla dei delle dentro devo dove e ed era essere fa fra ha hanno ho i io
        in la le lei li lo loro lui ma me mi mio molto ne nel nella nelle no noi non o per però più può puoi quando quanto se senza si sia
        sono su sua sue sul sulla suo suoi te ti tra tu tutti un uno vi voi questo questa quello quella""",
        light="""funziona funzionano serve servono usa usano usare significa vuol dire parti parte componenti alternative esempi esempio
        vantaggi svantaggi rischi problemi tipi tipo differenza differenze costo costa prezzo motivo motivi dettagli spiega spiegare
        confronta meglio peggio veloce lento primo prima secondo seconda dipende richiede bisogno fare esiste esistono""",
        points="esso essa essi esse lui lei loro suo sua suoi sue questo questa questi queste quello quella quelli quelle ciò entrambi entrambe",
        opens="e ma quindi anche allora o",
        about="e per|che ne dici di|e se",
    ),
    _tongue(
        "nl",
        marks="het een van is zijn wat hoe waarom welke en voor met niet naar wordt worden de te op heeft hem haar",
        small="""aan al alle als bij dan dat deze die dit doet door er ge geen haar had heb hebben heeft hem hen hier hij hun ik in ja je jij kan kun
        kunnen maar me meer mij mijn moet na nee nog nu of om onder ons ook over tegen tot u uit uw waar wanneer was we wel wie wij wil ze zich zij zo""",
        light="""werkt werken nodig gebruikt gebruiken gebruik betekent doen delen deel onderdelen alternatieven voorbeelden voorbeeld
        voordelen nadelen risico risico's problemen soorten soort verschil verschillen kosten kost prijs reden redenen details uitleggen
        vergelijk beter slechter sneller langzamer eerste tweede precies hangt eisen""",
        points="""hij zij ze hem haar hun hen dit dat deze die ervan daarvan ermee daarmee ervoor daarvoor erin daarin erop eraan beide
        laatste eerste""",
        opens="en maar dus ook dan of",
        about="hoe zit het met|en hoe zit|wat dacht je van|wat met",
    ),
    _tongue(
        "pt",
        marks="os as um uma é são que como por para com não qual quais quem do da dos das e o quê",
        small="""a ao aos até cada de dela dele deles em ela elas ele eles entre era essa esse esta está este eu foi há isso isto já lhe mais mas me
        meu muito na nas nem no nos num numa onde ou pela pelo pode quando quanto se sem ser seu seus sim só sobre sua suas também te tem têm
        tu um você vocês disso disto nisso""",
        light="""funciona funcionam serve precisa precisam usa usam usar significa quer dizer partes parte componentes alternativas exemplos
        exemplo vantagens desvantagens riscos problemas tipos tipo diferença diferenças custo custa preço razão razões detalhes explica
        explicar compara melhor pior rápido lento primeiro primeira segundo segunda depende exige requer fazer existe existem""",
        points="""ele ela eles elas dele dela deles delas isso isto disso disto nisso esse essa esses essas este esta estes estas aquele aquela seu sua
        seus suas ambos ambas""",
        opens="e mas então também ou",
        about="e quanto a|e se|que tal",
        empty="esta semana|este ano|este mês",
    ),
)  # fmt: skip


@cache
def _marks() -> frozenset[str]:
    return frozenset().union(*(tongue.marks for tongue in TONGUES)) - ENGLISH.marks


def tongue_of(words: list[str]) -> Tongue:
    """The language most of whose marks are among the words; English where none has more of them."""
    given = set(words)
    if given.isdisjoint(_marks()):
        return ENGLISH
    best, most = ENGLISH, len(given & ENGLISH.marks)
    for tongue in TONGUES:
        if (count := len(given & tongue.marks)) > most:
            best, most = tongue, count
    return best
