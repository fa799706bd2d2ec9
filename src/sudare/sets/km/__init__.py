"""k^m-anonymity of set-valued data: whoever knows at most m items finds k records, or none."""
