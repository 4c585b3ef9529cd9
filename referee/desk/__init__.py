"""The judge's desk: one sub-package for each domain, with views, forms and actions."""
