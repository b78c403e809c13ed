"""Count in how many titles each word stands, and how many authors bear each family name.

    python packaging/count_titles.py FOLDER

FOLDER holds articles in JATS; the titles and the authors of their lists of references are what is
counted. The result is `resources/scholarly/frequencies.json`. Only words and counts are kept; what
occurs once is left out, since it says no more than what does not occur.
"""

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(folder: Path) -> None:
    """Count, and write the result."""
    sys.path.insert(0, str(ROOT))
    from core.documents.xml import local, parse
    from core.scholarly.titles import name_words, title_words

    titles: set[tuple[str, ...]] = set()
    families: Counter[str] = Counter()
    for file in sorted(folder.glob("*.xml")):
        for node in parse(file.read_bytes()).iter():
            text = "".join(str(part) for part in node.itertext()) if local(node) else ""
            if local(node) == "article-title":
                titles.add(tuple(title_words(text)))
            elif local(node) == "surname":
                families.update(set(name_words(text)))
    words = Counter(word for title in titles for word in set(title))
    result = {
        "titles": len(titles),
        "words": {word: n for word, n in sorted(words.items()) if n > 1},
        "authors": families.total(),
        "families": {name: n for name, n in sorted(families.items()) if n > 1},
    }
    target = ROOT / "resources/scholarly/frequencies.json"
    target.write_text(
        json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
    )
    print(f"{len(titles)} titles, {len(result['words'])} words, {len(result['families'])} names")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
