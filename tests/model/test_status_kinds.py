"""Kinds of status: no two features take the same number, and each kind has words."""

from condyle.dynamics.failure_messages import ERRORS
from condyle.model.kernels import status
from condyle.muscles import muscle_engine
from condyle.simulation import stop_reasons

NUMBERS = {name: value for name, value in vars(status).items() if name.isupper() and name not in ("KINDS", "FASTEST")}


def test_each_kind_has_a_number_of_its_own_that_leaves_room_for_a_place():
    """Oracle: counting; 0 means that all is well."""
    assert len(set(NUMBERS.values())) == len(NUMBERS) > 10
    assert all(0 < number < status.KINDS for number in NUMBERS.values())


def test_each_kind_has_words():
    """Oracle: the tables of words of the packages that find them, and the two kinds that `reason` words by name."""
    with_words = {*ERRORS, *stop_reasons.WORDS, *stop_reasons.WANTED, *muscle_engine.WORDS}
    assert set(NUMBERS.values()) - with_words == {status.BLOWN_UP, status.LEFT_DOMAIN}
