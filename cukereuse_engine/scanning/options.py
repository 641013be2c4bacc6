"""From settings to the options of strategies and rules."""

from cukereuse_engine.blocks.block import STRICT, BlockLimits
from cukereuse_engine.blocks.options import RepetitionOptions
from cukereuse_engine.detection.options import StrategyOptions
from cukereuse_engine.findings.confidence import Bars, FindingOptions, bars_of
from cukereuse_engine.rules import Severity
from cukereuse_engine.settings import Settings
from cukereuse_engine.strategies.table import STRATEGIES


def strategy_options(settings: Settings) -> StrategyOptions:
    """The options of the strategy in the settings."""
    return StrategyOptions(
        strategy=settings.strategy,
        threshold=bars_for(settings).hint if STRATEGIES[settings.strategy].is_judged else settings.threshold,
        lev_min=settings.lev_min,
        lev_max=settings.lev_max,
        guards=settings.guards,
        linkage=settings.linkage,
        min_count=settings.min_count,
    )


def bars_for(settings: Settings) -> Bars:
    """The severity thresholds in the settings."""
    return bars_of(settings.sensitivity, settings.threshold if STRATEGIES[settings.strategy].is_judged else None)


def finding_options(settings: Settings) -> FindingOptions:
    return FindingOptions(_severities(settings), bars=bars_for(settings))


def repetition_options(settings: Settings, limits: BlockLimits = STRICT) -> RepetitionOptions:
    return RepetitionOptions(_severities(settings), settings.repetition_limit, settings.block_worth, limits)


def _severities(settings: Settings) -> dict[str, Severity]:
    return {rule: Severity(level) for rule, level in settings.severity.items()}
