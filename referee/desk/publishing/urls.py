"""Addresses of the pages of the club's website, its API and messages to other programs."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
