"""Errors of writing a kit, each as one sentence with its remedy."""


class KitFault(Exception):
    """Error that stops the writing of a kit; its text is for the user."""
