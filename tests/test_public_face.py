"""What every public name owes its reader: sections and types."""

import dataclasses
import inspect

from public_names import (
    Public,
    documented,
    parameters,
    properties,
    public_classes,
    public_functions,
    raises,
    sections,
)

FUNCTIONS, CLASSES = public_functions(), public_classes()


def names(found):
    """As pytest should show them."""
    return sorted(map(str, found))


def test_every_public_function_lists_its_parameters():
    """Oracle: the signature; a name that is in one and not in the other is a mistake in the docstring."""
    wrong = {}
    for found in FUNCTIONS:
        given, told = {p.name for p in parameters(found)}, documented(sections(found.thing).get("Parameters", ""))
        if given != told:
            wrong[str(found)] = given ^ told
    assert not wrong


def test_every_public_function_says_what_it_returns():
    """Oracle: the annotation of the result. A method without parameters says it in its first sentence."""
    silent = [
        found
        for found in FUNCTIONS
        if inspect.signature(found.thing).return_annotation not in (None, "None")
        and (parameters(found) or "." not in str(found).removeprefix("condyle."))
        and not {"Returns", "Yields"} & set(sections(found.thing))
    ]
    assert not names(silent)


def test_every_public_function_that_raises_says_when():
    """Oracle: raise statements and calls of `require` in its source."""
    assert not names(f for f in FUNCTIONS if raises(f.thing) and "Raises" not in sections(f.thing))


def test_every_parameter_and_result_has_a_type():
    """Oracle: the signatures, of constructors too."""
    made = [Public(str(c), vars(c.thing)["__init__"], True) for c in CLASSES if "__init__" in vars(c.thing)]
    bare = [(str(f), p.name) for f in [*FUNCTIONS, *made] for p in parameters(f) if p.annotation is p.empty]
    results = [(str(f), "result") for f in FUNCTIONS if inspect.signature(f.thing).return_annotation is inspect._empty]
    results += [
        (str(p), "result")
        for found in CLASSES
        for p in properties(found)
        if "return" not in getattr(p.thing, "fget", getattr(p.thing, "func", None)).__annotations__
    ]
    assert not [*bare, *results]


def test_every_public_class_lists_what_it_holds():
    """Oracle: the fields of data classes and named tuples, the parameters of constructors that condyle writes."""
    wrong = {}
    for found in CLASSES:
        cls = found.thing
        if dataclasses.is_dataclass(cls):
            own = {name for name in vars(cls).get("__annotations__", {}) if name[0] != "_"}
        elif hasattr(cls, "_fields"):
            own = set(cls._fields)
        else:
            init = vars(cls).get("__init__")
            own = {p.name for p in parameters(Public(str(found), init, True))} if init else set()
        text = sections(cls)
        told = documented(text.get("Parameters", "")) | documented(text.get("Attributes", ""))
        if not own <= told and not issubclass(cls, BaseException):
            wrong[str(found)] = own - told
    assert not wrong


def test_every_property_has_a_sentence():
    """A property without a docstring, its own or an inherited one, would be missing from the reference."""
    silent = []
    for found in CLASSES:
        for p in properties(found):
            texts = (
                getattr(vars(base).get(str(p).rpartition(".")[2]), "__doc__", None) for base in found.thing.__mro__
            )
            silent += [] if any(texts) else [p]
    assert not names(silent)
