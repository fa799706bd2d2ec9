"""The experiments of paper 004 on public baskets: what is drawn, what is run, what is measured."""
