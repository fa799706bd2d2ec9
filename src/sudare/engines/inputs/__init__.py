"""From what a user names (a file, a pattern of files, a dataframe) to the view `rows`."""
