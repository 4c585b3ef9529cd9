"""Charts, described once as shapes and rendered twice: as SVG on pages, and in PDF documents.

They are readable without colours: important values are labelled, tops are hatched, lines have different dashes. Each
chart also has its figures as a table, for readers who cannot see it.
"""
