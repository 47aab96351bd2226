"""Words that ask rather than name."""

REFERENCE = frozenset(
    "a about an and are be been between can could describe did do does explain for give how i in is it its me mine my of on or "
    "our please should show tell that the these this those to use using versus vs was we were what when where which who whom "
    "why will with would you your".split()
)

DEFAULT = REFERENCE | frozenset(
    "also am any as at both but by compare concerning define definition each every from get had has have he her here him his if "
    "into just know let like list many may might more most much name need no not now only other ours over say she so some such "
    "than their them then there they too under until up upon us very want without yes yet".split()
)
