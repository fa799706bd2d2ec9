"""One file a mechanism: `event()` states the cost before the data, `apply()` adds the noise."""
