"""An ARFF file that cannot be read is refused with place, value and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workbench.source.read.arff.files import HEADER, read
from workbench.source.errors import SourceError
from workbench.source.read.arff import reader as arff

NO_RELATION = "An ARFF file begins with a line @relation and a name; open this one as another format."
NO_INDEX = "is not the number of an attribute. In a sparse row the attributes have the numbers 0 to 2."
QUOTE_REMEDY = "Close it; within quotes an apostrophe is written \\'."
WIDTH_REMEDY = "Mend the line: a missing value is written ?, one with a blank, comma or % stands in quotes."
TYPES = "numeric, real, integer, string, date or a set of values in braces"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "r.arff is empty. Choose a file with rows and columns."),
        ("% only this\n", f"r.arff has no line @relation. {NO_RELATION}"),
        ("\na,b\n1,2\n", f"r.arff, line 2: 'a' stands before @relation. {NO_RELATION}"),
        ("@attribute x real\n@data\n1\n", f"r.arff, line 1: '@attribute' stands before @relation. {NO_RELATION}"),
        (
            "@relation r\n@attribute x real\n",
            "r.arff, line 2 ends the file without a line @data. Write @data in a line above the rows.",
        ),
        (
            "@relation r\n@data\n1\n",
            "r.arff, line 2: '@data' comes before any attribute. Write a line @attribute with name and type for every "
            "column.",
        ),
        (
            "@relation r\n@attribute x real\n@data 1\n",
            "r.arff, line 3: '1' stands in the line of @data. Begin the rows in the next line.",
        ),
        (
            "@relation r\n@inputs x\n@attribute x real\n@data\n1\n",
            "r.arff, line 2: '@inputs' is not a line of a header. A header has lines that begin with @relation, "
            "@attribute and @data, and comments after %.",
        ),
        (
            "@relation r\n@attribute x\n@data\n1\n",
            f"r.arff, line 2: 'x' is an attribute without name or type. Write a name and one of: {TYPES}.",
        ),
        (
            "@relation r\n@attribute\n@data\n1\n",
            f"r.arff, line 2: '@attribute' is an attribute without name or type. Write a name and one of: {TYPES}.",
        ),
        (
            "@relation r\n@attribute x float\n@data\n1\n",
            f"r.arff, line 2: 'x' has the type 'float', which ARFF does not know. Use {TYPES}.",
        ),
        (
            "@relation r\n@attribute x '{' a\n@data\na\n",
            f"r.arff, line 2: 'x' has the type '{{', which ARFF does not know. Use {TYPES}.",
        ),
        (
            "@relation r\n@attribute bag relational\n@attribute x real\n@end bag\n@data\n'1'\n",
            "r.arff, line 2: 'bag' is a relational attribute, a table within a value, which is not read here. "
            "In Weka, apply the filter MultiInstanceToPropositional and save the result.",
        ),
        (
            "@relation r\n@attribute c {a,\nb\n@data\na\n",
            "r.arff, line 2: 'c' opens a set of values { that is not closed. Close it with } after the last value.",
        ),
        (
            "@relation r\n@attribute c {a,b} x\n@data\na\n",
            "r.arff, line 2: 'c' has 'x' after its set of values. End the line after the }.",
        ),
        (
            "@relation bob's\n@attribute x real\n@data\n1\n",
            f'r.arff, line 1: "@relation bob\'s" has a quote that is not closed. {QUOTE_REMEDY}',
        ),
        (
            "@relation r\n@attribute d date 'EEE dd'\n@data\n1\n",
            "r.arff, line 2, attribute 'd': 'EEE dd' is no date format: the part 'EEE' is not known here. Use yyyy, "
            "yy, MM, dd, HH, hh, mm, ss, SSS, a, Z and XXX, and text in apostrophes.",
        ),
        (
            "@relation r\n@attribute x real\n@data\n% none\n\n",
            "r.arff has a header but no rows. Choose a file with rows after @data.",
        ),
        (
            HEADER + "1,a,x\n2,a\n",
            f"r.arff, line 7: '2,a' has 2 values where 3 attributes are declared. {WIDTH_REMEDY}",
        ),
        (
            HEADER + "% c\n1,a,x,y % d\n",
            f"r.arff, line 7: '1,a,x,y' has 4 values where 3 attributes are declared. {WIDTH_REMEDY}",
        ),
        (
            "@relation r\n@attribute x real\n@data\n1,2\n",
            f"r.arff, line 4: '1,2' has 2 values where 1 attribute is declared. {WIDTH_REMEDY}",
        ),
        (
            HEADER + "1,a,x\n2,b,x\n",
            "r.arff, line 7, column 'c': 'b' is not a declared value. Mend it, or declare it in the header, which has: "
            "a, b c, d.",
        ),
        (
            HEADER + "\n\n1,a,x\n% c\n1.2.3,a,x\n",
            "r.arff, line 10, column 'x': '1.2.3' is not a number. Mend it, write ? if it is missing, or declare the "
            "attribute as string.",
        ),
        (
            "@relation r\n@attribute d date yyyy-MM-dd\n@data\n2026-01-31\n2026-02-30\n",
            "r.arff, line 5, column 'd': '2026-02-30' is not a date of the form yyyy-MM-dd. Write it as 2026-01-31, or "
            "declare the format that the file has.",
        ),
        (
            HEADER + "1,'b c,x\n",
            f"r.arff, line 6, column 'c': \"'b c x\" opens a quote ' that is not closed in the line. {QUOTE_REMEDY}",
        ),
        (
            HEADER + "{0 1, 3 x}\n",
            f"r.arff, line 6: '3' {NO_INDEX}",
        ),
        (
            HEADER + "{x 1}\n",
            f"r.arff, line 6: 'x' {NO_INDEX}",
        ),
        (
            HEADER + "{2 x, 0 1}\n",
            "r.arff, line 6: '0' comes after the attribute number 2. Sort the values of a sparse row by their "
            "attributes, each of them once.",
        ),
        (
            HEADER + "{0 1, 2}\n",
            "r.arff, line 6: '2' has an index without a value. Write index and value in turn.",
        ),
        (
            HEADER + "{0 1, 2 x\n",
            "r.arff, line 6: '{ 0 1 2 x' opens a sparse row with { that is not closed. Close it with } in the same "
            "line.",
        ),
        (
            HEADER + "1,a,x,{-1}\n",
            "r.arff, line 6: '{ -1 }' is not the weight of a row. Write a number of 0 or more in the braces.",
        ),
        (
            HEADER + "1,a,{x}y\n",
            "r.arff, line 6: '{ x } y' is not the weight of a row. A weight stands in braces at the end: {2.5}; put a "
            "value that contains a brace into quotes.",
        ),
    ],
)
def test_an_error_says_where_what_and_what_to_do(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        read(tmp_path, text)
    assert str(caught.value) == message


def test_the_line_of_an_error_counts_from_the_start_of_the_file_in_later_blocks_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arff, "BLOCK", 64)
    with pytest.raises(SourceError, match=r"r.arff, line 206, column 'c': 'e' is not a declared value"):
        read(tmp_path, HEADER + "1,a,x\n" * 200 + "1,e,x\n" + "1,a,x\n" * 10)
