"""Syntax trees: requested nodes do not depend on earlier requests, and no memory stays behind."""

import sys

import pytest

from cukereuse_engine.glue.languages.source import Source

CODE = b"class A {\n  void f() { g(1); }\n  void g(int n) {}\n}\n"
METHODS = ["void f() { g(1); }", "void g(int n) {}"]


@pytest.mark.parametrize(
    "asked",
    [
        [("method_declaration", METHODS)],
        [("class_declaration", [CODE.decode().strip()]), ("method_declaration", METHODS)],
        [("decimal_integer_literal", ["1"]), ("no_such_type", []), ("method_declaration", METHODS)],
    ],
)
def test_nodes_are_those_of_the_type_in_order(asked):
    source = Source("A.java", CODE, "tree_sitter_java")
    for node_type, texts in asked * 2:
        assert [source.text(node) for node in source.nodes(node_type)] == texts
    types = [node_type for node_type, _ in asked]
    assert [node.start_byte for node in source.nodes(*types)] == sorted(
        node.start_byte for node_type in types for node in source.nodes(node_type)
    )


@pytest.mark.parametrize("data", [b"", CODE, CODE * 4000, b"class {{{ ((", b"\xff\xfe" + CODE])
def test_a_source_goes_with_its_tree(data):
    before = sys.getrefcount(data)
    source = Source("A.java", data, "tree_sitter_java")
    assert b"".join(node.text or b"" for node in source.root.children).replace(b"\n", b"") in data.replace(b"\n", b"")
    del source
    assert sys.getrefcount(data) == before
