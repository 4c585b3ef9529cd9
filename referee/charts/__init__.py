"""Charts, described once in shapes and drawn twice: as SVG on pages and into PDF sheets.

A chart can be read without colours: what matters is labelled where it stands, tops are hatched, lines have dashes of
their own. Each carries its figures as a table besides, for whoever does not see it.
"""
