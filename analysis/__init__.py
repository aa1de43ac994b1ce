"""Statistics, charts and the command line of runs: what ``sim`` played, counted and told."""
