"""How charts are saved, and what they share."""

from xml.etree import ElementTree

import pytest
from matplotlib.axes import Axes

from analysis import charts


@pytest.fixture
def ax() -> Axes:
    """Two rows with intervals."""
    ax = charts.axes()
    charts.draw_interval(ax, 0, (2.0, 1.0, 4.0), filled=True)
    charts.draw_interval(ax, 1, (3.0, 2.5, 3.5))
    charts.name_rows(ax, ["above", "below"])
    return ax


def test_rows_have_names_and_intervals_the_first_on_top(ax):
    assert [label.get_text() for label in ax.get_yticklabels()] == ["above", "below"]
    low, high = ax.get_ylim()
    assert low > high
    ends = [bar.lines[2][0].get_segments()[0].tolist() for bar in ax.containers]
    assert ends == [[[1, 0], [4, 0]], [[2.5, 1], [3.5, 1]]]
    assert [bar.lines[0].get_markerfacecolor() for bar in ax.containers] == [charts.BLUE, "white"]


def test_a_foot_of_many_words_is_on_the_page_apart_from_the_chart(ax):
    charts.foot(ax.figure, 40 * "many words ")
    ax.figure.draw_without_rendering()
    told, page = ax.figure._supxlabel.get_window_extent(), ax.figure.bbox
    assert page.x0 <= told.x0 < told.x1 <= page.x1 and page.y0 <= told.y0
    assert not told.overlaps(ax.get_tightbbox())


@pytest.mark.parametrize(
    ("name", "magic"), [("a.png", b"\x89PNG"), ("a.SVG", b"<?xml"), ("a.pdf", b"%PDF")]
)
def test_the_suffix_says_the_format_and_the_bytes_are_the_same_again(name, magic, tmp_path):
    for folder in ("first", "second"):
        (tmp_path / folder).mkdir()
        figure = charts.axes().figure
        assert charts.save(figure, tmp_path / folder / name) == [tmp_path / folder / name]
    first, second = (tmp_path / folder / name for folder in ("first", "second"))
    assert first.read_bytes().startswith(magic)
    assert first.read_bytes() == second.read_bytes()
    assert [path.name for path in first.parent.iterdir()] == [name]
    assert b"CreationDate" not in first.read_bytes()
    assert b"dc:date" not in first.read_bytes()


def test_without_a_suffix_a_png_and_an_svg_are_made(ax, tmp_path):
    paths = charts.save(ax.figure, str(tmp_path / "chart"))
    assert paths == [tmp_path / "chart.png", tmp_path / "chart.svg"]
    ElementTree.parse(paths[1])
    # 9 inches wide at 200 dots: twice the 900 pixels of a README
    assert int.from_bytes(paths[0].read_bytes()[16:20], "big") == 1800


def test_another_suffix_is_refused_and_nothing_written(ax, tmp_path):
    with pytest.raises(ValueError, match=r"suffix \.jpeg: expected \.png, \.svg, \.pdf or none"):
        charts.save(ax.figure, tmp_path / "chart.jpeg")
    assert not list(tmp_path.iterdir())


def test_an_unwritable_path_is_told(ax, tmp_path):
    path = tmp_path / "no" / "chart.png"
    with pytest.raises(OSError, match="cannot be written: No such file") as caught:
        charts.save(ax.figure, path)
    assert caught.value.strerror.startswith(f"the chart {path} cannot be written")
