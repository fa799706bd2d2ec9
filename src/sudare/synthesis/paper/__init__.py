"""Algorithms 1 to 5 of Okada, Masaki, Hasegawa, Tanaka 2017, one file each.

Their names are kept: D the real table, known by its histograms F_D, its mean μ_D and its covariance
Σ_D; X what the histograms give, Y the same coded as numbers, Z after its moments were made those of
D, D' the rows that come out. N' is how many they are. See docs/synthesis-paper.md.
"""
