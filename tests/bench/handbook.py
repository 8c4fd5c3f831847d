"""The Debian Administrator's Handbook as plain paragraphs, one language at a time (fetched by fetch_texts.sh)."""
import html.parser
import re

# What a paragraph must have to count as translated: the book leaves some in English.
_SCRIPTS = {
    "zh-CN": "[\u4e00-\u9fff]", "zh-TW": "[\u4e00-\u9fff]", "ja-JP": "[\u3040-\u30ff\u4e00-\u9fff]", "ko-KR": "[\uac00-\ud7af]",
    "ru-RU": "[\u0400-\u04ff]", "ar-MA": "[\u0600-\u06ff]",
}
_SCRIPT_SHARE_MIN = 0.3
_WORDS = {
    "en-US": {"the", "of", "and", "to", "is"}, "de-DE": {"der", "die", "und", "das", "ist", "den"},
    "fr-FR": {"le", "la", "les", "de", "et", "des"},
}
_CHARS_MIN = 80
_BLOCKS = {"p", "li", "h1", "h2", "h3", "pre", "dt", "dd", "td"}


class _Paragraphs(html.parser.HTMLParser):
    """Collects the text of <p>, with white space made single."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found, self._open = [], None

    def handle_starttag(self, tag, attrs):
        if tag in _BLOCKS:
            self._close()
        if tag == "p" or (tag == "div" and ("class", "para") in attrs):
            self._open = []

    def handle_endtag(self, tag):
        if tag in _BLOCKS or tag == "div":
            self._close()

    def handle_data(self, data):
        if self._open is not None:
            self._open.append(data)

    def _close(self):
        if self._open is not None:
            self.found.append(" ".join("".join(self._open).split()))
        self._open = None


def _is_translated(paragraph, language):
    if language in _SCRIPTS:
        letters = sum(1 for c in paragraph if c.isalpha())
        return len(re.findall(_SCRIPTS[language], paragraph)) >= _SCRIPT_SHARE_MIN * max(1, letters)
    return len(_WORDS[language] & set(paragraph.lower().split())) >= 2


def paragraphs(directory, language):
    """All paragraphs of that language, each once, in the order of the files' names."""
    chars_min = _CHARS_MIN // 3 if language in ("zh-CN", "zh-TW", "ja-JP", "ko-KR") else _CHARS_MIN
    seen = {}
    for file in sorted((directory / "handbook" / language).glob("*.html")):
        reader = _Paragraphs()
        reader.feed(file.read_text("utf-8"))
        for paragraph in reader.found:
            if len(paragraph) >= chars_min and _is_translated(paragraph, language):
                seen.setdefault(paragraph)
    return list(seen)
