"""Prints what Pygments says of code: names and aliases of its languages, and the classes of the tokens of samples.

The input is a JSON list of [alias, code]. The output is a JSON object: `languages` lists [name, aliases], and `samples`
has a list of [class, text] for each pair of the input.
"""
import json
import sys
from functools import lru_cache

from pygments.formatters import HtmlFormatter
from pygments.lexers import get_all_lexers, get_lexer_by_name

formatter = HtmlFormatter()


@lru_cache(maxsize=None)
def find_lexer(alias):
    return get_lexer_by_name(alias, startinline=True)


def tokens(alias, code):
    return [[formatter._get_css_classes(kind), text] for kind, text in find_lexer(alias).get_tokens(code)]


json.dump(
    {
        "languages": [[name, aliases] for name, aliases, _, _ in get_all_lexers(plugins=False)],
        "samples": [tokens(alias, code) for alias, code in json.load(sys.stdin)],
    },
    sys.stdout,
)
