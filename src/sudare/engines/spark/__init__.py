"""Spark as an engine: on one machine, or on a cluster that the rows already live on."""
