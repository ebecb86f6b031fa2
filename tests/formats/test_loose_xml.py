"""XML as people edit it."""

import pytest

import condyle as cd
from condyle.formats.loose_xml import parse_loose_xml


def test_bare_ampersands_and_dashes_in_comments_are_mended():
    """Oracle: the text as written by hand; entities that XML has stay."""
    root = parse_loose_xml(b"<a><!-- one -- two --><b>Smith & Jones &amp; &lt;Co&gt; &nosuch;</b></a>", "file")
    assert root.find("b").text == "Smith & Jones & <Co> &nosuch;"


def test_tags_with_colons_are_read():
    """Oracle: the tag."""
    root = parse_loose_xml(b"<a><Hunt::Parameters><x>1</x></Hunt::Parameters></a>", "file")
    assert root[0].tag == "Hunt::Parameters"


def test_elements_know_their_lines_behind_comments_and_declarations():
    """Oracle: lines counted by hand."""
    root = parse_loose_xml(b'\n<?xml version="1.0"\n?>\n<a>\n<!-- two\nlines --><b/>\n<c/>\n</a>', "file")
    assert [root.line, root.find("b").line, root.find("c").line] == [4, 6, 7]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_texts_are_read_in_unicode(encoding):
    """Oracle: Python's codecs."""
    assert parse_loose_xml("<a>Müller</a>".encode(encoding), "file").text == "Müller"


def test_a_stated_old_encoding_is_obeyed_without_a_warning(recwarn):
    """Oracle: Python's codecs."""
    text = '<?xml version="1.0" encoding="ISO-8859-2"?><a>Łódź</a>'
    assert parse_loose_xml(text.encode("iso-8859-2"), "file").text == "Łódź"
    assert not recwarn.list


def test_what_is_not_utf_8_is_read_as_windows_with_a_warning():
    """Oracle: Python's codecs; the line of the first such letter."""
    with pytest.warns(cd.CondyleWarning, match=r"file, line 2.*Windows-1252"):
        root = parse_loose_xml("<a>\n“Müller”</a>".encode("cp1252"), "file")
    assert root.text.strip() == "“Müller”"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<a>\n<b></a>", "line 2"),
        (b"<a>\n<b", "line 2"),
        (b"<a>\n\x00</a>", "line 2"),
        (b"", "XML"),
        (b"<a/><b/>", "line 1"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "document type"),
        (b"<a>" * 300, "deep"),
        (b"<a><!-- never closed</a>", "line 1"),
    ],
)
def test_what_cannot_be_mended_is_refused_with_its_line(data, words):
    """Oracle: lines counted by hand."""
    with pytest.raises(cd.CondyleError, match=words):
        parse_loose_xml(data, "file")
