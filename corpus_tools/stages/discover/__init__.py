"""Finding repositories with feature files by GitHub's REST search, past its cap of 1,000 results a query."""
