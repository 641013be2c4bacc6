"""Classes that Java and Kotlin see without a named import: those of the language, and of packages that are imported as
a whole.

Contains only classes that running code names, by a static member or as an object; types follow other rules. The names
are those of the Java SE 21 API and of Kotlin's standard library.
"""

import re

OF_THE_LANGUAGE = frozenset(
    (
        *("Boolean", "Byte", "Character", "Class", "Double", "Enum", "Float", "Integer", "Iterable", "Long", "Math"),
        *("Number", "Object", "Process", "ProcessBuilder", "Runtime", "Short", "String", "StringBuilder", "System"),
        *("StringBuffer", "Thread", "ThreadLocal", "Void", "Any", "Array", "Char", "Int", "List", "Map", "Pair"),
        *("Regex", "Set", "Unit", "MutableList", "MutableMap", "Delegates", "Result", "Triple"),
        *("Exception", "RuntimeException", "Error", "AssertionError", "Throwable", "InterruptedException"),
        *("IllegalArgumentException", "IllegalStateException", "NullPointerException", "NumberFormatException"),
        *("UnsupportedOperationException", "IndexOutOfBoundsException", "ClassCastException"),
    )
)
"""The classes that every file sees, as far as steps use them."""
_GIVEN = {
    "java.io": frozenset(("File", "InputStream", "OutputStream", "Reader", "Writer")),
    "java.math": frozenset(("BigDecimal", "BigInteger", "MathContext", "RoundingMode")),
    "java.net": frozenset(
        ("HttpURLConnection", "InetAddress", "NetworkInterface", "Proxy", "URLConnection", "URLDecoder", "URLEncoder")
    ),
    "java.nio.charset": frozenset(("Charset", "StandardCharsets")),
    "java.nio.file": frozenset(
        ("FileSystems", "Files", "LinkOption", "Path", "Paths", "StandardCopyOption", "StandardOpenOption")
    ),
    "java.text": frozenset(("Collator", "DateFormat", "DecimalFormat", "MessageFormat", "Normalizer", "NumberFormat")),
    "java.time": frozenset(
        (
            *("Clock", "DayOfWeek", "Duration", "Instant", "LocalDate", "LocalDateTime", "LocalTime", "Month"),
            *("MonthDay", "OffsetDateTime", "OffsetTime", "Period", "Year", "YearMonth", "ZoneId", "ZoneOffset"),
            "ZonedDateTime",
        )
    ),
    "java.time.format": frozenset(("DateTimeFormatter", "FormatStyle", "ResolverStyle", "TextStyle")),
    "java.time.temporal": frozenset(("ChronoField", "ChronoUnit", "TemporalAdjusters", "WeekFields")),
    "java.util": frozenset(
        (
            *("Arrays", "Base64", "Calendar", "Collections", "Comparator", "Currency", "Date", "EnumSet", "HexFormat"),
            *("List", "Locale", "Map", "Objects", "Optional", "OptionalDouble", "OptionalInt", "OptionalLong"),
            *("ResourceBundle", "ServiceLoader", "Set", "Spliterators", "TimeZone"),
        )
    ),
    "java.util.concurrent": frozenset(
        ("CompletableFuture", "ConcurrentHashMap", "Executors", "ForkJoinPool", "ThreadLocalRandom", "TimeUnit")
    ),
    "java.util.function": frozenset(("BinaryOperator", "Function", "Predicate", "UnaryOperator")),
    "java.util.regex": frozenset(("Matcher", "Pattern")),
    "java.util.stream": frozenset(("Collectors", "DoubleStream", "IntStream", "LongStream", "Stream", "StreamSupport")),
}
"""Classes by package. `UUID` and similar names are spelled like constants, and never looked up."""
_RUNNERS = ("io.cucumber.", "cucumber.api.")
_GIVEN_BY_RUNNERS = frozenset(("CucumberOptions", "DataTable", "DocString", "PendingException", "Scenario"))


_ASSERTIONS = re.compile(r"(?:assert|fail)(?:[A-Z]\w*)?")


def gives_assertion(class_: str, name: str) -> bool:
    """True if a class of assertions has this static method: `assertEquals` of JUnit, TestNG, AssertJ."""
    return class_.rpartition(".")[2].startswith("Assert") and _ASSERTIONS.fullmatch(name) is not None


def may_give(package: str, name: str) -> bool:
    """True if another package that is imported as a whole may contain a class: any unknown package may."""
    if package.startswith(_RUNNERS):
        return name in _GIVEN_BY_RUNNERS
    given = _GIVEN.get(package)
    return given is None or name in given
