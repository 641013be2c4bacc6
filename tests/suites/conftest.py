"""The example suites are run by their own runners, on copies; none of their files is a test of this project."""

collect_ignore_glob = ["*/**"]
