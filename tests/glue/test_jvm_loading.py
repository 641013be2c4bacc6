"""Methods that Cucumber-JVM does not load: the definition is known, and its line has an error."""

import pytest

from cukereuse_engine.glue.languages.base import extract

JAVA = "package x.y;\nimport io.cucumber.java.en.*;\n"
KOTLIN = "package x.y\nimport io.cucumber.java.en.*\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("public class A {{ {} public void a() {{}} }}", ""),
        ("public class A {{ {} void a() {{}} }}", "its method is not public"),
        ("public class A {{ {} private void a() {{}} }}", "its method is not public"),
        ("class A {{ {} public void a() {{}} }}", "its class is not public"),
        ("public abstract class A {{ {} public void a() {{}} }}", "its class is abstract"),
        ("public interface A {{ {} default void a() {{}} }}", "an interface"),
        ("public class A {{ public class B {{ {} public void a() {{}} }} }}", "an instance of the class around"),
        ("public class A {{ public static class B {{ {} public void a() {{}} }} }}", ""),
        ("public class A {{ static class B {{ {} public void a() {{}} }} }}", "its class is not public"),
        ("@Deprecated public final class A {{ {} public static void a() {{}} }}", ""),
        ("public class A {{ {} public void a() {{}} }}\npublic class B extends A {{}}", "B extends A"),
        (
            "public class A<T> {{ {} public void a() {{}} }}\nclass B extends x.y.A<Integer> {{}}",
            "B extends A",
        ),
        ("public class A extends base.A {{ {} public void a() {{}} }}", ""),
        ("public class A {{ {} public void a() {{}} }}\nclass B extends y.A {{}}", ""),
        (
            "public class O {{ public static class A {{ {} public void a() {{}} }} }}\nclass B extends O.A {{}}",
            "B extends A",
        ),
        ("public class O {{ public static class A {{ {} public void a() {{}} }} }}\nclass B extends A {{}}", ""),
        (
            "public class O {{ public static class A {{ {} public void a() {{}} }} static class B extends A {{}} }}",
            "B extends A",
        ),
        ("public class O {{ public static class A extends p.A {{ {} public void a() {{}} }} }}", ""),
        ("public class A {{ {} public void a() {{}} }}\nclass B implements A {{}}\nclass D extends C {{}}", ""),
    ],
)
def test_java(source: str, message: str) -> None:
    extraction = extract("A.java", (JAVA + source.format('@Given("a")')).encode())
    assert len(extraction.definitions) == 1
    assert len(extraction.errors) == bool(message)
    assert all(message in error.message for error in extraction.errors)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class A {{\n{}\nfun a() {{}}\n}}", ""),
        ("internal class A {{\n{}\ninternal fun a() {{}}\n}}", ""),
        ("class A {{\n{}\nprivate fun a() {{}}\n}}", "its method is not public"),
        ("private class A {{\n{}\nfun a() {{}}\n}}", "its class is not public"),
        ("abstract class A {{\n{}\nfun a() {{}}\n}}", "its class is abstract"),
        ("interface A {{\n{}\nfun a() {{}}\n}}", "an interface"),
        ("object A {{\n{}\nfun a() {{}}\n}}", "an object"),
        ("class A {{\ncompanion object {{\n{}\nfun a() {{}}\n}}\n}}", "an object"),
        ("class A {{\ninner class B {{\n{}\nfun a() {{}}\n}}\n}}", "an instance of the class around"),
        ("class A {{\nclass B {{\n{}\nfun a() {{}}\n}}\n}}", ""),
        ("open class A {{\n{}\nfun a() {{}}\n}}\nclass B : C, A()\n", "B extends A"),
        ("class A : base.A() {{\n{}\nfun a() {{}}\n}}\n", ""),
        ("class A {{\n{}\nfun a() {{}}\n}}\nclass B : x.y.A()\n", "B extends A"),
        ("class A {{\n{}\nfun a() {{}}\n}}\nclass B(val a: A) : C(), D\n", ""),
    ],
)
def test_kotlin(source: str, message: str) -> None:
    extraction = extract("A.kt", (KOTLIN + source.format('@Given("a")')).encode())
    assert len(extraction.definitions) == 1
    assert len(extraction.errors) == bool(message)
    assert all(message in error.message for error in extraction.errors)
